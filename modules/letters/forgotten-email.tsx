import { LetterButton, type LetterContent, LetterTitle, Paragraph, type SenderDetails } from './letter-components.tsx'

/** To the registered email of a person who forgot it. */
export const forgottenEmailLetter = (p: { name: string; email: string }, { name, origin }: SenderDetails): LetterContent => ({
  subject: `Your ${name} account uses this address`,
  preview: `Log in with ${p.email}.`,
  body: (
    <>
      <LetterTitle>This is your email</LetterTitle>
      <Paragraph>Hi {p.name},</Paragraph>
      <Paragraph>
        You asked which email address your {name} account uses. It is {p.email}.
      </Paragraph>
      <LetterButton href={`${origin}/auth?redirect=login&email=${encodeURIComponent(p.email)}`}>Log in</LetterButton>
      <Paragraph>If this was not you, you can ignore this email. Nobody else got it.</Paragraph>
    </>
  ),
})
