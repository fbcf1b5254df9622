import fc from 'fast-check'
import { expect, test } from 'vitest'
import { layOutCaptions } from '../../src/comparison/caption-layout.ts'
import { layOutPictures, type Rect } from '../../src/comparison/paint-compared-pictures.ts'

const MIN_MARGIN = 140
const box = fc.record({ width: fc.integer({ min: 320, max: 2000 }), height: fc.integer({ min: 240, max: 1200 }) })
const aspect = fc.constantFrom(16 / 9, 4 / 3, 1, 9 / 16)
const mode = fc.constantFrom('side', 'slider', 'ghost')

/** The left and right edges of a caption of the greatest allowed width, in pixels. */
function spanOf(rects: readonly [Rect, Rect], of: 'side' | 'slider' | 'ghost', which: 0 | 1) {
  const { x, align, maxWidth } = layOutCaptions(rects, of, MIN_MARGIN)[which]
  return align === 'left' ? ([x, x + maxWidth] as const) : ([x - maxWidth, x] as const)
}

test('captions of any length stay on the canvas and never overlap', () => {
  fc.assert(
    fc.property(box, fc.tuple(aspect, aspect), mode, (box, aspects, mode) => {
      const rects = layOutPictures(mode, box, aspects)
      const [first, second] = [spanOf(rects, mode, 0), spanOf(rects, mode, 1)]
      for (const [from, to] of [first, second]) {
        expect(from).toBeGreaterThanOrEqual(0)
        expect(to).toBeLessThanOrEqual(box.width)
      }
      const isStacked = mode === 'side' && rects[1].top > rects[0].top + rects[0].height
      if (!isStacked) expect(first[1]).toBeLessThanOrEqual(second[0])
    }),
  )
})

test('captions are placed next to overlaid pictures if there is room', () => {
  const wide = layOutPictures('ghost', { width: 1204, height: 700 }, [9 / 16, 9 / 16])
  const [picture] = wide
  expect(spanOf(wide, 'ghost', 0)[1]).toBeLessThan(picture.left)
  expect(spanOf(wide, 'ghost', 1)[0]).toBeGreaterThan(picture.left + picture.width)
  const narrow = layOutPictures('ghost', { width: 600, height: 700 }, [9 / 16, 9 / 16])
  expect(spanOf(narrow, 'ghost', 0)[0]).toBeGreaterThan(narrow[0].left)
  expect(spanOf(narrow, 'ghost', 1)[1]).toBeLessThan(narrow[0].left + narrow[0].width)
})
