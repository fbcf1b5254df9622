/** How long a drawing stays on the picture, as one chooses it: seconds it holds (0: its own frame alone) and fades. */
export const STAYS = {
  frame: { label: 'This frame only', hold: 0, fade: 0 },
  half: { label: 'For ½ second', hold: 0.5, fade: 0.15 },
  one: { label: 'For 1 second', hold: 1, fade: 0.25 },
  two: { label: 'For 2 seconds', hold: 2, fade: 0.25 },
  end: { label: 'To the end', hold: Number.POSITIVE_INFINITY, fade: 0 },
} as const
export type Stay = keyof typeof STAYS

/** The same in frames, in a video of so many of them over so many milliseconds. */
export function framesOf(stay: Stay, frames: number, milliseconds: number, most: number): { hold: number; fade: number } {
  const { hold, fade } = STAYS[stay]
  const rate = frames && milliseconds ? (frames * 1000) / milliseconds : 30
  const whole = (seconds: number) => Math.min(most, frames || most, Math.round(seconds * rate))
  return { hold: Math.max(1, whole(hold)), fade: whole(fade) }
}
