import { countWithNoun } from '../format-cents-and-counts.ts'
import {
  formatLetterMoney,
  LetterButton,
  type LetterContent,
  LetterTitle,
  Paragraph,
  QuotedText,
  type SenderDetails,
} from './letter-components.tsx'

/** To the player: a package was refunded. */
export const packageRefundLetter = (
  p: { player: string; label: string; amount: number; card: string | null; reason: string; left: number },
  { origin }: SenderDetails,
): LetterContent => ({
  subject: `${formatLetterMoney(p.amount)} is on its way back to you`,
  preview: `For your package "${p.label}".`,
  body: (
    <>
      <LetterTitle>You got a refund</LetterTitle>
      <Paragraph>Hi {p.player},</Paragraph>
      <Paragraph>
        We refunded {formatLetterMoney(p.amount)} for your package "{p.label}" to your {p.card ?? 'card'}. It may take 5–10 days to appear
        on your statement. The sessions that were refunded can no longer be used
        {p.left > 0 ? `; you have ${countWithNoun(p.left, 'session')} left` : ''}. The reason:
      </Paragraph>
      <QuotedText>{p.reason}</QuotedText>
      <LetterButton href={`${origin}/player/payment`}>See my packages</LetterButton>
    </>
  ),
})
