import type { FrameTimeline } from '../../modules/media/frames.ts'

/**
 * Except on Apple's platforms, WebKit plays video with GStreamer, whose h264parse guesses how long a frame lasts: the mean of all frames,
 * or one tick of the encoder's clock. A seek shows the first frame that, by that guess, ends after the target, which may be the frame after
 * the requested one. Our browser tests use WebKitGTK in place of Safari, so the player has to be exact there, too.
 */
export const IS_WEBKIT_GSTREAMER = /^Apple/.test(globalThis.navigator?.vendor ?? '') && navigator.userAgent.includes('Linux')

/** GStreamer rounds the mean frame length. The rounded value is at most this multiple of the exact mean. */
const MAX_MEAN_ROUNDING = 1.02
/** Two points to seek to inside a frame, as fractions of its length, for a browser that knows how long each frame lasts. */
export const DEFAULT_SEEK_POINTS_IN_FRAME = [0.5, 0.625] as const

/** What the player has learned about GStreamer's guess for one clip. */
export interface FrameLengthGuess {
  /** Upper limit of the guess, in seconds. It is lowered whenever a skipped frame shows that the guess is shorter. */
  readonly seconds: number
  /** The initial value of `seconds`, which applies again if it turns out that no frame was skipped. */
  readonly maxSeconds: number
  /** Whether a seek showed the frame after the requested one, because GStreamer assumed that the requested one ends before the target. */
  readonly hasSkippedFrame: boolean
  /** The frame that was skipped most recently. */
  readonly skippedFrame: number | null
}

/** `meanLength`: the mean length of the clip's frames, in seconds. */
export const createFrameLengthGuess = (meanLength: number): FrameLengthGuess => ({
  seconds: meanLength * MAX_MEAN_ROUNDING,
  maxSeconds: meanLength * MAX_MEAN_ROUNDING,
  hasSkippedFrame: false,
  skippedFrame: null,
})

const lengthOf = (times: FrameTimeline, frame: number) => times.end(frame) - times.start(frame)
const lengthBefore = (times: FrameTimeline, frame: number) => (frame > 0 ? lengthOf(times, frame - 1) : Number.POSITIVE_INFINITY)

/** Whether, by its guess, GStreamer assumes that the frame before `frame` ends before `seconds` on the frame table's timeline. */
export const isSeekPastPreviousFrameByGuess = (
  { seconds: guessed }: FrameLengthGuess,
  times: FrameTimeline,
  frame: number,
  seconds: number,
) => guessed < lengthBefore(times, frame) + seconds - times.start(frame)

/**
 * Two seek points that show a frame according to this guess, as fractions of its length from its start; negative values lie before the
 * frame.
 */
export function seekPointsByGuess(
  { seconds, hasSkippedFrame }: FrameLengthGuess,
  times: FrameTimeline,
  frame: number,
): readonly [number, number] {
  const frameLength = lengthOf(times, frame)
  const [guessed, before] = [seconds / frameLength, lengthBefore(times, frame) / frameLength]
  if (hasSkippedFrame && frame === 0) return [0, 0]
  // The points lie after the end that GStreamer assumes for the previous frame, and before the end that it assumes for this frame.
  if (hasSkippedFrame && guessed < before * (7 / 8)) return [-before / 8, -before / 16]
  if (hasSkippedFrame && guessed < 1) return [guessed - before / 2, guessed - before / 4]
  // Where GStreamer assumes that the previous frame ends.
  const previousEnd = guessed - before
  if (previousEnd <= 1 / 2) return DEFAULT_SEEK_POINTS_IN_FRAME
  return [0.9, previousEnd < 0.9 ? (previousEnd + 0.9) / 2 : 0.8]
}
