import {
  formatDate,
  LetterButton,
  type LetterContent,
  LetterTitle,
  Paragraph,
  QuotedText,
  type SenderDetails,
} from './letter-components.tsx'

interface Closing {
  due: string
  reason: string
  timeZone: string
}

const WHAT_HAPPENED_TO_FOLDERS = {
  player:
    'Folders that were with an instructor went back, and nothing is charged for them. Feedback that was delivered before is still charged to the saved card.',
  instructor:
    'Folders that were with you went back to their players, and reviews that you had not delivered were deleted. You keep what you earned from feedback that you delivered. If you have not set up payouts yet, email us.',
}

/** What a closed account means, for its owner and for a guardian alike. */
const Consequences = ({ due, timeZone, role, supportEmail }: Closing & { role: 'player' | 'instructor'; supportEmail: string }) => (
  <>
    <Paragraph>No one can log in to it anymore. {WHAT_HAPPENED_TO_FOLDERS[role]}</Paragraph>
    <Paragraph>
      We will delete the account on {formatDate(due, timeZone)}, or later if a payment is still pending. If you think this is a mistake,
      write to {supportEmail} before that day.
    </Paragraph>
  </>
)

export const accountClosedLetter = (
  p: Closing & { name: string; role: 'player' | 'instructor' },
  { name, origin, supportEmail }: SenderDetails,
): LetterContent => ({
  subject: `We closed your ${name} account`,
  preview: 'Our reason, and what you can do.',
  body: (
    <>
      <LetterTitle>We closed your account</LetterTitle>
      <Paragraph>Hi {p.name},</Paragraph>
      <Paragraph>We closed your account for this reason:</Paragraph>
      <QuotedText>{p.reason}</QuotedText>
      <Consequences {...p} supportEmail={supportEmail} />
      <LetterButton href={`${origin}/terms-of-service`}>Read our terms</LetterButton>
    </>
  ),
})

/** To the guardian of a minor whose account an administrator has closed. */
export const childAccountClosedLetter = (
  p: Closing & { guardian: string; player: string; url: string },
  { name, supportEmail }: SenderDetails,
): LetterContent => ({
  subject: `We closed ${p.player}'s ${name} account`,
  preview: 'Our reason, and what you can do.',
  body: (
    <>
      <LetterTitle>We closed {p.player}'s account</LetterTitle>
      <Paragraph>Hi {p.guardian},</Paragraph>
      <Paragraph>We closed {p.player}'s account for this reason:</Paragraph>
      <QuotedText>{p.reason}</QuotedText>
      <Consequences {...p} role="player" supportEmail={supportEmail} />
      <Paragraph>
        Until then you can download {p.player}'s data on {p.player}'s page.
      </Paragraph>
      <LetterButton href={p.url}>See {p.player}'s page</LetterButton>
    </>
  ),
})

export const accountReopenedLetter = (
  p: { name: string; role: 'player' | 'instructor' },
  { name, origin }: SenderDetails,
): LetterContent => ({
  subject: `Your ${name} account is open again`,
  preview: 'You can log in as before.',
  body: (
    <>
      <LetterTitle>Your account is open again</LetterTitle>
      <Paragraph>Hi {p.name},</Paragraph>
      <Paragraph>
        We opened your account again.{' '}
        {p.role === 'player'
          ? 'Nothing in it was deleted, and folders that went back when we closed it can be assigned again.'
          : 'Folders that went back when we closed it can be assigned to you again.'}{' '}
        If you had asked us to delete it before, ask again on your account page.
      </Paragraph>
      <LetterButton href={`${origin}/auth`}>Log in</LetterButton>
    </>
  ),
})

/** To the guardian of a minor whose account an administrator has reopened. */
export const childAccountReopenedLetter = (
  p: { guardian: string; player: string; url: string },
  { name }: SenderDetails,
): LetterContent => ({
  subject: `${p.player}'s ${name} account is open again`,
  preview: `${p.player} can log in as before.`,
  body: (
    <>
      <LetterTitle>{p.player}'s account is open again</LetterTitle>
      <Paragraph>Hi {p.guardian},</Paragraph>
      <Paragraph>
        We opened {p.player}'s account again, and nothing in it was deleted. Folders that went back when we closed it can be assigned again.
        If you had asked us to delete the account before, ask again on {p.player}'s page.
      </Paragraph>
      <LetterButton href={p.url}>See {p.player}'s page</LetterButton>
    </>
  ),
})
