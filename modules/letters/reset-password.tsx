import { LetterButton, type LetterContent, LetterTitle, Paragraph, type SenderDetails } from './letter-components.tsx'

export const resetPasswordLetter = (
  p: { name: string; token: string; minutes: number },
  { name, origin }: SenderDetails,
): LetterContent => ({
  subject: `Choose a new ${name} password`,
  preview: `The link works once, for ${p.minutes} minutes.`,
  body: (
    <>
      <LetterTitle>Choose a new password</LetterTitle>
      <Paragraph>Hi {p.name},</Paragraph>
      <Paragraph>Someone (we hope it was you) asked for a new password. The link works once, for {p.minutes} minutes.</Paragraph>
      <LetterButton href={`${origin}/reset-password?token=${p.token}`}>Choose a new password</LetterButton>
      <Paragraph>If this was not you, you can ignore this email. Your password stays the same.</Paragraph>
    </>
  ),
})
