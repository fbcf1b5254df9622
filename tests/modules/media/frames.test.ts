import fc from 'fast-check'
import { expect, it } from 'vitest'
import { buildFrameTable, type FrameTable, frameCount, frameTimeline } from '../../../modules/media/frames.ts'

const table = (scale: number, first: number, ...runs: FrameTable['runs']): FrameTable => ({ version: 1, scale, first, runs })

/** Clips as cameras and converters make them: any clock, a late start, frames of many lengths, none shorter than a millisecond. */
const clips = fc
  .record({
    scale: fc.constantFrom(600, 1000, 12_800, 15_360, 24_000, 30_000, 90_000, 1_000_000),
    late: fc.integer({ min: 0, max: 2000 }),
    lengths: fc.array(fc.integer({ min: 2, max: 400 }), { minLength: 1, maxLength: 60 }),
  })
  .map(({ scale, late, lengths }) => {
    const ticks = lengths.map(ms => Math.max(1, Math.round((ms * scale) / 1000)))
    const starts = [Math.round((late * scale) / 1000)]
    for (const t of ticks) starts.push(starts.at(-1)! + t)
    const end = starts.pop()!
    return { scale, starts, end }
  })

it('a constant frame rate is stored as one run', () => {
  const starts = Array.from({ length: 90 }, (_, i) => i * 1001)
  expect(buildFrameTable(30_000, starts, 90 * 1001)).toEqual(table(30_000, 0, [90, 1001]))
})

it('every frame converts to its time and back', () => {
  fc.assert(
    fc.property(clips, ({ scale, starts, end }) => {
      const made = buildFrameTable(scale, starts, end)!
      const times = frameTimeline(made)
      expect(frameCount(made)).toBe(starts.length)
      expect([times.frames, times.seconds]).toEqual([starts.length, (end - starts[0]!) / scale])
      for (const [frame, start] of starts.entries()) {
        expect(times.start(frame)).toBe(start / scale)
        expect(times.end(frame)).toBe((starts[frame + 1] ?? end) / scale)
        expect(times.at(times.middle(frame))).toBe(frame)
        expect(times.at(times.start(frame))).toBe(frame)
        expect(times.within(frame, times.middle(frame))).toBe(true)
        expect(times.within(frame + 1, times.middle(frame))).toBe(false)
      }
    }),
  )
})

it('a frame is found by its start time, truncated to microseconds by a browser', () => {
  fc.assert(
    fc.property(clips, ({ scale, starts, end }) => {
      const times = frameTimeline(buildFrameTable(scale, starts, end)!)
      for (const [frame, start] of starts.entries()) {
        const reported = Math.floor((start / scale) * 1e6) / 1e6
        expect(times.at(reported)).toBe(frame)
        expect([frame - 1, frame, frame + 1].map(f => f >= 0 && times.within(f, reported))).toEqual([false, true, false])
      }
    }),
  )
})

it('a note that has only rounded milliseconds gets its frame', () => {
  fc.assert(
    fc.property(clips, ({ scale, starts, end }) => {
      const times = frameTimeline(buildFrameTable(scale, starts, end)!)
      for (const [frame, start] of starts.entries()) {
        expect(times.noted(Math.round((start * 1000) / scale))).toBe(frame)
        expect(times.noted(times.milliseconds(frame))).toBe(frame)
      }
    }),
  )
})

it('a note whose time lies in the middle of a frame gets that frame', () => {
  const times = frameTimeline(table(30, 0, [60, 1]))
  expect([0, 16, 32, 33, 34, 50, 66, 67].map(times.noted)).toEqual([0, 0, 0, 1, 1, 1, 1, 2])
})

it('a time outside the video gets the first or the last frame', () => {
  const times = frameTimeline(table(600, 300, [3, 20], [2, 10]))
  expect([-1, 0, 0.499].map(times.at)).toEqual([0, 0, 0])
  expect([0.7, 60].map(times.at)).toEqual([4, 4])
  expect([-3, 99].map(times.start)).toEqual([0.5, 370 / 600])
  expect([times.clamp(-5), times.clamp(5)]).toEqual([0, 4])
})

it('of several frames with the same time, only the last one counts', () => {
  expect(buildFrameTable(30, [0, 1, 1, 2, 3, 3, 3], 4)).toEqual(table(30, 0, [4, 1]))
  expect(buildFrameTable(30, [0, 1, 2], 2)).toEqual(table(30, 0, [2, 1]))
})

it('frames hidden by an edit list are omitted, but a half-hidden first frame is kept', () => {
  expect(buildFrameTable(600, [-60, -40, -20, 0, 20], 40)).toEqual(table(600, 0, [2, 20]))
  expect(buildFrameTable(600, [-50, -30, -10, 10, 30], 50)).toEqual(table(600, 0, [1, 10], [2, 20]))
})

it('there is no frame table if no frame is visible', () => {
  expect(buildFrameTable(600, [], 0)).toBeNull()
  expect(buildFrameTable(600, [0, 0], 0)).toBeNull()
  expect(buildFrameTable(600, [-40, -20], 0)).toBeNull()
})

it('60,000 frames of different lengths convert to their times and back', () => {
  const runs = Array.from({ length: 30_000 }, (_, i): [number, number] => [1, 100 + (i % 7)])
  const times = frameTimeline(table(90_000, 0, ...runs, [30_000, 375]))
  expect(times.frames).toBe(60_000)
  for (let frame = 0; frame < 60_000; frame += 997) expect(times.at(times.middle(frame))).toBe(frame)
})
