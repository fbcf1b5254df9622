import { Go, type House, type Letter, Say, Title } from './frame.tsx'

/** A link to choose a new password. */
export const resetPassword = (p: { name: string; token: string; minutes: number }, { name, origin }: House): Letter => ({
  subject: `Choose a new ${name} password`,
  preview: `The link works once, for ${p.minutes} minutes.`,
  body: (
    <>
      <Title>Choose a new password</Title>
      <Say>Hi {p.name},</Say>
      <Say>Somebody, we hope you, asked for a new password. The link works once, for {p.minutes} minutes.</Say>
      <Go href={`${origin}/reset-password?token=${p.token}`}>Choose a new password</Go>
      <Say>If it was not you, leave this letter alone. Your password stays as it is.</Say>
    </>
  ),
})
