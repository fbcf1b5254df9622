import type { ComparisonClock } from './comparison-clock.ts'
import type { ComparisonTimeMapper } from './comparison-timing.ts'

/** While the clock runs, frames are decoded this many screen refreshes ahead of it. */
const SCREENS_AHEAD = 16
/** How many frames before and after the current one are decoded while the clock is stopped. */
const FRAMES_FORWARD = 8
const FRAMES_BACK = 7
/** The interval between two refreshes of a 60 Hz screen. */
const SCREEN_FRAME_MS = 1000 / 60

/** The frames of a side to decode next, in the order in which they are needed. `frame` is the one that is due at clock time `at`, in ms. */
export function framesToPrefetch(
  schedule: ComparisonTimeMapper,
  clock: ComparisonClock,
  which: number,
  at: number,
  frame: number,
): number[] {
  const count = schedule.counts[which]!
  if (clock.$playing.get()) {
    const stride = SCREEN_FRAME_MS * clock.$rate.get()
    const { from, to } = clock.range()
    const later = Array.from({ length: SCREENS_AHEAD }, (_, k) => at + (k + 1) * stride)
    return later.map(time => schedule.frame(which, time > to && clock.$loop.get() ? from + time - to : time))
  }
  const forward = Array.from({ length: FRAMES_FORWARD }, (_, k) => frame + k + 1)
  const back = Array.from({ length: FRAMES_BACK }, (_, k) => frame - k - 1)
  return [...forward, ...back].filter(f => f >= 0 && f < count)
}
