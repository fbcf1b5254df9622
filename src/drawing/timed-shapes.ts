import type { Shape } from '../../modules/reviews/contract.ts'
import { type Point, packPoints, unpackPoints } from './points.ts'

// Code that only people who draw need. `measures.ts` is separate because every viewer of a review loads it.

/** Standard lengths on a ball field, in inches. */
export const KNOWN_LENGTHS = [
  [33, 'Bat, 33 in'],
  [17, 'Plate, 17 in'],
  [24, 'Rubber, 24 in'],
] as const

/** Sets or moves the point of a path at a frame. `stay`: for how many frames the last point is shown. */
export function withPathPoint(path: Shape, frame: number, at: Point, stay: number): Shape {
  const known = path.frames!.map((f, i) => ({ frame: f, at: unpackPoints(path.p)[i]! })).filter(point => point.frame !== frame)
  const all = [...known, { frame, at }].sort((a, b) => a.frame - b.frame)
  const frames = all.map(point => point.frame)
  return {
    ...path,
    ...{ frames, from: frames[0]!, p: packPoints(all.map(point => point.at)) },
    hold: frames.at(-1)! - frames[0]! + stay,
  }
}

/**
 * Ends a stopwatch at `frame`; the earlier of its two frames becomes the start. `realTime` returns the milliseconds between two frames, or
 * null if unknown.
 */
export function withStopwatchEnd(watch: Shape, frame: number, stay: number, realTime: (from: number, to: number) => number | null): Shape {
  const start = watch.frames![0]!
  const [from, to] = [Math.min(start, frame), Math.max(start, frame)]
  const { milliseconds: _, ...rest } = watch
  const real = realTime(from, to)
  return {
    ...rest,
    ...{ frames: [from, to], from, hold: to - from + stay },
    ...(real !== null && { milliseconds: Math.round(real * 10) / 10 }),
  }
}
