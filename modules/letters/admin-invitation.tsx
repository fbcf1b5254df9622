import { Go, type House, type Letter, Say, Title } from './frame.tsx'

/** To somebody who is to help run the place. */
export const adminInvitation = (p: { inviter: string; token: string; days: number }, { name, origin }: House): Letter => ({
  subject: `You are invited to run ${name}`,
  preview: `The link works once, for ${p.days} days.`,
  body: (
    <>
      <Title>You are invited as an administrator</Title>
      <Say>
        {p.inviter} would like you to help run {name}. The link works once, for {p.days} days.
      </Say>
      <Go href={`${origin}/admin/register?token=${p.token}`}>Make your account</Go>
      <Say>If you do not know {p.inviter}, leave this letter alone.</Say>
    </>
  ),
})
