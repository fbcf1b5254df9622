import { formatLetterMoney, type Letter, LetterTitle, LinkButton, Paragraph, QuotedText, type Sender } from './layout.tsx'

/** To the player: money for a package is on its way back. */
export const packageRefundLetter = (
  p: { player: string; label: string; amount: number; card: string | null; reason: string; left: number },
  { origin }: Sender,
): Letter => ({
  subject: `${formatLetterMoney(p.amount)} is on its way back to you`,
  preview: `For your package "${p.label}".`,
  body: (
    <>
      <LetterTitle>You got a refund</LetterTitle>
      <Paragraph>Hi {p.player},</Paragraph>
      <Paragraph>
        We gave {formatLetterMoney(p.amount)} for your package "{p.label}" back to your {p.card ?? 'card'}. It can take your bank 5–10 days
        to show it. The folders that went with it are gone
        {p.left > 0 ? `; you have ${p.left === 1 ? '1 folder' : `${p.left} folders`} left` : ''}. The reason:
      </Paragraph>
      <QuotedText>{p.reason}</QuotedText>
      <LinkButton href={`${origin}/player/payment`}>See my packages</LinkButton>
    </>
  ),
})
