import { type Letter, LinkButton, Paragraph, type Sender, Title } from './layout.tsx'

/** A link to choose a new password. */
export const resetPassword = (p: { name: string; token: string; minutes: number }, { name, origin }: Sender): Letter => ({
  subject: `Choose a new ${name} password`,
  preview: `The link works once, for ${p.minutes} minutes.`,
  body: (
    <>
      <Title>Choose a new password</Title>
      <Paragraph>Hi {p.name},</Paragraph>
      <Paragraph>Somebody, we hope you, asked for a new password. The link works once, for {p.minutes} minutes.</Paragraph>
      <LinkButton href={`${origin}/reset-password?token=${p.token}`}>Choose a new password</LinkButton>
      <Paragraph>If it was not you, leave this letter alone. Your password stays as it is.</Paragraph>
    </>
  ),
})
