import { formatDate, LetterButton, type LetterContent, LetterTitle, Paragraph, type SenderDetails } from './letter-components.tsx'

const WHAT_STAYS = 'Tax law requires us to keep payments on record, without your name.'

/** To a person who has requested the deletion of their account. */
export const deletionScheduledLetter = (
  p: { name: string; due: string; timeZone: string },
  { name, origin, supportEmail }: SenderDetails,
): LetterContent => ({
  subject: `Your ${name} account will be deleted on ${formatDate(p.due, p.timeZone)}`,
  preview: 'You can change your mind until then.',
  body: (
    <>
      <LetterTitle>Your account will be deleted on {formatDate(p.due, p.timeZone)}</LetterTitle>
      <Paragraph>Hi {p.name},</Paragraph>
      <Paragraph>
        You asked us to delete your account. On {formatDate(p.due, p.timeZone)} we will delete your name and contact details, your videos,
        and everything you wrote. {WHAT_STAYS}
      </Paragraph>
      <Paragraph>Nothing is deleted before then. To keep your account, log in and press “Keep my account” on your account page.</Paragraph>
      <LetterButton href={`${origin}/account`}>Keep my account</LetterButton>
      <Paragraph>Not you? Keep the account, then choose a new password, or write to {supportEmail}.</Paragraph>
    </>
  ),
})

/** To a minor whose guardian has requested the deletion of the minor's account. */
export const deletionByGuardianLetter = (
  p: { name: string; due: string; timeZone: string },
  { name, origin, supportEmail }: SenderDetails,
): LetterContent => ({
  subject: `Your ${name} account will be deleted on ${formatDate(p.due, p.timeZone)}`,
  preview: 'Your parent or guardian asked for this.',
  body: (
    <>
      <LetterTitle>Your account will be deleted on {formatDate(p.due, p.timeZone)}</LetterTitle>
      <Paragraph>Hi {p.name},</Paragraph>
      <Paragraph>
        Your parent or guardian asked us to delete your account. On {formatDate(p.due, p.timeZone)} we will delete your name and contact
        details, your videos, and everything you wrote. {WHAT_STAYS}
      </Paragraph>
      <Paragraph>
        Nothing is deleted before then, and your parent or guardian can still keep the account, on their family page. Until then, you can
        download your data on your account page.
      </Paragraph>
      <LetterButton href={`${origin}/account`}>Open my account page</LetterButton>
      <Paragraph>Questions? Write to {supportEmail}.</Paragraph>
    </>
  ),
})

/** To a guardian who wants to delete a child's account: a link to confirm the deletion. `url` signs in and opens the child's page. */
export const childDeletionLinkLetter = (
  p: { guardian: string; player: string; url: string; minutes: number },
  { name, supportEmail }: SenderDetails,
): LetterContent => ({
  subject: `Delete ${p.player}'s ${name} account?`,
  preview: `The link works once, for ${p.minutes} minutes.`,
  body: (
    <>
      <LetterTitle>Delete {p.player}'s account?</LetterTitle>
      <Paragraph>Hi {p.guardian},</Paragraph>
      <Paragraph>
        You asked on your family page to delete {p.player}'s account. The button opens {p.player}'s page, which shows what is deleted and
        what we keep, and asks you to confirm. It works once, for {p.minutes} minutes.
      </Paragraph>
      <LetterButton href={p.url}>Continue</LetterButton>
      <Paragraph>Not you? Then do nothing. Nothing is deleted without this link. You can write to {supportEmail}.</Paragraph>
    </>
  ),
})

/** To the guardian who has requested the deletion of a child's account. */
export const childDeletionScheduledLetter = (
  p: { guardian: string; player: string; due: string; timeZone: string; url: string },
  { name }: SenderDetails,
): LetterContent => ({
  subject: `${p.player}'s ${name} account will be deleted on ${formatDate(p.due, p.timeZone)}`,
  preview: 'You can change your mind until then.',
  body: (
    <>
      <LetterTitle>
        {p.player}'s account will be deleted on {formatDate(p.due, p.timeZone)}
      </LetterTitle>
      <Paragraph>Hi {p.guardian},</Paragraph>
      <Paragraph>
        You asked us to delete {p.player}'s account. On {formatDate(p.due, p.timeZone)} we will delete the name and contact details, the
        videos, and everything {p.player} wrote. {WHAT_STAYS}
      </Paragraph>
      <Paragraph>Nothing is deleted before then. To keep the account, open {p.player}'s page and press “Keep the account.”</Paragraph>
      <LetterButton href={p.url}>Keep the account</LetterButton>
    </>
  ),
})

/** To the guardian of a minor who has requested the deletion of their own account. */
export const deletionByChildLetter = (
  p: { guardian: string; player: string; due: string; timeZone: string; url: string },
  { name, supportEmail }: SenderDetails,
): LetterContent => ({
  subject: `${p.player}'s ${name} account will be deleted on ${formatDate(p.due, p.timeZone)}`,
  preview: `Until then ${p.player} can keep it.`,
  body: (
    <>
      <LetterTitle>
        {p.player}'s account will be deleted on {formatDate(p.due, p.timeZone)}
      </LetterTitle>
      <Paragraph>Hi {p.guardian},</Paragraph>
      <Paragraph>
        Someone with {p.player}'s password asked us to delete the account. On {formatDate(p.due, p.timeZone)} we will delete the name and
        contact details, the videos, and everything {p.player} wrote. {WHAT_STAYS}
      </Paragraph>
      <Paragraph>
        Nothing is deleted before then: {p.player} can log in and press “Keep my account” on the account page. Not {p.player}? Write to{' '}
        {supportEmail}.
      </Paragraph>
      <LetterButton href={p.url}>See {p.player}'s page</LetterButton>
    </>
  ),
})
