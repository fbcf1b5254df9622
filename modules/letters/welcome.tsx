import { FEEDBACK_TIME, VIDEOS_PER_FOLDER } from '../folders/policy.ts'
import { Go, type House, type Letter, Say, Title } from './frame.tsx'

/** The first letter, right after registering. */
export const welcome = (p: { name: string; role: 'player' | 'instructor' }, { name, tagline, origin }: House): Letter => ({
  subject: `Welcome to ${name}`,
  preview: tagline,
  body:
    p.role === 'player' ? (
      <>
        <Title>Welcome to the team, {p.name}</Title>
        <Say>
          Here is how it goes: make a folder, add up to {VIDEOS_PER_FOLDER} videos of your reps, and assign it to an instructor. You usually
          hear back in {FEEDBACK_TIME}.
        </Say>
        <Say>You pay only after the feedback, and you see the most it can cost before you send anything.</Say>
        <Go href={`${origin}/player/dashboard`}>Make your first folder</Go>
      </>
    ) : (
      <>
        <Title>Welcome to the staff, {p.name}</Title>
        <Say>Players find you on your public profile, or come with your invite code. What they send waits in your queue.</Say>
        <Say>Set up your payout account whenever you like: what you earn before that is kept for you.</Say>
        <Go href={`${origin}/instructor/dashboard`}>Go to your dashboard</Go>
      </>
    ),
})
