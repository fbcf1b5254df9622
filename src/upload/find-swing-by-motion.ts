import type { FrameTimeline } from '../../modules/media/frames.ts'
import { type ProposedSwing, proposeFramesAroundSwing } from './find-swing-by-sound.ts'
import { sampleGrayscalePictures, type TimedGrayPicture } from './sample-grayscale-pictures.ts'

/** The shortest interval between two sampled pictures, and the maximum number of them. */
const MIN_INTERVAL_SECONDS = 0.2
const MAX_PICTURES = 150
/** If a pixel changes by no more than this between two pictures, the change counts as sensor noise. */
const NOISE_LEVEL = 12
/** How long the motion of a swing lasts, including the steps before it. */
const SWING_SECONDS = 1
/** If less than this fraction of the pixels changes, nothing moves in the picture. */
const MIN_CHANGED_PART = 0.004
/**
 * The strongest motion counts as a swing only if its share of changed pixels is at least this many times the median of the rest of the
 * video. A panning camera changes many pixels all the time, so no moment reaches this ratio.
 */
const MIN_TIMES_REST = 3

/** The fraction of the pixels that differ between two pictures, 0 to 1. */
const changedPart = (before: Uint8Array, after: Uint8Array) =>
  after.reduce((count, value, i) => count + (Math.abs(value - before[i]!) > NOISE_LEVEL ? 1 : 0), 0) / after.length

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/**
 * The time in seconds around which the picture changes most; null if nothing moves, if no moment has much more motion than the rest, or
 * if the video is too short to compare.
 * @param sampled pictures at equal intervals, in order
 */
export function timeOfMostMotion(sampled: readonly TimedGrayPicture[]): number | null {
  const changes = sampled.slice(1).map(({ seconds, picture }, i) => ({
    seconds: (seconds + sampled[i]!.seconds) / 2,
    part: changedPart(sampled[i]!.picture, picture),
  }))
  const near = (seconds: number) => changes.filter(c => Math.abs(c.seconds - seconds) <= SWING_SECONDS / 2)
  const mean = (of: typeof changes) => of.reduce((sum, { part }) => sum + part, 0) / Math.max(1, of.length)
  const strongest = changes
    .map(c => ({ seconds: c.seconds, part: mean(near(c.seconds)) }))
    .reduce((a, b) => (b.part > a.part ? b : a), {
      seconds: 0,
      part: 0,
    })
  const rest = changes.filter(c => Math.abs(c.seconds - strongest.seconds) > SWING_SECONDS).map(({ part }) => part)
  if (!rest.length || strongest.part < MIN_CHANGED_PART || strongest.part < MIN_TIMES_REST * median(rest)) return null
  const swing = near(strongest.seconds)
  const weight = swing.reduce((sum, { part }) => sum + part, 0)
  return swing.reduce((sum, { seconds, part }) => sum + (seconds * part) / weight, 0)
}

/** The midpoints, in seconds, of at most `MAX_PICTURES` equal intervals of a video. */
export function evenlySpacedSeconds(durationSeconds: number): number[] {
  const interval = Math.max(MIN_INTERVAL_SECONDS, durationSeconds / MAX_PICTURES)
  return Array.from({ length: Math.floor(durationSeconds / interval) }, (_, i) => (i + 0.5) * interval)
}

/**
 * Finds the swing in a video by looking for the moment with the most motion; null if no moment stands out, or if the swing takes up the
 * whole video.
 * @throws if this browser cannot show the video's frames, or the signal is aborted
 */
export async function findSwingByMotion(file: Blob, times: FrameTimeline, signal: AbortSignal): Promise<ProposedSwing | null> {
  const seconds = timeOfMostMotion(await sampleGrayscalePictures(file, evenlySpacedSeconds, signal))
  return seconds === null ? null : proposeFramesAroundSwing(seconds, times, 'motion')
}
