import { LetterButton, type LetterContent, LetterTitle, Paragraph, type SenderDetails } from './letter-components.tsx'

/** To a guardian whom another one has replaced. `url` signs in and opens their bills. */
export const guardianReplacedLetter = (
  p: { guardian: string; player: string; url: string },
  { name, supportEmail }: SenderDetails,
): LetterContent => ({
  subject: `You are no longer ${p.player}'s guardian at ${name}`,
  preview: 'Your card will not be charged for new sessions.',
  body: (
    <>
      <LetterTitle>{p.player} has another guardian now</LetterTitle>
      <Paragraph>Hi {p.guardian},</Paragraph>
      <Paragraph>
        Another parent or guardian now looks after {p.player} at {name}. You no longer see {p.player}'s sessions, and your card will not be
        charged for new ones.
      </Paragraph>
      <Paragraph>
        Sessions that had no feedback yet were returned to {p.player}, and nothing is charged for them. Feedback that was delivered before
        and is not paid yet stays on your bill.
      </Paragraph>
      <LetterButton href={p.url}>See your bills and payments</LetterButton>
      <Paragraph>Not what you expected? Write to {supportEmail}.</Paragraph>
    </>
  ),
})
