import { Go, type House, type Letter, Say, Title } from './frame.tsx'

/** To somebody who forgot which address they registered with: this one. */
export const yourEmail = (p: { name: string; email: string }, { name, origin }: House): Letter => ({
  subject: `Your ${name} account uses this address`,
  preview: `Log in with ${p.email}.`,
  body: (
    <>
      <Title>This is the one</Title>
      <Say>Hi {p.name},</Say>
      <Say>
        You asked which e-mail address your {name} account uses. It is {p.email}.
      </Say>
      <Go href={`${origin}/auth?redirect=login&email=${encodeURIComponent(p.email)}`}>Log in</Go>
      <Say>If it was not you, leave this letter alone. Nobody else was told.</Say>
    </>
  ),
})
