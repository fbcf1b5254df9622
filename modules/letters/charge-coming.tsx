import { day, Go, type House, type Letter, money, Say, sessionLink, Title } from './frame.tsx'

/** To the player: the saved card is charged tomorrow. */
export const chargeComing = (
  p: { player: string; folder: string; folderId: string; session: string; total: number; due: string; card: string | null },
  { origin }: House,
): Letter => ({
  subject: `We charge ${money(p.total)} on ${day(p.due)}`,
  preview: `For the feedback on "${p.folder}".`,
  body: (
    <>
      <Title>Your card is charged soon</Title>
      <Say>Hi {p.player},</Say>
      {p.card ? (
        <Say>
          The feedback on "{p.folder}" is not paid yet, so we charge {money(p.total)} to your {p.card} on {day(p.due)}. Would you like to
          use another card, or add a tip? Pay before then.
        </Say>
      ) : (
        <Say>
          The feedback on "{p.folder}" is not paid yet: {money(p.total)}. There is no saved card to charge, so please pay by {day(p.due)}.
          After that you cannot assign new folders until it is settled.
        </Say>
      )}
      <Go href={sessionLink(origin, 'player', p)}>Pay now</Go>
    </>
  ),
})
