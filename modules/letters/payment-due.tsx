import { Bill, day, Go, type House, type Letter, money, Say, sessionLink, Title } from './frame.tsx'

/** To the player: the final price, itemised, and what happens when. */
export const paymentDue = (
  p: {
    player: string
    instructor: string
    folder: string
    folderId: string
    session: string
    items: { label: string; cents: number }[]
    total: number
    due: string
    card: string | null
  },
  { origin }: House,
): Letter => ({
  subject: `${money(p.total)} for the feedback of ${p.instructor}`,
  preview: `Pay when you have read it, by ${day(p.due)}.`,
  body: (
    <>
      <Title>Your price is final</Title>
      <Say>Hi {p.player},</Say>
      <Say>
        This is what {p.instructor}'s feedback on "{p.folder}" costs:
      </Say>
      <Bill lines={[...p.items, { label: 'Total', cents: p.total }]} />
      <Say>
        Read it first, then pay in one tap, with a tip if you like.{' '}
        {p.card ? `If you do nothing, we charge your ${p.card} on ${day(p.due)}.` : `Please pay by ${day(p.due)}.`}
      </Say>
      <Go href={sessionLink(origin, 'player', p)}>Read it and pay</Go>
    </>
  ),
})
