import { formatMoney, type Letter, LinkButton, Paragraph, QuotedText, type Sender, Title } from './layout.tsx'

/** To the player: money for a package is on its way back. */
export const packageRefunded = (
  p: { player: string; label: string; amount: number; card: string | null; reason: string; left: number },
  { origin }: Sender,
): Letter => ({
  subject: `${formatMoney(p.amount)} is on its way back to you`,
  preview: `For your package "${p.label}".`,
  body: (
    <>
      <Title>You got a refund</Title>
      <Paragraph>Hi {p.player},</Paragraph>
      <Paragraph>
        We gave {formatMoney(p.amount)} for your package "{p.label}" back to your {p.card ?? 'card'}. It can take your bank 5–10 days to
        show it. The folders that went with it are gone
        {p.left > 0 ? `; you have ${p.left === 1 ? '1 folder' : `${p.left} folders`} left` : ''}. The reason:
      </Paragraph>
      <QuotedText>{p.reason}</QuotedText>
      <LinkButton href={`${origin}/player/payment`}>See my packages</LinkButton>
    </>
  ),
})
