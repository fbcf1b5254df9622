/** The options for how long a shape stays on the picture, in seconds: `hold` at full opacity (0: one frame), then `fade`. */
export const SHAPE_DURATIONS = {
  frame: { label: 'This frame only', hold: 0, fade: 0 },
  half: { label: '½ second', hold: 0.5, fade: 0.15 },
  one: { label: '1 second', hold: 1, fade: 0.25 },
  two: { label: '2 seconds', hold: 2, fade: 0.25 },
  end: { label: 'To the end', hold: Number.POSITIVE_INFINITY, fade: 0 },
} as const
export type ShapeDuration = keyof typeof SHAPE_DURATIONS

/**
 * Converts a duration to frames: `hold` at full opacity (at least 1), then `fade`. Neither exceeds `maxFrames` or the length of the video,
 * which has `frames` frames in `milliseconds`; if either of these is 0, the rate is assumed to be 30 frames per second.
 */
export function holdAndFadeFrames(
  stay: ShapeDuration,
  frames: number,
  milliseconds: number,
  maxFrames: number,
): { hold: number; fade: number } {
  const { hold, fade } = SHAPE_DURATIONS[stay]
  const rate = frames && milliseconds ? (frames * 1000) / milliseconds : 30
  const toFrames = (seconds: number) => Math.min(maxFrames, frames || maxFrames, Math.round(seconds * rate))
  return { hold: Math.max(1, toFrames(hold)), fade: toFrames(fade) }
}
