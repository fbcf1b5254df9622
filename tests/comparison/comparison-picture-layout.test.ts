import { expect, test } from 'vitest'
import { layOutPictures, paintComparedPictures } from '../../src/comparison/paint-compared-pictures.ts'
import { clampViewport, fullViewport, pictureRect, type Viewport } from '../../src/drawing/viewport.ts'

const box = { width: 1204, height: 700 }
const aspects = [16 / 9, 9 / 16] as const
const views: Viewport[] = [fullViewport, { scale: 2, x: 0.5, y: 0.5 }, { scale: 8, x: 0, y: 1 }]

/** Paints a comparison. Returns the rectangles into which the pictures are painted, and those to which they are clipped. */
function recordPainting(mode: 'side' | 'slider' | 'ghost', view: Viewport) {
  const rects = layOutPictures(mode, box, aspects)
  const at: number[][] = []
  const cuts: number[][] = []
  const ctx = {
    canvas: box,
    save() {},
    restore() {},
    beginPath() {},
    clip() {},
    clearRect() {},
    rect: (...cut: number[]) => cuts.push(cut),
    drawImage: (_: unknown, ...place: number[]) => at.push(place),
  }
  paintComparedPictures(ctx as never, mode, [{}, {}] as never, rects, { view, layers: [{ image: {} as never, opacity: 0.5 }] })
  return { rects, at, cuts }
}

test('in every layout and zoom, a picture is painted exactly underneath its drawings', () => {
  for (const mode of ['side', 'slider', 'ghost'] as const)
    for (const view of views) {
      const { rects, at, cuts } = recordPainting(mode, view)
      for (const [i, { left, top, width, height }] of rects.entries()) {
        // `pictureRect` also places the drawing layer over the picture, so the picture must be painted into the same rectangle.
        const place = pictureRect({ width, height }, aspects[i]!, clampViewport(view, { width, height }, aspects[i]!))
        for (const [k, n] of [left + place.left, top + place.top, place.width, place.height].entries()) expect(at[i]![k]).toBeCloseTo(n, 6)
        expect(cuts).toContainEqual([left, top, width, height])
      }
    }
})

test('mirroring flips a picture in place and leaves the other picture unchanged', () => {
  const rects = layOutPictures('side', box, aspects)
  const painted: { flip: number; from: number; to: number }[] = []
  let [shift, flip] = [0, 1]
  const ctx = {
    canvas: box,
    beginPath() {},
    rect() {},
    clip() {},
    clearRect() {},
    save() {},
    restore: () => {
      ;[shift, flip] = [0, 1]
    },
    translate: (x: number) => {
      shift = x
    },
    scale: (x: number) => {
      flip = x
    },
    drawImage: (_: unknown, left: number, _top: number, width: number) =>
      painted.push({ flip, from: shift + flip * left, to: shift + flip * (left + width) }),
  }
  paintComparedPictures(ctx as never, 'side', [{}, {}] as never, rects, { mirrored: [true, false] })
  const [a, b] = rects
  expect(painted.map(p => p.flip)).toEqual([-1, 1])
  expect(painted[0]!.from).toBeCloseTo(a.left + a.width, 6)
  expect(painted[0]!.to).toBeCloseTo(a.left, 6)
  expect(painted[1]!.from).toBeCloseTo(b.left, 6)
})

test('two pictures are overlaid, or else side by side or stacked, as fits better', () => {
  const wide = 16 / 9
  const desk = layOutPictures('side', { width: 1204, height: 400 }, [wide, wide])
  expect(desk.map(r => [Math.round(r.left), Math.round(r.width)])).toEqual([
    [0, 600],
    [604, 600],
  ])
  const [above, below] = layOutPictures('side', { width: 390, height: 440 }, [wide, wide])
  expect([below.left, below.width, below.top > above.top + above.height]).toEqual([above.left, above.width, true])
  const upright = layOutPictures('side', { width: 390, height: 440 }, [9 / 16, 9 / 16])
  expect(upright[1].top).toBe(upright[0].top)
  const [a, b] = layOutPictures('slider', { width: 400, height: 400 }, [wide, wide])
  expect(a).toEqual(b)
})

test('two pictures that do not fill the box stay adjacent and are centered together', () => {
  const gap = 4
  const [left, right] = layOutPictures('side', { width: 844, height: 286 }, [9 / 16, 3 / 4])
  expect(right.left - (left.left + left.width)).toBeCloseTo(gap, 6)
  expect(left.left).toBeCloseTo(844 - (right.left + right.width), 6)
  const [above, below] = layOutPictures('side', { width: 390, height: 844 }, [16 / 9, 4 / 3])
  expect(below.top - (above.top + above.height)).toBeCloseTo(gap, 6)
  expect(above.top).toBeCloseTo(844 - (below.top + below.height), 6)
})
