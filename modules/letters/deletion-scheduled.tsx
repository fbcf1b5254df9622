import { formatDate, type Letter, LinkButton, Paragraph, type Sender, Title } from './layout.tsx'

/** To whoever has asked for their account to be deleted, and to the guardian of a minor. */
export const deletionScheduled = (p: { name: string; due: string }, { name, origin, supportEmail }: Sender): Letter => ({
  subject: `Your ${name} account will be deleted on ${formatDate(p.due)}`,
  preview: 'Until then you can keep it.',
  body: (
    <>
      <Title>Your account will be deleted on {formatDate(p.due)}</Title>
      <Paragraph>Hi {p.name},</Paragraph>
      <Paragraph>
        You asked us to delete your account. On {formatDate(p.due)} we delete your name and contacts, your videos, and everything you wrote.
        What was paid stays on record without your name, as tax law asks.
      </Paragraph>
      <Paragraph>Until then nothing is lost: sign in and press “Keep my account”.</Paragraph>
      <LinkButton href={`${origin}/account`}>Keep my account</LinkButton>
      <Paragraph>Was it not you? Keep the account, then choose a new password, or write to {supportEmail}.</Paragraph>
    </>
  ),
})
