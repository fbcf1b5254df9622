import type { Clock } from './clock.ts'
import type { Course } from './timing.ts'

/** What is decoded ahead of the clock: so many pictures of the screen while it plays; so many frames on and back while it stands. */
const AHEAD = 16
const ON = 8
const BACK = 7
/** A picture of the screen, ms. */
const SCREEN = 1000 / 60

/** Frames of a side that will be due after `at`, when `frame` is, in the order in which they are needed. */
export function coming(way: Course, clock: Clock, which: number, at: number, frame: number): number[] {
  const count = way.counts[which]!
  if (clock.$playing.get()) {
    const stride = SCREEN * clock.$rate.get()
    const { from, to } = clock.ends()
    const later = Array.from({ length: AHEAD }, (_, k) => at + (k + 1) * stride)
    return later.map(time => way.frame(which, time > to && clock.$loop.get() ? from + time - to : time))
  }
  const on = Array.from({ length: ON }, (_, k) => frame + k + 1)
  const back = Array.from({ length: BACK }, (_, k) => frame - k - 1)
  return [...on, ...back].filter(f => f >= 0 && f < count)
}
