import { LetterButton, type LetterContent, LetterTitle, Paragraph, type SenderDetails } from './letter-components.tsx'

/** To a guardian whom another one has replaced. `url` signs in and opens their bills. */
export const guardianReplacedLetter = (
  p: { guardian: string; player: string; url: string },
  { name, supportEmail }: SenderDetails,
): LetterContent => ({
  subject: `You are no longer listed as ${p.player}'s parent or guardian on ${name}`,
  preview: 'Your card will not be charged for new sessions.',
  body: (
    <>
      <LetterTitle>A different guardian is now listed for {p.player}</LetterTitle>
      <Paragraph>Hi {p.guardian},</Paragraph>
      <Paragraph>
        Another parent or guardian is now listed on {p.player}'s {name} account. You no longer see {p.player}'s sessions, and your card will
        not be charged for new ones.
      </Paragraph>
      <Paragraph>
        Sessions that had no feedback yet were returned to {p.player}, and nothing is charged for them. Feedback that was delivered earlier
        and has not been paid for yet stays on your bill.
      </Paragraph>
      <LetterButton href={p.url}>See your bills and payments</LetterButton>
      <Paragraph>Not what you expected? Write to {supportEmail}.</Paragraph>
    </>
  ),
})
