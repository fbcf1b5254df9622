import { Go, type House, type Letter, money, Say, sessionLink, Title } from './frame.tsx'

/** To the player: why the card was not charged, and what to do. */
export const paymentFailed = (
  p: {
    player: string
    folder: string
    folderId: string
    session: string
    amount: number
    card: string
    why: string
    by: 'player' | 'schedule'
  },
  { origin }: House,
): Letter => ({
  subject: `Your payment of ${money(p.amount)} did not go through`,
  preview: p.why,
  body: (
    <>
      <Title>The payment did not go through</Title>
      <Say>Hi {p.player},</Say>
      <Say>
        We tried to charge {money(p.amount)} for the feedback on "{p.folder}" to your {p.card}. {p.why}
      </Say>
      {p.by === 'schedule' && <Say>Until this is settled you cannot assign new folders. Everything else works as before.</Say>}
      <Go href={sessionLink(origin, 'player', p)}>Try again or use another card</Go>
    </>
  ),
})
