import type { Comparison } from '../../modules/reviews/contract.ts'
import { clampViewport, fullViewport, pictureRect, type Viewport } from '../drawing/viewport.ts'
import type { OnionSkinLayer } from './onion-skin.ts'

export interface Rect {
  left: number
  top: number
  width: number
  height: number
}
type Pair<T> = readonly [T, T]

/** Space between two pictures side by side. */
const GAP_PX = 4

const fitInside = ({ left, top, width, height }: Rect, aspect: number, view = fullViewport): Rect => {
  const place = pictureRect({ width, height }, aspect, clampViewport(view, { width, height }, aspect))
  return { ...place, left: left + place.left, top: top + place.top }
}

/** Moves two pictures side by side, or stacked, next to each other in the middle of the box, so that the eye need not cross empty space. */
function bringTogether([a, b]: Pair<Rect>, box: { width: number; height: number }, isStacked: boolean): [Rect, Rect] {
  if (isStacked) {
    const top = (box.height - a.height - GAP_PX - b.height) / 2
    return [
      { ...a, top },
      { ...b, top: top + a.height + GAP_PX },
    ]
  }
  const left = (box.width - a.width - GAP_PX - b.width) / 2
  return [
    { ...a, left },
    { ...b, left: left + a.width + GAP_PX },
  ]
}

/** Lays out the two pictures: overlaid, or side by side or stacked, whichever makes them larger. */
export function layOutPictures(mode: Comparison['mode'], box: { width: number; height: number }, aspects: Pair<number>): [Rect, Rect] {
  const all = { left: 0, top: 0, ...box }
  if (mode !== 'side') return [fitInside(all, aspects[0]), fitInside(all, aspects[1])]
  const [w, h] = [Math.max(0, (box.width - GAP_PX) / 2), Math.max(0, (box.height - GAP_PX) / 2)]
  const layouts: [Rect, Rect][] = [
    [
      { left: 0, top: 0, width: w, height: box.height },
      { left: w + GAP_PX, top: 0, width: w, height: box.height },
    ],
    [
      { left: 0, top: 0, width: box.width, height: h },
      { left: 0, top: h + GAP_PX, width: box.width, height: h },
    ],
  ]
  const [sideBySide, stacked] = layouts.map(rects => rects.map((rect, i) => fitInside(rect, aspects[i]!)) as [Rect, Rect])
  const area = (rects: [Rect, Rect]) => Math.min(...rects.map(r => r.width * r.height))
  const isStacked = area(stacked!) > area(sideBySide!)
  return bringTogether(isStacked ? stacked! : sideBySide!, box, isStacked)
}

/**
 * Paints the part of both pictures that `view` shows. `divider`: the position of the slider's divider, 0 to 1. `layers`: what an onion skin
 * shows over the first picture, where the second one lies. `mirrored`: which pictures are mirrored in place.
 */
export function paintPictures(
  ctx: CanvasRenderingContext2D,
  mode: Comparison['mode'],
  images: Pair<CanvasImageSource>,
  rects: Pair<Rect>,
  {
    divider = 0.5,
    layers = [],
    view = fullViewport,
    mirrored = [false, false],
  }: { divider?: number; layers?: readonly OnionSkinLayer[]; view?: Viewport; mirrored?: Pair<boolean> },
) {
  const { width, height } = ctx.canvas
  ctx.save()
  ctx.clearRect(0, 0, width, height)
  const draw = (which: 0 | 1, image: CanvasImageSource) => {
    const cell = rects[which]
    const { left, top, width, height } = fitInside(cell, cell.width / cell.height, view)
    ctx.save()
    ctx.beginPath()
    ctx.rect(cell.left, cell.top, cell.width, cell.height)
    ctx.clip()
    if (mirrored[which]) {
      ctx.translate(2 * left + width, 0)
      ctx.scale(-1, 1)
    }
    ctx.drawImage(image, left, top, width, height)
    ctx.restore()
  }
  draw(0, images[0])
  if (mode === 'ghost') {
    for (const { image, opacity } of layers) {
      ctx.globalAlpha = opacity
      draw(1, image)
    }
    ctx.restore()
    return
  }
  if (mode === 'slider') {
    const { left, width } = rects[0]
    ctx.beginPath()
    ctx.rect(left + divider * width, 0, ctx.canvas.width, ctx.canvas.height)
    ctx.clip()
    ctx.clearRect(0, 0, ctx.canvas.width, ctx.canvas.height)
  }
  draw(1, images[1])
  ctx.restore()
}
