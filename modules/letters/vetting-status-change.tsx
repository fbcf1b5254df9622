import { LetterButton, type LetterContent, LetterTitle, Paragraph, QuotedText, type SenderDetails } from './letter-components.tsx'

type To = { instructor: string }

export const instructorApprovedLetter = (p: To, { name, origin }: SenderDetails): LetterContent => ({
  subject: `You are approved on ${name}`,
  preview: 'Players can find you now.',
  body: (
    <>
      <LetterTitle>Players can find you now</LetterTitle>
      <Paragraph>Hi {p.instructor},</Paragraph>
      <Paragraph>
        We have approved you. Your profile is public, you appear in the list of instructors, and players of any age can send you folders.
      </Paragraph>
      <LetterButton href={`${origin}/instructor/dashboard`}>Go to your dashboard</LetterButton>
    </>
  ),
})

export const instructorDeclinedLetter = (p: To & { reason: string }, { name, origin, supportEmail }: SenderDetails): LetterContent => ({
  subject: `We cannot approve you on ${name}`,
  preview: 'Our reason, and what you can do.',
  body: (
    <>
      <LetterTitle>We cannot approve you</LetterTitle>
      <Paragraph>Hi {p.instructor},</Paragraph>
      <Paragraph>We reviewed what you sent us and cannot approve you as an instructor:</Paragraph>
      <QuotedText>{p.reason}</QuotedText>
      <LetterButton href={`${origin}/instructor/profile-editor`}>See my profile</LetterButton>
      <Paragraph>Players cannot connect with you or send you folders. If we got something wrong, write to {supportEmail}.</Paragraph>
    </>
  ),
})

export const instructorSuspendedLetter = (p: To & { reason: string }, { name, origin, supportEmail }: SenderDetails): LetterContent => ({
  subject: `Your ${name} account is suspended`,
  preview: 'Our reason, and what happens to your folders.',
  body: (
    <>
      <LetterTitle>Your account is suspended</LetterTitle>
      <Paragraph>Hi {p.instructor},</Paragraph>
      <Paragraph>We have suspended you as an instructor:</Paragraph>
      <QuotedText>{p.reason}</QuotedText>
      <Paragraph>
        Folders that were waiting for you were returned to their players, who pay nothing for them. Feedback that you delivered before
        stays, and you keep what you earned from it. If we got something wrong, write to {supportEmail}.
      </Paragraph>
      <LetterButton href={`${origin}/instructor/dashboard`}>Go to your dashboard</LetterButton>
    </>
  ),
})

export const instructorReinstatedLetter = (p: To, { name, origin }: SenderDetails): LetterContent => ({
  subject: `Your ${name} account is open again`,
  preview: 'The suspension is over.',
  body: (
    <>
      <LetterTitle>Your account is open again</LetterTitle>
      <Paragraph>Hi {p.instructor},</Paragraph>
      <Paragraph>
        We have ended the suspension. Everything is as it was before, and folders that were returned to their players can be assigned to you
        again.
      </Paragraph>
      <LetterButton href={`${origin}/instructor/dashboard`}>Go to your dashboard</LetterButton>
    </>
  ),
})
