import { formatDay, formatMoney, type Letter, LinkButton, Paragraph, type Sender, sessionLink, Title } from './layout.tsx'

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
  { origin }: Sender,
): Letter => ({
  subject: `Still to pay: ${formatMoney(p.total)} for the feedback of ${p.instructor}`,
  preview: `${p.instructor} has done the work. One tap settles it.`,
  body: (
    <>
      <Title>A friendly reminder</Title>
      <Paragraph>Hi {p.player},</Paragraph>
      <Paragraph>
        {p.instructor}'s feedback on "{p.folder}" is not paid yet: {formatMoney(p.total)}.
      </Paragraph>
      <Paragraph>
        {p.card ? `If you do nothing, we charge your ${p.card} on ${formatDay(p.due)}.` : `Please pay by ${formatDay(p.due)}.`}
      </Paragraph>
      <LinkButton href={sessionLink(origin, 'player', p)}>Pay now</LinkButton>
    </>
  ),
})
