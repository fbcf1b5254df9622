import fc from 'fast-check'
import { expect, test } from 'vitest'
import { onCanvas, onPicture } from '../../src/drawing/paint.ts'
import { held, nudged, panned, placeOf, whole, zoomed } from '../../src/drawing/view.ts'

const box = { width: 900, height: 600 }

test('the whole picture fits in the middle, wide or tall', () => {
  expect(placeOf(box, 16 / 9, whole)).toEqual({ left: 0, top: 46.875, width: 900, height: 506.25 })
  expect(placeOf(box, 9 / 16, whole)).toEqual({ left: 281.25, top: 0, width: 337.5, height: 600 })
})

test('what lies under the fingers stays there while it grows, and nothing empty shows at an edge', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.5, max: 2, noNaN: true }),
      fc.double({ min: 1, max: 6, noNaN: true }),
      fc.integer({ min: 0, max: 900 }),
      fc.integer({ min: 0, max: 600 }),
      (aspect, factor, x, y) => {
        const view = zoomed(whole, factor, { x, y }, box, aspect)
        const place = placeOf(box, aspect, view)
        for (const [start, length, shown] of [
          [place.left, place.width, 900],
          [place.top, place.height, 600],
        ] as const) {
          if (length <= shown) expect(start + length / 2).toBeCloseTo(shown / 2, 6)
          else {
            expect(start).toBeLessThanOrEqual(1e-6)
            expect(start + length).toBeGreaterThanOrEqual(shown - 1e-6)
          }
        }
      },
    ),
  )
  const middle = zoomed(whole, 3, { x: 500, y: 320 }, box, 1.5)
  const [before, after] = [
    onPicture({ x: 500, y: 320 }, placeOf(box, 1.5, whole)),
    onPicture({ x: 500, y: 320 }, placeOf(box, 1.5, middle)),
  ]
  expect(after.x).toBeCloseTo(before.x, 6)
  expect(after.y).toBeCloseTo(before.y, 6)
})

test('a hand moves the picture with it, as far as it goes', () => {
  const near = zoomed(whole, 4, { x: 450, y: 300 }, box, 1.5)
  const place = placeOf(box, 1.5, near)
  const moved = placeOf(box, 1.5, panned(near, { x: 30, y: -20 }, box, 1.5))
  expect([moved.left - place.left, moved.top - place.top].map(Math.round)).toEqual([30, -20])
  expect(panned(whole, { x: 50, y: 50 }, box, 1.5)).toEqual(whole)
  expect(held({ scale: 99, x: 5, y: -5 }, box, 1.5).scale).toBe(8)
})

test('a key moves the picture by a tenth of what is seen, as far as it goes', () => {
  const near = { scale: 2, x: 0.5, y: 0.5 }
  expect(nudged(near, { x: 1, y: 0 })).toEqual({ scale: 2, x: 0.55, y: 0.5 })
  expect(nudged(near, { x: 0, y: -1 })).toEqual({ scale: 2, x: 0.5, y: 0.45 })
  let far = near
  for (let i = 0; i < 30; i++) far = nudged(far, { x: 1, y: -1 })
  expect(far).toEqual({ scale: 2, x: 0.75, y: 0.25 })
  // From the edge one press leads back.
  expect(nudged(far, { x: -1, y: 0 }).x).toBeCloseTo(0.7)
  expect(nudged(whole, { x: 1, y: 1 })).toEqual(whole)
})

test('a place on the picture is the same place on any canvas', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 10_000 }),
      fc.integer({ min: 0, max: 10_000 }),
      fc.double({ min: 1, max: 8, noNaN: true }),
      (x, y, scale) => {
        const at = placeOf(box, 1.7, held({ scale, x: 0.3, y: 0.8 }, box, 1.7))
        const back = onPicture(onCanvas({ x, y }, at), at)
        expect([back.x, back.y].map(Math.round)).toEqual([x, y])
      },
    ),
  )
})
