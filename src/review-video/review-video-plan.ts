import { RENDITION_LINES } from '../../modules/media/policy.ts'
import { reviewProgram } from '../feedback/watch/program.ts'
import type { ReviewedSession } from '../folders/reviewed-session.ts'

/** Pictures a second of a review's video: what everybody's player and messenger takes. */
export const FRAMES_PER_SECOND = 30
const [SHORT_SIDE, LONG_SIDE] = [RENDITION_LINES, 1280]

type Reviewed = Pick<ReviewedSession, 'review' | 'clips' | 'compared'>

/** The size of a review's video: upright where most of its clips are, else lying. */
export function videoSize({ clips }: Pick<Reviewed, 'clips'>): { width: number; height: number } {
  const upright = clips.filter(c => c.height > c.width).length
  return upright > clips.length / 2 ? { width: SHORT_SIDE, height: LONG_SIDE } : { width: LONG_SIDE, height: SHORT_SIDE }
}

/** How long a review's video will be, ms. */
export const videoMilliseconds = (session: Reviewed) => reviewProgram(session).milliseconds
