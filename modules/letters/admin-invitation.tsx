import { LetterButton, type LetterContent, LetterTitle, Paragraph, type SenderDetails } from './letter-components.tsx'

export const adminInvitationLetter = (
  p: { inviter: string; token: string; days: number },
  { name, origin }: SenderDetails,
): LetterContent => ({
  subject: `You are invited to help run ${name}`,
  preview: `The link works once, for ${p.days} days.`,
  body: (
    <>
      <LetterTitle>You are invited as an administrator</LetterTitle>
      <Paragraph>
        {p.inviter} would like you to help run {name}. The link works once, for {p.days} days.
      </Paragraph>
      <LetterButton href={`${origin}/admin/register?token=${p.token}`}>Create your account</LetterButton>
      <Paragraph>If you do not know {p.inviter}, you can ignore this email.</Paragraph>
    </>
  ),
})
