import { LetterButton, type LetterContent, LetterTitle, Paragraph, type SenderDetails } from './letter-components.tsx'

/** To the new email of an account, with a link to confirm it. */
export const confirmNewEmailLetter = (
  p: { name: string; token: string; hours: number },
  { name, origin }: SenderDetails,
): LetterContent => ({
  subject: `Confirm the new email address for your ${name} account`,
  preview: `The link works once, for ${p.hours} hours.`,
  body: (
    <>
      <LetterTitle>Confirm your new email</LetterTitle>
      <Paragraph>Hi {p.name},</Paragraph>
      <Paragraph>
        You asked to use this address for your {name} account. Once you confirm it, you log in with this address and our emails come here.
        The link works once, for {p.hours} hours.
      </Paragraph>
      <LetterButton href={`${origin}/change-email?token=${p.token}`}>Use this email</LetterButton>
      <Paragraph>If you do not have an account with us, you can ignore this email. Nothing will change.</Paragraph>
    </>
  ),
})

/** To the current email of an account when a new one is requested. */
export const emailChangeWarningLetter = (p: { name: string }, { name, origin, supportEmail }: SenderDetails): LetterContent => ({
  subject: `Someone asked to change the email address for your ${name} account`,
  preview: 'Nothing has changed yet.',
  body: (
    <>
      <LetterTitle>A new email for your account?</LetterTitle>
      <Paragraph>Hi {p.name},</Paragraph>
      <Paragraph>
        Someone who knows your password asked to use another email address for your account. The change takes effect once the link that we
        sent there is opened. If that was you, you do not need to do anything here.
      </Paragraph>
      <Paragraph>Not you? Choose a new password now. That stops the change and logs everyone else out.</Paragraph>
      <LetterButton href={`${origin}/account`}>Open my account</LetterButton>
      <Paragraph>If you cannot log in anymore, write to {supportEmail}.</Paragraph>
    </>
  ),
})

/** To the former address, once the account has a new one. */
export const emailChangedLetter = (
  p: { name: string; token: string; days: number },
  { name, origin, supportEmail }: SenderDetails,
): LetterContent => ({
  subject: `Your ${name} email was changed`,
  preview: `If this was not you, switch back to this address within ${p.days} days.`,
  body: (
    <>
      <LetterTitle>Your account has a new email</LetterTitle>
      <Paragraph>Hi {p.name},</Paragraph>
      <Paragraph>
        Your account now uses a different email address, which has been confirmed. This is the last email we send to this address. If you
        made the change, you are all set.
      </Paragraph>
      <Paragraph>
        Not you? Switch back to this address within {p.days} days. That logs everyone out, and then you can choose a new password.
      </Paragraph>
      <LetterButton href={`${origin}/restore-email?token=${p.token}`}>Switch back to this address</LetterButton>
      <Paragraph>If the link no longer works, write to {supportEmail}.</Paragraph>
    </>
  ),
})

export const passwordChangedLetter = (p: { name: string }, { name, origin, supportEmail }: SenderDetails): LetterContent => ({
  subject: `Your ${name} password was changed`,
  preview: 'If this was not you, choose another one now.',
  body: (
    <>
      <LetterTitle>Your password was changed</LetterTitle>
      <Paragraph>Hi {p.name},</Paragraph>
      <Paragraph>Your account has a new password, and every other device was logged out. If you did this, you are all set.</Paragraph>
      <Paragraph>Not you? Choose another password right away. We will send the link to this address.</Paragraph>
      <LetterButton href={`${origin}/forgot-password`}>Choose another password</LetterButton>
      <Paragraph>If you need help, write to {supportEmail}.</Paragraph>
    </>
  ),
})
