import fc from 'fast-check'
import { expect, test } from 'vitest'
import { frameTimeline } from '../../modules/media/frames.ts'
import { createComparisonTiming, syncAtFrames, type TimedClip, toRealTimeline } from '../../src/comparison/comparison-timing.ts'

const table = fc
  .record({
    scale: fc.constantFrom(600, 1000, 30_000, 90_000),
    first: fc.integer({ min: 0, max: 3000 }),
    runs: fc.array(fc.tuple(fc.integer({ min: 1, max: 120 }), fc.integer({ min: 3, max: 4000 })), { minLength: 1, maxLength: 6 }),
  })
  .map(t => frameTimeline({ version: 1, ...t }))
const clip = fc
  .record({
    times: table,
    origin: fc.integer({ min: 0, max: 700 }),
    offset: fc.integer({ min: -3000, max: 3000 }),
    scale: fc.double({ min: 0.05, max: 20, noNaN: true }),
  })
  .map(l => ({ ...l, origin: l.times.clamp(l.origin) }))
const clips = fc.tuple(clip, clip)

/** In ms. Because browsers truncate times, a time up to 20 µs before a frame counts as that frame (`CUT` in `frames.ts`). */
const SLACK = 0.02

test('two clips are never more than one frame of the slower clip apart', () => {
  fc.assert(
    fc.property(clips, fc.boolean(), fc.double({ min: 0, max: 1, noNaN: true }), (pair, stretch, part) => {
      const timing = createComparisonTiming(pair, stretch)
      const at = timing.from + part * (timing.to - timing.from)
      const frames = timing.frames(at)
      const lags = pair.map(({ times }, i) => {
        const f = frames[i]!
        const slack = SLACK / timing.speed(i, at) + 1e-6 * Math.abs(timing.to - timing.from)
        const [begins, ends] = [timing.when(i, f), f + 1 < times.frames ? timing.when(i, f + 1) : Number.POSITIVE_INFINITY]
        // The clock may run before the first and after the last frame of a clip.
        if (f > 0) expect(begins).toBeLessThanOrEqual(at + slack)
        expect(ends).toBeGreaterThanOrEqual(at - slack)
        return f > 0 && f + 1 < times.frames ? { lag: at - begins, slack } : undefined
      })
      const [a, b] = lags
      if (a && b) expect(Math.abs(a.lag - b.lag)).toBeLessThanOrEqual(timing.slowerFrameMs(frames) + a.slack + b.slack)
    }),
    { numRuns: 500 },
  )
})

test('each clip shows its origin frame at its offset on the clock', () => {
  fc.assert(
    fc.property(clips, fc.boolean(), (pair, stretch) => {
      const timing = createComparisonTiming(pair, stretch)
      pair.forEach(({ origin, offset }, i) => {
        expect(timing.frame(i, offset)).toBe(origin)
        expect(timing.when(i, origin)).toBeCloseTo(offset, 6)
      })
    }),
  )
})

const filmed = fc
  .record({
    rate: fc.constantFrom(24, 30, 59.94, 120, 240),
    frames: fc.integer({ min: 1, max: 200 }),
    origin: fc.nat(199),
    offset: fc.integer({ min: -500, max: 500 }),
    scale: fc.double({ min: 0.25, max: 4, noNaN: true }),
  })
  .map(({ rate, frames, origin, ...more }) => ({
    ...more,
    origin: Math.min(origin, frames - 1),
    times: frameTimeline({ version: 1, scale: rate * 100, first: 0, runs: [[frames, 100]] }),
  }))

test('stepping through a comparison shows every frame of both clips in order', () => {
  fc.assert(
    fc.property(fc.tuple(filmed, filmed), pair => {
      const timing = createComparisonTiming(pair, false)
      for (const by of [1, -1] as const) {
        const shownFrames = [new Set<number>(), new Set<number>()]
        for (let at = by > 0 ? timing.from : timing.to, next = at; ; at = next) {
          for (const [w, f] of timing.frames(at).entries()) shownFrames[w]!.add(f)
          next = timing.step(at, by)
          if (next === at) break
          expect(Math.sign(next - at)).toBe(by)
        }
        // Changes less than 0.05 ms apart count as one step, so a few frames may be missed: at most 5% plus two.
        for (const [w, { times }] of pair.entries()) expect(times.frames - shownFrames[w]!.size).toBeLessThanOrEqual(times.frames / 20 + 2)
      }
    }),
    { numRuns: 100 },
  )
})

const steady = (rate: number, frames: number) => frameTimeline({ version: 1, scale: rate, first: 0, runs: [[frames, 1]] })

test('two stretched clips start, reach their origin frames, and end at the same time', () => {
  const [short, long] = [steady(30, 60), steady(240, 960)]
  const sides: [TimedClip, TimedClip] = [
    { times: short, origin: 30, offset: 0, scale: 1 },
    { times: long, origin: 240, offset: 0, scale: 1 },
  ]
  const unstretched = createComparisonTiming(sides, false)
  expect([unstretched.from, unstretched.to]).toEqual([-1000, 3000])
  const timing = createComparisonTiming(sides, true)
  expect([timing.from, timing.to]).toEqual([-1000, 1000])
  expect([timing.frames(-1000), timing.frames(0), timing.frames(999.9)]).toEqual([
    [0, 0],
    [30, 240],
    [59, 959],
  ])
  // The long clip lasts 1 s before its origin and 3 s after it; the short one, 1 s before and 1 s after.
  expect([timing.speed(1, -1), timing.speed(1, 1)]).toEqual([1, 3])
  expect(timing.speed(0, 1)).toBe(1)
})

test('slow motion saved at 30 fps is compared in real time', () => {
  // Captured at 240 frames per second, saved to play at 30.
  const times = toRealTimeline(steady(30, 480), 240)
  const sides: [TimedClip, TimedClip] = [
    { times: steady(30, 60), origin: 15, offset: 0, scale: 1 },
    { times, origin: 120, offset: 0, scale: 1 },
  ]
  const timing = createComparisonTiming(sides, false)
  expect(timing.frames(100)).toEqual([18, 144])
  expect(timing.when(1, 121)).toBeCloseTo(1000 / 240, 6)
  expect(toRealTimeline(steady(30, 60), undefined).end(59)).toBe(2)
})

test('syncing the clips on two frames shows both frames at clock time 0', () => {
  const side = (origin: number) => ({ folder: 'f', video: 'v', origin, offset: 40, scale: 0.5 })
  expect(syncAtFrames({ sides: [side(1), side(2)] }, [7, 90])).toEqual({
    sides: [
      { ...side(7), offset: 0 },
      { ...side(90), offset: 0 },
    ],
  })
})
