import { ADULT_AGE } from '../accounts/policy.ts'
import { type Letter, LinkButton, Paragraph, type Sender, Title } from './layout.tsx'

/** To a guardian: may this child use the product? */
export const guardianConsent = (p: { guardian: string; player: string; token: string }, { name, origin }: Sender): Letter => ({
  // Whoever gets this knows none of us yet: nothing of it is anybody's own words.
  subject: `A young player needs your okay to use ${name}`,
  preview: `Players under ${ADULT_AGE} need their parent or guardian.`,
  body: (
    <>
      <Title>{p.player} needs your okay</Title>
      <Paragraph>Hi {p.guardian},</Paragraph>
      <Paragraph>
        {p.player} registered at {name}, where baseball and softball players send training videos to an instructor and get feedback. Players
        under {ADULT_AGE} need their parent or guardian to agree before the first folder is assigned.
      </Paragraph>
      <Paragraph>
        You get a copy of what {p.player} and an instructor write to each other, and can ask us for everything else: videos, drawings, what
        was said. Nothing is charged before feedback is given, unless {p.player} buys a package of sessions ahead. If you do not know{' '}
        {p.player}, leave this letter alone: nothing happens.
      </Paragraph>
      <LinkButton href={`${origin}/guardian/${p.token}`}>Read more and agree</LinkButton>
    </>
  ),
})
