import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toCanvasPoint, toPicturePoint } from '../../src/drawing/picture-coordinates.ts'
import { clampViewport, fullViewport, nudgeViewport, panViewport, pictureRect, zoomViewport } from '../../src/drawing/viewport.ts'

const box = { width: 900, height: 600 }

test('a picture of any aspect ratio is centered in its box, as large as possible', () => {
  expect(pictureRect(box, 16 / 9, fullViewport)).toEqual({ left: 0, top: 46.875, width: 900, height: 506.25 })
  expect(pictureRect(box, 9 / 16, fullViewport)).toEqual({ left: 281.25, top: 0, width: 337.5, height: 600 })
})

test('zooming keeps the point under the fingers in place and leaves no gap', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.5, max: 2, noNaN: true }),
      fc.double({ min: 1, max: 6, noNaN: true }),
      fc.integer({ min: 0, max: 900 }),
      fc.integer({ min: 0, max: 600 }),
      (aspect, factor, x, y) => {
        const view = zoomViewport(fullViewport, factor, { x, y }, box, aspect)
        const place = pictureRect(box, aspect, view)
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
  const middle = zoomViewport(fullViewport, 3, { x: 500, y: 320 }, box, 1.5)
  const [before, after] = [
    toPicturePoint({ x: 500, y: 320 }, pictureRect(box, 1.5, fullViewport)),
    toPicturePoint({ x: 500, y: 320 }, pictureRect(box, 1.5, middle)),
  ]
  expect(after.x).toBeCloseTo(before.x, 6)
  expect(after.y).toBeCloseTo(before.y, 6)
})

test('dragging moves the picture, but not beyond its edges', () => {
  const near = zoomViewport(fullViewport, 4, { x: 450, y: 300 }, box, 1.5)
  const place = pictureRect(box, 1.5, near)
  const moved = pictureRect(box, 1.5, panViewport(near, { x: 30, y: -20 }, box, 1.5))
  expect([moved.left - place.left, moved.top - place.top].map(Math.round)).toEqual([30, -20])
  expect(panViewport(fullViewport, { x: 50, y: 50 }, box, 1.5)).toEqual(fullViewport)
  expect(clampViewport({ scale: 99, x: 5, y: -5 }, box, 1.5).scale).toBe(8)
})

test('an arrow key moves the picture by a tenth, but not beyond its edges', () => {
  const near = { scale: 2, x: 0.5, y: 0.5 }
  expect(nudgeViewport(near, { x: 1, y: 0 })).toEqual({ scale: 2, x: 0.55, y: 0.5 })
  expect(nudgeViewport(near, { x: 0, y: -1 })).toEqual({ scale: 2, x: 0.5, y: 0.45 })
  let far = near
  for (let i = 0; i < 30; i++) far = nudgeViewport(far, { x: 1, y: -1 })
  expect(far).toEqual({ scale: 2, x: 0.75, y: 0.25 })
  // After those 30 presses, one press in the other direction is enough to move the picture back from its edge.
  expect(nudgeViewport(far, { x: -1, y: 0 }).x).toBeCloseTo(0.7)
  expect(nudgeViewport(fullViewport, { x: 1, y: 1 })).toEqual(fullViewport)
})

test('a point converts to the coordinates of any canvas and back', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 10_000 }),
      fc.integer({ min: 0, max: 10_000 }),
      fc.double({ min: 1, max: 8, noNaN: true }),
      (x, y, scale) => {
        const at = pictureRect(box, 1.7, clampViewport({ scale, x: 0.3, y: 0.8 }, box, 1.7))
        const back = toPicturePoint(toCanvasPoint({ x, y }, at), at)
        expect([back.x, back.y].map(Math.round)).toEqual([x, y])
      },
    ),
  )
})
