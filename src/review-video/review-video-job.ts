import type { FrameTable } from '../../modules/media/frames.ts'
import type { ReviewedSession } from '../folders/reviewed-session.ts'

/** What the process that makes a review's video gets: the review, and the names of its files in the directory. */
export interface ReviewVideoJob {
  session: Pick<ReviewedSession, 'review' | 'clips' | 'compared'>
  clips: { video: string; file: string; table: FrameTable }[]
  /** Those that can be heard. */
  voices: { id: string; file: string }[]
}
