import { type Letter, LetterTitle, LinkButton, Paragraph, type Sender } from './layout.tsx'

/** To the address that somebody wants for their account: is it theirs? */
export const confirmNewEmailLetter = (p: { name: string; token: string; hours: number }, { name, origin }: Sender): Letter => ({
  subject: `Confirm the new email of your ${name} account`,
  preview: `The link works once, for ${p.hours} hours.`,
  body: (
    <>
      <LetterTitle>Confirm your new email</LetterTitle>
      <Paragraph>Hi {p.name},</Paragraph>
      <Paragraph>
        You asked to use this address for your {name} account. From the moment you confirm it, you log in with it, and our emails come here.
        The link works once, for {p.hours} hours.
      </Paragraph>
      <LinkButton href={`${origin}/change-email?token=${p.token}`}>Use this email</LinkButton>
      <Paragraph>If you have no account with us, leave this letter alone: nothing changes.</Paragraph>
    </>
  ),
})

/** To the present address, when somebody asks for another one. */
export const emailChangeRequestedLetter = (p: { name: string }, { name, origin, supportEmail }: Sender): Letter => ({
  subject: `Your ${name} account is to get a new email`,
  preview: 'Nothing has changed yet.',
  body: (
    <>
      <LetterTitle>Your account is to get a new email</LetterTitle>
      <Paragraph>Hi {p.name},</Paragraph>
      <Paragraph>
        Somebody who knows your password asked to use another email address for your account. It changes once the link that we sent there is
        opened. If that was you, there is nothing to do here.
      </Paragraph>
      <Paragraph>Was it not you? Choose a new password now: that stops the change and signs everybody else out.</Paragraph>
      <LinkButton href={`${origin}/account`}>Look at my account</LinkButton>
      <Paragraph>If you cannot log in anymore, write to {supportEmail}.</Paragraph>
    </>
  ),
})

/** To the former address, once the account has another one. */
export const emailChangedLetter = (p: { name: string; token: string; days: number }, { name, origin, supportEmail }: Sender): Letter => ({
  subject: `The email of your ${name} account was changed`,
  preview: `If it was not you, bring this address back within ${p.days} days.`,
  body: (
    <>
      <LetterTitle>The email of your account was changed</LetterTitle>
      <Paragraph>Hi {p.name},</Paragraph>
      <Paragraph>
        Your account has another email address now, which was confirmed there. This is our last letter to this one. If you changed it, you
        are done.
      </Paragraph>
      <Paragraph>
        Was it not you? Bring this address back within {p.days} days. It signs everybody out, and then you can choose a new password.
      </Paragraph>
      <LinkButton href={`${origin}/restore-email?token=${p.token}`}>Bring this address back</LinkButton>
      <Paragraph>If the link does not work anymore, write to {supportEmail}.</Paragraph>
    </>
  ),
})

/** To whoever has a new password. */
export const passwordChangedLetter = (p: { name: string }, { name, origin, supportEmail }: Sender): Letter => ({
  subject: `Your ${name} password was changed`,
  preview: 'If it was not you, choose another one now.',
  body: (
    <>
      <LetterTitle>Your password was changed</LetterTitle>
      <Paragraph>Hi {p.name},</Paragraph>
      <Paragraph>Your account has a new password, and every other device was signed out. If you did this, you are done.</Paragraph>
      <Paragraph>Was it not you? Choose another password at once. The link for it comes to this address.</Paragraph>
      <LinkButton href={`${origin}/forgot-password`}>Choose another password</LinkButton>
      <Paragraph>If you need help, write to {supportEmail}.</Paragraph>
    </>
  ),
})
