import { expect, it } from 'vitest'
import { layoutOf, paint } from '../../src/comparison/paint.ts'
import { held, placeOf, type View, whole } from '../../src/drawing/view.ts'

const box = { width: 1204, height: 700 }
const aspects = [16 / 9, 9 / 16] as const
const views: View[] = [whole, { scale: 2, x: 0.5, y: 0.5 }, { scale: 8, x: 0, y: 1 }]

/** Where each picture is painted, and what it is cut to. */
function painted(mode: 'side' | 'slider' | 'ghost', view: View) {
  const rects = layoutOf(mode, box, aspects)
  const at: number[][] = []
  const cuts: number[][] = []
  const ctx = {
    ...{ canvas: box, save() {}, restore() {}, beginPath() {}, clip() {}, clearRect() {} },
    rect: (...cut: number[]) => cuts.push(cut),
    drawImage: (_: unknown, ...place: number[]) => at.push(place),
  }
  paint(ctx as never, mode, [{}, {}] as never, rects, 0.5, view)
  return { rects, at, cuts }
}

it('a picture lies where drawings on it lie, at every zoom and in every layout, and never over the other', () => {
  for (const mode of ['side', 'slider', 'ghost'] as const)
    for (const view of views) {
      const { rects, at, cuts } = painted(mode, view)
      for (const [i, { left, top, width, height }] of rects.entries()) {
        // As the easel over it reckons.
        const place = placeOf({ width, height }, aspects[i]!, held(view, { width, height }, aspects[i]!))
        for (const [k, n] of [left + place.left, top + place.top, place.width, place.height].entries()) expect(at[i]![k]).toBeCloseTo(n, 6)
        expect(cuts).toContainEqual([left, top, width, height])
      }
    }
})
