import { type FrameTimeline, frameTimeline } from '../../modules/media/frames.ts'
import type { ComparedSide, Comparison } from '../../modules/reviews/contract.ts'

/**
 * The frame times in real time: `times` unchanged, or, if `captureRate` is given (a slow-motion file that plays slower than real time),
 * evenly spaced times at that rate.
 */
export const toRealTimeline = (times: FrameTimeline, captureRate: number | undefined): FrameTimeline =>
  captureRate
    ? frameTimeline({ version: 1, scale: Math.round(captureRate * 1000), first: 0, runs: [[Math.max(1, times.frames), 1000]] })
    : times

/** One clip and its position on the clock. */
export interface TimedClip extends Pick<ComparedSide, 'origin' | 'offset' | 'scale'> {
  times: FrameTimeline
}
export type ComparisonTimeMapper = ReturnType<typeof createComparisonTiming>

/** Picture changes that are closer together than this (ms) count as one. */
const SAME_MOMENT_MS = 0.05

/**
 * Puts both clips on one clock in milliseconds, whose 0 is their sync point. The position in a clip, measured from the start of its origin
 * frame, is (clock − offset) × scale. If `stretch` is set, the second clip is stretched to take as long as the first, separately before and
 * after the origin.
 */
export function createComparisonTiming(clips: readonly [TimedClip, TimedClip], stretch: boolean) {
  const ranges = clips.map(({ times, origin, scale }) => {
    const zero = times.start(origin)
    return { zero, before: zero - times.start(0), after: times.end(times.frames - 1) - zero, scale }
  })
  /** How many seconds of each clip pass per second of the shared clock, before and after the clip's origin frame. */
  const speeds = ranges.map(({ before, after, scale }, i) => {
    const first = ranges[0]!
    if (!stretch || i === 0) return { before: scale, after: scale }
    const stretchedSpeed = (own: number, firstClips: number) => (own > 0 && firstClips > 0 ? (own / firstClips) * first.scale : scale)
    return { before: stretchedSpeed(before, first.before), after: stretchedSpeed(after, first.after) }
  })
  const speed = (which: number, at: number) => (at < clips[which]!.offset ? speeds[which]!.before : speeds[which]!.after)
  /** The position in a clip, in seconds, at a clock time; it may lie outside the clip. */
  const local = (which: number, at: number) => ranges[which]!.zero + ((at - clips[which]!.offset) / 1000) * speed(which, at)
  /** The clock time, in ms, at which a clip reaches a position given in seconds. */
  const moment = (which: number, seconds: number) => {
    const from = seconds - ranges[which]!.zero
    return clips[which]!.offset + (from * 1000) / (from < 0 ? speeds[which]!.before : speeds[which]!.after)
  }
  const frame = (which: number, at: number) => clips[which]!.times.at(local(which, at))
  const when = (which: number, f: number) => moment(which, clips[which]!.times.start(f))
  const until = (which: number, f: number) => moment(which, clips[which]!.times.end(f))
  const both = [0, 1] as const

  return {
    /** When the first picture begins and the last one ends, in ms on the clock. */
    from: Math.min(...both.map(w => when(w, 0))),
    to: Math.max(...both.map(w => until(w, clips[w].times.frames - 1))),
    /** The number of frames in each clip. */
    counts: both.map(w => clips[w].times.frames) as [number, number],
    local,
    speed,
    frame,
    frames: (at: number) => [frame(0, at), frame(1, at)] as [number, number],
    /** The clock time at which a frame begins to be shown, in ms. */
    when,
    /** The duration of the longer of two frames, in ms on the clock. */
    slowerFrameMs: ([a, b]: readonly [number, number]) => Math.max(until(0, a) - when(0, a), until(1, b) - when(1, b)),
    /** The next or previous moment at which either picture changes; `at` if there is none. */
    step(at: number, by: 1 | -1): number {
      const start = at + by * SAME_MOMENT_MS
      const changes = both.flatMap(w => {
        const f = frame(w, start)
        return [f - 1, f, f + 1].filter(n => n >= 0 && n < clips[w].times.frames).map(n => when(w, n))
      })
      const changesInDirection = changes.filter(c => (by > 0 ? c > start : c < start))
      if (!changesInDirection.length) return at
      return by > 0 ? Math.min(...changesInDirection) : Math.max(...changesInDirection)
    },
  }
}

/** Returns the comparison synced on these frames, so that both are shown at clock time 0. */
export function syncAtFrames<C extends Pick<Comparison, 'sides'>>(comparison: C, [a, b]: readonly [number, number]): C {
  const [first, second] = comparison.sides
  return {
    ...comparison,
    sides: [
      { ...first, origin: a, offset: 0 },
      { ...second, origin: b, offset: 0 },
    ],
  }
}
