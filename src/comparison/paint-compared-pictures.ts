import type { Comparison } from '../../modules/reviews/contract.ts'
import { clampViewport, fullViewport, pictureRect, type Viewport } from '../drawing/viewport.ts'
import type { OnionSkinLayer } from './onion-skin-layers.ts'

/** A rectangle on the canvas, in pixels of the canvas unless stated otherwise. */
export interface Rect {
  left: number
  top: number
  width: number
  height: number
}
interface Box {
  width: number
  height: number
}
type Pair<T> = readonly [T, T]

/** Space between two pictures that are side by side or stacked, in pixels of the canvas. */
const GAP_PX = 4

const fitInside = ({ left, top, width, height }: Rect, aspect: number, view = fullViewport): Rect => {
  const place = pictureRect({ width, height }, aspect, clampViewport(view, { width, height }, aspect))
  return { ...place, left: left + place.left, top: top + place.top }
}

const fitBothInside = (box: Box, [a, b]: Pair<number>): Pair<Rect> => [
  fitInside({ left: 0, top: 0, ...box }, a),
  fitInside({ left: 0, top: 0, ...box }, b),
]

const halfOf = (length: number) => Math.max(0, (length - GAP_PX) / 2)

/** Fits each picture into half of the box and centers the pair, so that only a narrow gap separates the pictures. */
function placeSideBySide({ width, height }: Box, aspects: Pair<number>): Pair<Rect> {
  const [a, b] = fitBothInside({ width: halfOf(width), height }, aspects)
  const left = (width - a.width - GAP_PX - b.width) / 2
  return [
    { ...a, left },
    { ...b, left: left + a.width + GAP_PX },
  ]
}

/** Like `placeSideBySide`, but with the first picture above the second. */
function placeStacked({ width, height }: Box, aspects: Pair<number>): Pair<Rect> {
  const [a, b] = fitBothInside({ width, height: halfOf(height) }, aspects)
  const top = (height - a.height - GAP_PX - b.height) / 2
  return [
    { ...a, top },
    { ...b, top: top + a.height + GAP_PX },
  ]
}

/**
 * Lays out the two pictures. In mode 'side', they are side by side or stacked, whichever makes the smaller one larger; in the other modes,
 * one lies over the other.
 */
export function layOutPictures(mode: Comparison['mode'], box: Box, aspects: Pair<number>): Pair<Rect> {
  if (mode !== 'side') return fitBothInside(box, aspects)
  const [sideBySide, stacked] = [placeSideBySide(box, aspects), placeStacked(box, aspects)]
  const area = (rects: Pair<Rect>) => Math.min(...rects.map(r => r.width * r.height))
  return area(sideBySide) >= area(stacked) ? sideBySide : stacked
}

/**
 * Paints the part of both pictures that `view` shows. `divider`: the position of the slider's divider, 0 to 1. `layers`: the pictures that
 * an onion skin paints over the first picture, in the second one's rectangle. `mirrored`: which pictures are mirrored in place.
 */
export function paintComparedPictures(
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
