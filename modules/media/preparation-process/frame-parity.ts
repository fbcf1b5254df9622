import { type FrameTable, frameTimeline } from '../frames.ts'

/** How much the times of the same frame may differ, in seconds: one tick of a 90 kHz clock. */
const TICK_SECONDS = 1 / 90_000

/** Whether two videos show the same number of frames at the same times, counted from the first frame of each. */
export function haveSameFrames(a: FrameTable, b: FrameTable): boolean {
  const [one, other] = [frameTimeline(a), frameTimeline(b)]
  if (one.frames !== other.frames) return false
  const [from, to] = [one.start(0), other.start(0)]
  for (let i = 0; i < one.frames; i++) {
    if (Math.abs(one.start(i) - from - (other.start(i) - to)) > TICK_SECONDS) return false
  }
  return true
}
