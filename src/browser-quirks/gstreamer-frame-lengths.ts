import type { Timeline } from '../../modules/media/frames.ts'

/**
 * WebKit anywhere but on Apple's machines plays by GStreamer, whose h264parse guesses how long a frame lasts: the mean of all frames, or one
 * tick of the encoder's clock. A seek finds the first frame that lasts until then by that guess, which may be the frame after the one that was
 * meant. WebKitGTK stands in for Safari in our tests, so the player has to be exact there as well.
 */
export const IS_WEBKIT_GSTREAMER = /^Apple/.test(globalThis.navigator?.vendor ?? '') && navigator.userAgent.includes('Linux')

/** GStreamer rounds the mean length of a frame: to so many times ours at most. */
const MAX_MEAN_ROUNDING = 1.02
/** Two points to seek to inside a frame, as parts of its length, for a browser that knows how long each frame lasts. */
export const DEFAULT_SEEK_POINTS = [0.5, 0.625] as const

/** What the player has learned about GStreamer's guess for one clip. */
export interface FrameLengthGuess {
  /** GStreamer takes no frame to last longer than this, in seconds. */
  readonly seconds: number
  /** The greatest guess that is possible, in seconds. */
  readonly maxSeconds: number
  /** A seek found the frame after the one that was meant, as GStreamer took that to end before its middle. */
  readonly hasSkippedFrame: boolean
  /** The frame that was skipped last. */
  readonly skippedFrame: number | null
}

/** `meanLength`: of all frames of the clip, in seconds. */
export const createFrameLengthGuess = (meanLength: number): FrameLengthGuess => ({
  ...{ seconds: meanLength * MAX_MEAN_ROUNDING, maxSeconds: meanLength * MAX_MEAN_ROUNDING },
  ...{ hasSkippedFrame: false, skippedFrame: null },
})

const lengthOf = (times: Timeline, frame: number) => times.end(frame) - times.start(frame)
const lengthBefore = (times: Timeline, frame: number) => (frame > 0 ? lengthOf(times, frame - 1) : Number.POSITIVE_INFINITY)

/** Whether GStreamer cannot take the frame before `frame` to last until `seconds` of the frame table. */
export const isBeyondPrevious = ({ seconds: guessed }: FrameLengthGuess, times: Timeline, frame: number, seconds: number) =>
  guessed < lengthBefore(times, frame) + seconds - times.start(frame)

/** Two points to seek to that show a frame by this guess, as parts of its length from its start; below 0: before it. */
export function seekPointsByGuess(
  { seconds, hasSkippedFrame }: FrameLengthGuess,
  times: Timeline,
  frame: number,
): readonly [number, number] {
  const own = lengthOf(times, frame)
  const [guessed, before] = [seconds / own, lengthBefore(times, frame) / own]
  if (hasSkippedFrame && frame === 0) return [0, 0]
  // After the end that GStreamer assumes for the frame before, and ahead of the one it assumes for this frame.
  if (hasSkippedFrame && guessed < before * (7 / 8)) return [-before / 8, -before / 16]
  if (hasSkippedFrame && guessed < 1) return [guessed - before / 2, guessed - before / 4]
  return guessed > before + 1 / 2 ? [0.9, 0.8] : DEFAULT_SEEK_POINTS
}
