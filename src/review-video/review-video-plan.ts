import { RENDITION_LINES } from '../../modules/media/policy.ts'
import { reviewProgram } from '../feedback/watch/program.ts'
import type { ReviewedSession } from '../folders/reviewed-session.ts'

/** Frame rate of a review's video, which every player and messenger supports. */
export const FRAMES_PER_SECOND = 30
const [SHORT_SIDE, LONG_SIDE] = [RENDITION_LINES, 1280]

type Reviewed = Pick<ReviewedSession, 'review' | 'clips' | 'compared'>

/** The size of a review's video: portrait if most of its clips are, else landscape. */
export function videoSize({ clips }: Pick<Reviewed, 'clips'>): { width: number; height: number } {
  const upright = clips.filter(c => c.height > c.width).length
  return upright > clips.length / 2 ? { width: SHORT_SIDE, height: LONG_SIDE } : { width: LONG_SIDE, height: SHORT_SIDE }
}

/** The duration of a review's video, in ms. */
export const videoMilliseconds = (session: Reviewed) => reviewProgram(session).milliseconds
