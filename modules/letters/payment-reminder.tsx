import { day, Go, type House, type Letter, money, Say, sessionLink, Title } from './frame.tsx'

/** To the player: still unpaid. */
export const paymentReminder = (
  p: {
    player: string
    instructor: string
    folder: string
    folderId: string
    session: string
    total: number
    due: string
    card: string | null
  },
  { origin }: House,
): Letter => ({
  subject: `Still to pay: ${money(p.total)} for the feedback of ${p.instructor}`,
  preview: `${p.instructor} has done the work. One tap settles it.`,
  body: (
    <>
      <Title>A friendly reminder</Title>
      <Say>Hi {p.player},</Say>
      <Say>
        {p.instructor}'s feedback on "{p.folder}" is not paid yet: {money(p.total)}.
      </Say>
      <Say>{p.card ? `If you do nothing, we charge your ${p.card} on ${day(p.due)}.` : `Please pay by ${day(p.due)}.`}</Say>
      <Go href={sessionLink(origin, 'player', p)}>Pay now</Go>
    </>
  ),
})
