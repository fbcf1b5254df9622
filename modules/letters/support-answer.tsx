import { LetterButton, type LetterContent, LetterTitle, Paragraph, QuotedText, type SenderDetails } from './letter-components.tsx'

/** To a person who contacted support. */
export const supportAnswerLetter = (
  p: { name: string; asked: string; answer: string },
  { origin, supportEmail }: SenderDetails,
): LetterContent => ({
  subject: 'Support answered your request',
  preview: p.answer.slice(0, 120),
  body: (
    <>
      <LetterTitle>We answered your request</LetterTitle>
      <Paragraph>Hi {p.name},</Paragraph>
      <Paragraph>You wrote:</Paragraph>
      <QuotedText>{p.asked}</QuotedText>
      <Paragraph>Our answer:</Paragraph>
      <QuotedText>{p.answer}</QuotedText>
      <LetterButton href={`${origin}/support`}>Open support</LetterButton>
      <Paragraph>Still need help? Write to {supportEmail}.</Paragraph>
    </>
  ),
})
