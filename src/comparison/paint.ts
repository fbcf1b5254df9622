import type { Comparison } from '../../modules/reviews/contract.ts'
import { held, placeOf, type View, whole } from '../drawing/view.ts'

export interface Rect {
  left: number
  top: number
  width: number
  height: number
}
type Pair<T> = readonly [T, T]

/** Between two pictures beside each other, pixels. */
const GAP = 4

const within = ({ left, top, width, height }: Rect, aspect: number, view = whole): Rect => {
  const place = placeOf({ width, height }, aspect, held(view, { width, height }, aspect))
  return { ...place, left: left + place.left, top: top + place.top }
}

/** Where the two pictures lie: over each other, or beside or under each other, whichever shows them larger. */
export function layoutOf(mode: Comparison['mode'], box: { width: number; height: number }, aspects: Pair<number>): [Rect, Rect] {
  const all = { left: 0, top: 0, ...box }
  if (mode !== 'side') return [within(all, aspects[0]), within(all, aspects[1])]
  const [w, h] = [Math.max(0, (box.width - GAP) / 2), Math.max(0, (box.height - GAP) / 2)]
  const ways: [Rect, Rect][] = [
    [
      { left: 0, top: 0, width: w, height: box.height },
      { left: w + GAP, top: 0, width: w, height: box.height },
    ],
    [
      { left: 0, top: 0, width: box.width, height: h },
      { left: 0, top: h + GAP, width: box.width, height: h },
    ],
  ]
  const [beside, under] = ways.map(rects => rects.map((rect, i) => within(rect, aspects[i]!)) as [Rect, Rect])
  const area = (rects: [Rect, Rect]) => Math.min(...rects.map(r => r.width * r.height))
  return area(beside!) >= area(under!) ? beside! : under!
}

/** Paints both pictures, as much of them as `view` shows. `part`: how much of the first the divider shows, or how strong the ghost is, 0 to 1. */
export function paint(
  ctx: CanvasRenderingContext2D,
  mode: Comparison['mode'],
  images: Pair<CanvasImageSource>,
  rects: Pair<Rect>,
  part: number,
  view: View = whole,
) {
  const { width, height } = ctx.canvas
  ctx.save()
  ctx.clearRect(0, 0, width, height)
  const draw = (which: 0 | 1) => {
    const cell = rects[which]
    const { left, top, width, height } = within(cell, cell.width / cell.height, view)
    ctx.save()
    ctx.beginPath()
    ctx.rect(cell.left, cell.top, cell.width, cell.height)
    ctx.clip()
    ctx.drawImage(images[which], left, top, width, height)
    ctx.restore()
  }
  draw(0)
  if (mode === 'slider') {
    const { left, width } = rects[0]
    ctx.beginPath()
    ctx.rect(left + part * width, 0, ctx.canvas.width, ctx.canvas.height)
    ctx.clip()
    ctx.clearRect(0, 0, ctx.canvas.width, ctx.canvas.height)
  } else if (mode === 'ghost') ctx.globalAlpha = part
  draw(1)
  ctx.restore()
}
