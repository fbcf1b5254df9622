import {
  LetterButton,
  type LetterContent,
  LetterTitle,
  Paragraph,
  QuotedText,
  type SenderDetails,
  truncateForPreview,
} from './letter-components.tsx'

/** To the person whom a support request is about. `asked`: what they wrote, or null if the server made the request itself. */
export const supportAnswerLetter = (
  p: { name: string; asked: string | null; answer: string },
  { origin, supportEmail }: SenderDetails,
): LetterContent => ({
  subject: p.asked === null ? 'A message from support about your account' : 'Support answered your request',
  preview: truncateForPreview(p.answer),
  body: (
    <>
      <LetterTitle>{p.asked === null ? 'About your account' : 'We answered your request'}</LetterTitle>
      <Paragraph>Hi {p.name},</Paragraph>
      {p.asked === null ? (
        <Paragraph>We looked into your account and have a message for you:</Paragraph>
      ) : (
        <>
          <Paragraph>You wrote:</Paragraph>
          <QuotedText>{p.asked}</QuotedText>
          <Paragraph>Our answer:</Paragraph>
        </>
      )}
      <QuotedText>{p.answer}</QuotedText>
      <LetterButton href={`${origin}/support`}>Open support</LetterButton>
      <Paragraph>Still need help? Write to {supportEmail}.</Paragraph>
    </>
  ),
})
