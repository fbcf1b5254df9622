import fc from 'fast-check'
import { expect, it } from 'vitest'
import { slots, stillOf } from '../../src/player/strip.ts'

/** Sixty stills of a lying picture, ten in a row. */
const strip = { count: 60, columns: 10, width: 160, height: 90 }

it('shows as many stills as fit, from the whole clip', () => {
  // 45 px high each is 80 px wide.
  expect(slots(strip, 240, 45)).toEqual([
    { column: 0, row: 1, x: 0, width: 80 },
    { column: 0, row: 3, x: 80, width: 80 },
    { column: 0, row: 5, x: 160, width: 80 },
  ])
})

it('stands every still over the frames that it is of', () => {
  const any = fc.record({
    count: fc.integer({ min: 1, max: 60 }),
    columns: fc.integer({ min: 1, max: 10 }),
    width: fc.integer({ min: 40, max: 200 }),
    wide: fc.integer({ min: 100, max: 2600 }),
  })
  fc.assert(
    fc.property(any, ({ count, columns, width, wide }) => {
      const shown = slots({ count, columns, width, height: 90 }, wide, 44)
      expect(shown.length).toBeLessThanOrEqual(count)
      expect(shown.reduce((sum, slot) => sum + slot.width, 0)).toBeCloseTo(wide)
      for (const { column, row, x, width: its } of shown) {
        const still = row * columns + column
        // The middle of the slot lies in the part of the clip that the still stands for.
        const middle = ((x + its / 2) / wide) * count
        expect(middle).toBeGreaterThanOrEqual(still - 1e-9)
        expect(middle).toBeLessThanOrEqual(still + 1 + 1e-9)
      }
    }),
  )
})

it('knows the still that a frame lies under, and which frame that shows', () => {
  expect(stillOf(strip, 0, 600)).toEqual({ column: 0, row: 0, frame: 5 })
  expect(stillOf(strip, 119, 600)).toEqual({ column: 1, row: 1, frame: 115 })
  expect(stillOf(strip, 599, 600)).toEqual({ column: 9, row: 5, frame: 595 })
  // Fewer frames than stills: none is beyond the last.
  expect(stillOf({ count: 5, columns: 10 }, 4, 5)).toEqual({ column: 4, row: 0, frame: 4 })
})
