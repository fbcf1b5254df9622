import fc from 'fast-check'
import { expect, it } from 'vitest'
import { layOutStills, nearestStill } from '../../src/player/choose-and-paint-filmstrip-stills.ts'

/** A filmstrip of 60 landscape stills, ten per row. */
const strip = { count: 60, columns: 10, width: 160, height: 90 }

it('the strip shows as many stills as fit, from the whole clip', () => {
  // At a height of 45 px each still is 80 px wide.
  expect(layOutStills(strip, 240, 45)).toEqual([
    { column: 0, row: 1, x: 0, width: 80 },
    { column: 0, row: 3, x: 80, width: 80 },
    { column: 0, row: 5, x: 160, width: 80 },
  ])
})

it('every still of the strip is placed above the frames that it represents', () => {
  const any = fc.record({
    count: fc.integer({ min: 1, max: 60 }),
    columns: fc.integer({ min: 1, max: 10 }),
    width: fc.integer({ min: 40, max: 200 }),
    wide: fc.integer({ min: 100, max: 2600 }),
  })
  fc.assert(
    fc.property(any, ({ count, columns, width, wide }) => {
      const shown = layOutStills({ count, columns, width, height: 90 }, wide, 44)
      expect(shown.length).toBeLessThanOrEqual(count)
      expect(shown.reduce((sum, slot) => sum + slot.width, 0)).toBeCloseTo(wide)
      for (const { column, row, x, width: slotWidth } of shown) {
        const still = row * columns + column
        // The middle of the slot lies in the part of the clip that the still shows.
        const middle = ((x + slotWidth / 2) / wide) * count
        expect(middle).toBeGreaterThanOrEqual(still - 1e-9)
        expect(middle).toBeLessThanOrEqual(still + 1 + 1e-9)
      }
    }),
  )
})

it('nearestStill returns the still nearest to a frame, and the frame of that still', () => {
  expect(nearestStill(strip, 0, 600)).toEqual({ column: 0, row: 0, frame: 5 })
  expect(nearestStill(strip, 119, 600)).toEqual({ column: 1, row: 1, frame: 115 })
  expect(nearestStill(strip, 599, 600)).toEqual({ column: 9, row: 5, frame: 595 })
  // A clip with one still for each frame.
  expect(nearestStill({ count: 5, columns: 10 }, 4, 5)).toEqual({ column: 4, row: 0, frame: 4 })
})
