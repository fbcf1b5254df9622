import type { Video } from '../../modules/folders/contract.ts'
import { RENDITION_SHORTER_SIDE_PX } from '../../modules/media/policy.ts'
import { reviewPlaylistOf } from '../feedback/watch/review-playlist.ts'
import type { ReviewedSession } from '../folders/reviewed-session-type.ts'

/** Frame rates that every player and messaging app supports, and that divide the audio sample rate evenly. */
export const REVIEW_VIDEO_FRAME_RATES = [24, 25, 30, 50, 60] as const
const [DEFAULT_RATE, HIGHEST_RATE] = [30, 60]
/** NTSC rates, such as 29.97, differ from a whole number by at most this fraction. */
const RATE_TOLERANCE = 0.002
const [SHORT_SIDE, LONG_SIDE] = [RENDITION_SHORTER_SIDE_PX, 1280]

type Reviewed = Pick<ReviewedSession, 'review' | 'clips' | 'compared'>

/** The size of a review's video in pixels: portrait if most of its clips are, else landscape. */
export function reviewVideoSize({ clips }: Pick<Reviewed, 'clips'>): { width: number; height: number } {
  const upright = clips.filter(c => c.height > c.width).length
  return upright > clips.length / 2 ? { width: SHORT_SIDE, height: LONG_SIDE } : { width: LONG_SIDE, height: SHORT_SIDE }
}

/** Frames per second of a clip as it is played; undefined if unknown. Slow motion plays at the rate of its file, not of the camera. */
function playedRate({ media }: Video): number | undefined {
  if (!media) return undefined
  if (media.rate) return media.rate[0] / media.rate[1]
  return media.milliseconds > 0 ? (media.frames * 1000) / media.milliseconds : undefined
}

/**
 * The frame rate of a review's video: the lowest of `REVIEW_VIDEO_FRAME_RATES` that shows every frame of its fastest clip, or 60 if none
 * does. A clip whose frame rate is not known yet counts as 30.
 */
export function reviewVideoFrameRate({ clips, compared }: Pick<Reviewed, 'clips' | 'compared'>): number {
  const rates = [...clips, ...compared].map(clip => playedRate(clip) ?? DEFAULT_RATE)
  const fastest = Math.max(...rates, REVIEW_VIDEO_FRAME_RATES[0]) * (1 - RATE_TOLERANCE)
  return REVIEW_VIDEO_FRAME_RATES.find(rate => rate >= fastest) ?? HIGHEST_RATE
}

/** The duration of a review's video, in ms. */
export const reviewVideoDurationMs = (session: Reviewed) => reviewPlaylistOf(session).milliseconds
