import { LetterButton, type LetterContent, LetterTitle, Paragraph, type SenderDetails } from './letter-components.tsx'

/** To a guardian who requested a sign-in link. `page` is the page that it opens. */
export const familySignInLinkLetter = (
  p: { guardian: string; token: string; page: string; minutes: number },
  { name, origin }: SenderDetails,
): LetterContent => ({
  subject: `Your login link for ${name}`,
  preview: `The link works once, for ${p.minutes} minutes.`,
  body: (
    <>
      <LetterTitle>Open your family page</LetterTitle>
      <Paragraph>Hi {p.guardian},</Paragraph>
      <Paragraph>
        Someone (we hope it was you) asked to log in as a parent or guardian. You don’t need a password: the link works once and expires in{' '}
        {p.minutes} minutes.
      </Paragraph>
      <LetterButton href={`${origin}${p.page}${p.page.includes('?') ? '&' : '?'}token=${p.token}`}>Open my family page</LetterButton>
      <Paragraph>If this was not you, you can ignore this email. Nobody can log in without it.</Paragraph>
    </>
  ),
})
