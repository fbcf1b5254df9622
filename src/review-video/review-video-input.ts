import type { FrameTable } from '../../modules/media/frames.ts'
import type { ReviewedSession } from '../folders/reviewed-session-type.ts'

/**
 * The input of the process that renders a review's video: the review, and the file names of its clips and voice-overs in the process's
 * scratch directory.
 */
export interface ReviewVideoInput {
  session: Pick<ReviewedSession, 'review' | 'clips' | 'compared'>
  clips: { video: string; file: string; table: FrameTable }[]
  /** The voice-overs whose sound is available. */
  voices: { id: string; file: string }[]
}
