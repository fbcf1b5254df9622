import { MAX_VIDEOS_PER_SESSION, TYPICAL_FEEDBACK_TIME } from '../folders/policy.ts'
import { LetterButton, type LetterContent, LetterTitle, Paragraph, type SenderDetails } from './letter-components.tsx'

/** To a new player or instructor, right after they register. */
export const welcomeLetter = (
  p: { name: string; role: 'player' | 'instructor' },
  { name, tagline, origin }: SenderDetails,
): LetterContent => ({
  subject: `Welcome to ${name}`,
  preview: tagline,
  body:
    p.role === 'player' ? (
      <>
        <LetterTitle>Welcome to the team, {p.name}</LetterTitle>
        <Paragraph>
          Here is how it works: create a folder, add up to {MAX_VIDEOS_PER_SESSION} videos of your reps, and assign it to an instructor. You
          usually hear back within {TYPICAL_FEEDBACK_TIME}.
        </Paragraph>
        <Paragraph>You pay only after the feedback, and you see the most it can cost before you send anything.</Paragraph>
        <LetterButton href={`${origin}/player/dashboard`}>Create your first folder</LetterButton>
      </>
    ) : (
      <>
        <LetterTitle>Welcome to the coaching staff, {p.name}</LetterTitle>
        <Paragraph>Players find you through your public profile or your invite code. Folders they send you wait in your queue.</Paragraph>
        <Paragraph>Set up your payout account whenever you like. We hold what you earn until then.</Paragraph>
        <LetterButton href={`${origin}/instructor/dashboard`}>Go to your dashboard</LetterButton>
      </>
    ),
})
