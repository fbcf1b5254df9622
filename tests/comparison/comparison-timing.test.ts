import fc from 'fast-check'
import { expect, test } from 'vitest'
import { timeline } from '../../modules/media/frames.ts'
import { comparisonTiming, realTimeTimeline, syncAtFrames, type TimedClip } from '../../src/comparison/comparison-timing.ts'

const table = fc
  .record({
    scale: fc.constantFrom(600, 1000, 30_000, 90_000),
    first: fc.integer({ min: 0, max: 3000 }),
    runs: fc.array(fc.tuple(fc.integer({ min: 1, max: 120 }), fc.integer({ min: 3, max: 4000 })), { minLength: 1, maxLength: 6 }),
  })
  .map(t => timeline({ version: 1, ...t }))
const lane = fc
  .record({
    times: table,
    origin: fc.integer({ min: 0, max: 700 }),
    offset: fc.integer({ min: -3000, max: 3000 }),
    scale: fc.double({ min: 0.05, max: 20, noNaN: true }),
  })
  .map(l => ({ ...l, origin: l.times.clamp(l.origin) }))
const lanes = fc.tuple(lane, lane)

/** Times of browsers and of frame tables agree to 20 µs of a clip, here in ms. */
const SLACK = 0.02

test('with any tables, offsets and rates the clips are at most a slower frame apart', () => {
  fc.assert(
    fc.property(lanes, fc.boolean(), fc.double({ min: 0, max: 1, noNaN: true }), (pair, stretch, part) => {
      const way = comparisonTiming(pair, stretch)
      const at = way.from + part * (way.to - way.from)
      const frames = way.frames(at)
      const behind = pair.map(({ times }, i) => {
        const f = frames[i]!
        const slack = SLACK / way.speed(i, at) + 1e-6 * Math.abs(way.to - way.from)
        const [begins, ends] = [way.when(i, f), f + 1 < times.frames ? way.when(i, f + 1) : Number.POSITIVE_INFINITY]
        // A clip does not move before its first and after its last picture.
        if (f > 0) expect(begins).toBeLessThanOrEqual(at + slack)
        expect(ends).toBeGreaterThanOrEqual(at - slack)
        return f > 0 && f + 1 < times.frames ? { off: at - begins, slack } : undefined
      })
      const [a, b] = behind
      if (a && b) expect(Math.abs(a.off - b.off)).toBeLessThanOrEqual(way.slower(frames) + a.slack + b.slack)
    }),
    { numRuns: 500 },
  )
})

test('each clip shows its origin frame at its offset', () => {
  fc.assert(
    fc.property(lanes, fc.boolean(), (pair, stretch) => {
      const way = comparisonTiming(pair, stretch)
      pair.forEach(({ origin, offset }, i) => {
        expect(way.frame(i, offset)).toBe(origin)
        expect(way.when(i, origin)).toBeCloseTo(offset, 6)
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
    times: timeline({ version: 1, scale: rate * 100, first: 0, runs: [[frames, 100]] }),
  }))

test('stepping from end to end and back shows every frame of both in order', () => {
  fc.assert(
    fc.property(fc.tuple(filmed, filmed), pair => {
      const way = comparisonTiming(pair, false)
      for (const by of [1, -1] as const) {
        const seen = [new Set<number>(), new Set<number>()]
        for (let at = by > 0 ? way.from : way.to, next = at; ; at = next) {
          for (const [w, f] of way.frames(at).entries()) seen[w]!.add(f)
          next = way.step(at, by)
          if (next === at) break
          expect(Math.sign(next - at)).toBe(by)
        }
        // Changes that lie too near to tell apart are one step.
        for (const [w, { times }] of pair.entries()) expect(times.frames - seen[w]!.size).toBeLessThanOrEqual(times.frames / 20 + 1)
      }
    }),
    { numRuns: 100 },
  )
})

const steady = (rate: number, frames: number) => timeline({ version: 1, scale: rate, first: 0, runs: [[frames, 1]] })

test('stretched clips begin, meet and end together', () => {
  const [short, long] = [steady(30, 60), steady(240, 960)]
  const sides: [TimedClip, TimedClip] = [
    { times: short, origin: 30, offset: 0, scale: 1 },
    { times: long, origin: 240, offset: 0, scale: 1 },
  ]
  const free = comparisonTiming(sides, false)
  expect([free.from, free.to]).toEqual([-1000, 3000])
  const way = comparisonTiming(sides, true)
  expect([way.from, way.to]).toEqual([-1000, 1000])
  expect([way.frames(-1000), way.frames(0), way.frames(999.9)]).toEqual([
    [0, 0],
    [30, 240],
    [59, 959],
  ])
  // One second before the origin, three after it.
  expect([way.speed(1, -1), way.speed(1, 1)]).toEqual([1, 3])
  expect(way.speed(0, 1)).toBe(1)
})

test('slow motion saved at 30 frames a second is compared in real milliseconds', () => {
  // Filmed at 240 frames a second, saved to play at 30.
  const times = realTimeTimeline(steady(30, 480), 240)
  const sides: [TimedClip, TimedClip] = [
    { times: steady(30, 60), origin: 15, offset: 0, scale: 1 },
    { times, origin: 120, offset: 0, scale: 1 },
  ]
  const way = comparisonTiming(sides, false)
  expect(way.frames(100)).toEqual([18, 144])
  expect(way.when(1, 121)).toBeCloseTo(1000 / 240, 6)
  expect(realTimeTimeline(steady(30, 60), undefined).end(59)).toBe(2)
})

test('syncing on the shown frames puts both at 0 of the clock', () => {
  const side = (origin: number) => ({ folder: 'f', video: 'v', origin, offset: 40, scale: 0.5 })
  expect(syncAtFrames({ sides: [side(1), side(2)] }, [7, 90])).toEqual({
    sides: [
      { ...side(7), offset: 0 },
      { ...side(90), offset: 0 },
    ],
  })
})
