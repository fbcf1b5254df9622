import { type Letter, Paragraph, QuotedText, type Sender, Title } from './layout.tsx'

/** To whoever asked support. */
export const supportAnswered = (p: { name: string; asked: string; answer: string }, { supportEmail }: Sender): Letter => ({
  subject: 'An answer to your request',
  preview: p.answer.slice(0, 120),
  body: (
    <>
      <Title>We answered your request</Title>
      <Paragraph>Hi {p.name},</Paragraph>
      <Paragraph>You wrote:</Paragraph>
      <QuotedText>{p.asked}</QuotedText>
      <Paragraph>Our answer:</Paragraph>
      <QuotedText>{p.answer}</QuotedText>
      <Paragraph>Is something still open? Write to {supportEmail}.</Paragraph>
    </>
  ),
})
