import {
  formatLetterMoney,
  LetterButton,
  type LetterContent,
  LetterTitle,
  Paragraph,
  QuotedText,
  type SenderDetails,
  sessionLink,
} from './letter-components.tsx'

/** To the player: a payment was refunded. */
export const paymentRefundLetter = (
  p: { player: string; folder: string; folderId: string; session: string; amount: number; card: string; reason: string },
  { origin }: SenderDetails,
): LetterContent => ({
  subject: `${formatLetterMoney(p.amount)} is on its way back to you`,
  preview: `For "${p.folder}".`,
  body: (
    <>
      <LetterTitle>You got a refund</LetterTitle>
      <Paragraph>Hi {p.player},</Paragraph>
      <Paragraph>
        We refunded {formatLetterMoney(p.amount)} for "{p.folder}" to your {p.card}. It may take 5–10 days to appear on your statement. The
        reason:
      </Paragraph>
      <QuotedText>{p.reason}</QuotedText>
      <LetterButton href={sessionLink(origin, 'player', p)}>Open the session</LetterButton>
    </>
  ),
})
