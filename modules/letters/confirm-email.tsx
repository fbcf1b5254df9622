import { LetterButton, type LetterContent, LetterTitle, Paragraph, type SenderDetails } from './letter-components.tsx'

/** To a new instructor: a link that confirms the email address. */
export const confirmEmailLetter = (p: { name: string; token: string; days: number }, { name, origin }: SenderDetails): LetterContent => ({
  subject: `Confirm your email for ${name}`,
  preview: `The link works once, for ${p.days} days.`,
  body: (
    <>
      <LetterTitle>Confirm your email</LetterTitle>
      <Paragraph>Hi {p.name},</Paragraph>
      <Paragraph>
        You registered as an instructor on {name}. Before players can find you, we check who you are, and that starts with this address. The
        link works once, for {p.days} days.
      </Paragraph>
      <LetterButton href={`${origin}/confirm-email?token=${p.token}`}>Confirm my email</LetterButton>
      <Paragraph>If you did not register, you can ignore this email.</Paragraph>
    </>
  ),
})
