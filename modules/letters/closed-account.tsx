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

/** What a closed account means, for its owner and for a guardian alike. */
const Consequences = ({ due, timeZone, whose, supportEmail }: Closing & { whose: string; supportEmail: string }) => (
  <>
    <Paragraph>
      Nobody can sign in to it anymore. Folders that were with an instructor went back, and nothing is charged for them. Feedback that was
      delivered before still has to be paid for.
    </Paragraph>
    <Paragraph>
      On {formatDate(due, timeZone)} we delete the account, or later if a payment is still pending then. If you think we are wrong, or want
      a copy of {whose} data first, write to {supportEmail} before that day.
    </Paragraph>
  </>
)

/** To a person whose account an administrator has closed. */
export const accountClosedLetter = (p: Closing & { name: string }, { name, origin, supportEmail }: SenderDetails): LetterContent => ({
  subject: `We closed your ${name} account`,
  preview: 'Our reason, and what you can do.',
  body: (
    <>
      <LetterTitle>We closed your account</LetterTitle>
      <Paragraph>Hi {p.name},</Paragraph>
      <Paragraph>We closed your account for this reason:</Paragraph>
      <QuotedText>{p.reason}</QuotedText>
      <Consequences {...p} whose="your" supportEmail={supportEmail} />
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
      <Consequences {...p} whose={`${p.player}'s`} supportEmail={supportEmail} />
      <LetterButton href={p.url}>See {p.player}'s page</LetterButton>
    </>
  ),
})

/** To a person whose account an administrator has opened again. */
export const accountReopenedLetter = (p: { name: string }, { name, origin }: SenderDetails): LetterContent => ({
  subject: `Your ${name} account is open again`,
  preview: 'You can sign in as before.',
  body: (
    <>
      <LetterTitle>Your account is open again</LetterTitle>
      <Paragraph>Hi {p.name},</Paragraph>
      <Paragraph>
        We opened your account again, and nothing in it was deleted. Folders that went back when we closed it can be assigned again.
      </Paragraph>
      <LetterButton href={`${origin}/auth`}>Log in</LetterButton>
    </>
  ),
})

/** To the guardian of a minor whose account an administrator has opened again. */
export const childAccountReopenedLetter = (
  p: { guardian: string; player: string; url: string },
  { name }: SenderDetails,
): LetterContent => ({
  subject: `${p.player}'s ${name} account is open again`,
  preview: `${p.player} can sign in as before.`,
  body: (
    <>
      <LetterTitle>{p.player}'s account is open again</LetterTitle>
      <Paragraph>Hi {p.guardian},</Paragraph>
      <Paragraph>
        We opened {p.player}'s account again, and nothing in it was deleted. Folders that went back when we closed it can be assigned again.
      </Paragraph>
      <LetterButton href={p.url}>See {p.player}'s page</LetterButton>
    </>
  ),
})
