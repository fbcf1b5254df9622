import {
  BillTable,
  formatDate,
  formatLetterMoney,
  type Letter,
  LetterTitle,
  LinkButton,
  Paragraph,
  type Sender,
  sessionLink,
} from './layout.tsx'

/** To the player: paid, itemised. */
export const paymentReceiptLetter = (
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
    timeZone: string
    card: string
  },
  { name, origin }: Sender,
): Letter => ({
  subject: `Receipt ${p.number}: ${formatLetterMoney(p.paid)}`,
  preview: `For ${p.instructor}'s feedback on "${p.folder}". Thank you.`,
  body: (
    <>
      <LetterTitle>Thank you for your payment</LetterTitle>
      <Paragraph>
        {name} receipt {p.number}
        <br />
        {formatDate(p.at, p.timeZone)}
        <br />
        {p.card}
      </Paragraph>
      <Paragraph>
        Feedback by {p.instructor} on "{p.folder}", for {p.player}
      </Paragraph>
      <BillTable
        lines={[...p.items, ...(p.tip ? [{ label: `Tip for ${p.instructor}`, cents: p.tip }] : []), { label: 'Paid', cents: p.paid }]}
      />
      <LinkButton href={sessionLink(origin, 'player', p)}>Open the folder</LinkButton>
    </>
  ),
})
