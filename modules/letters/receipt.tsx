import { Bill, date, Go, type House, type Letter, money, Say, sessionLink, Title } from './frame.tsx'

/** To the player: paid, itemised. */
export const receipt = (
  p: {
    player: string
    instructor: string
    folder: string
    folderId: string
    session: string
    number: string
    items: { label: string; cents: number }[]
    tip: number
    paid: number
    at: string
    card: string
  },
  { name, origin }: House,
): Letter => ({
  subject: `Receipt ${p.number}: ${money(p.paid)}`,
  preview: `For ${p.instructor}'s feedback on "${p.folder}". Thank you.`,
  body: (
    <>
      <Title>Thank you, it is paid</Title>
      <Say>
        {name} receipt {p.number}
        <br />
        {date(p.at)}
        <br />
        {p.card}
      </Say>
      <Say>
        Feedback by {p.instructor} on "{p.folder}", for {p.player}
      </Say>
      <Bill
        lines={[...p.items, ...(p.tip ? [{ label: `Tip for ${p.instructor}`, cents: p.tip }] : []), { label: 'Paid', cents: p.paid }]}
      />
      <Go href={sessionLink(origin, 'player', p)}>Open the folder</Go>
    </>
  ),
})
