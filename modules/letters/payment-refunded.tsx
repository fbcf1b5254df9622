import { formatMoney, type Letter, LinkButton, Paragraph, QuotedText, type Sender, sessionLink, Title } from './layout.tsx'

/** To the player: money is on its way back. */
export const paymentRefunded = (
  p: { player: string; folder: string; folderId: string; session: string; amount: number; card: string; reason: string },
  { origin }: Sender,
): Letter => ({
  subject: `${formatMoney(p.amount)} is on its way back to you`,
  preview: `For "${p.folder}".`,
  body: (
    <>
      <Title>You got a refund</Title>
      <Paragraph>Hi {p.player},</Paragraph>
      <Paragraph>
        We gave {formatMoney(p.amount)} for "{p.folder}" back to your {p.card}. It can take your bank 5–10 days to show it. The reason:
      </Paragraph>
      <QuotedText>{p.reason}</QuotedText>
      <LinkButton href={sessionLink(origin, 'player', p)}>Open the session</LinkButton>
    </>
  ),
})
