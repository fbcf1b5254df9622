import { ADULT_AGE } from '../accounts/policy.ts'
import { isPlainFirstName } from '../deceptive-text.ts'
import { LetterButton, type LetterContent, LetterTitle, Paragraph, type SenderDetails } from './letter-components.tsx'

/**
 * To a guardian: asks for consent to a child's use of the product. `takesOver`: another guardian had given consent before, but no longer
 * looks after the player.
 */
export const guardianConsentRequestLetter = (
  p: { guardian: string; player: string; token: string; takesOver: boolean },
  { name, origin }: SenderDetails,
): LetterContent => ({
  // The child's name shows that the letter is not phishing. But nobody has confirmed the guardian's address yet, so the subject omits a
  // "name" that may be an advertisement.
  subject: `${isPlainFirstName(p.player) ? p.player : 'A young player'} needs your okay to use ${name}`,
  preview: `Players under ${ADULT_AGE} need a parent's or guardian's permission.`,
  body: (
    <>
      <LetterTitle>{p.player} needs your okay</LetterTitle>
      <Paragraph>Hi {p.guardian},</Paragraph>
      <Paragraph>
        {p.takesOver
          ? `${p.player} uses ${name}, where baseball and softball players send training videos to an instructor and get feedback. You were named as ${p.player}'s parent or guardian there. Players under ${ADULT_AGE} need a parent or guardian to agree, so ${p.player} cannot assign a folder until you do.`
          : `${p.player} registered on ${name}, where baseball and softball players send training videos to an instructor and get feedback. Players under ${ADULT_AGE} need a parent or guardian to agree before the first folder is assigned.`}
      </Paragraph>
      <Paragraph>
        You get a copy by email of everything {p.player} and an instructor write to each other. Sessions are charged only to your card,
        after the feedback, and we ask you each time unless you set a monthly limit. If you do not know {p.player}, you can ignore this
        email.
      </Paragraph>
      <LetterButton href={`${origin}/guardian/${p.token}`}>Read more and answer</LetterButton>
    </>
  ),
})
