import fc from 'fast-check'
import { expect, test } from 'vitest'
import { roundedAxisEnd, timeAxis } from '../../src/progress/time-axis.ts'

const day = (text: string) => new Date(`${text}T12:00:00`).getTime()
const labels = (...days: string[]) => timeAxis(days.map(day)).ticks.map(t => t.label)

test('the ticks of the time axis are days, weeks, months or years, whichever fit', () => {
  expect(labels('2026-05-03', '2026-05-05')).toEqual(['May 3', 'May 4', 'May 5', 'May 6'])
  expect(labels('2026-01-10', '2026-05-20')).toEqual(['Feb', 'Mar', 'Apr', 'May'])
  expect(labels('2024-02-01', '2026-05-20')).toEqual(['2024', '2025', '2026'])
})

test('times on the same day share one tick with the date', () => {
  const [morning, evening] = [new Date('2026-05-03T09:00:00').getTime(), new Date('2026-05-03T21:00:00').getTime()]
  for (const times of [[morning], [evening, morning]]) {
    const { ticks, place } = timeAxis(times)
    expect(ticks.map(t => [t.label, place(t.at)])).toEqual([['May 3', 0.5]])
  }
})

test('positions on the axis are linear in time and within the axis, for any dates', () => {
  const time = fc.integer({ min: day('2020-01-01'), max: day('2032-01-01') })
  fc.assert(
    fc.property(fc.array(time, { minLength: 1, maxLength: 20 }), fc.integer({ min: 3, max: 6 }), (times, most) => {
      const { place, ticks, from, to } = timeAxis(times, most)
      for (const t of times) expect(place(t) > 0 && place(t) < 1).toBe(true)
      const [a, b] = [times[0]!, times.at(-1)!]
      expect(place((a + b) / 2)).toBeCloseTo((place(a) + place(b)) / 2, 9)
      expect(ticks.length).toBeLessThanOrEqual(most)
      for (const { at } of ticks) {
        expect(at >= from && at <= to).toBe(true)
        if (ticks.length > 1) expect(new Date(at).getHours()).toBe(0)
      }
    }),
  )
})

test('an axis that starts at 0 ends at a round number above the highest value', () => {
  expect([0.4, 7, 10, 151, 480, 501].map(roundedAxisEnd)).toEqual([1, 10, 10, 200, 500, 1000])
})
