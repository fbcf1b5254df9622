import { type House, type Letter, Say, Title, Words } from './frame.tsx'

/** To whoever asked support. */
export const supportAnswered = (p: { name: string; asked: string; answer: string }, { supportEmail }: House): Letter => ({
  subject: 'An answer to your request',
  preview: p.answer.slice(0, 120),
  body: (
    <>
      <Title>We answered your request</Title>
      <Say>Hi {p.name},</Say>
      <Say>You wrote:</Say>
      <Words>{p.asked}</Words>
      <Say>Our answer:</Say>
      <Words>{p.answer}</Words>
      <Say>Is something still open? Write to {supportEmail}.</Say>
    </>
  ),
})
