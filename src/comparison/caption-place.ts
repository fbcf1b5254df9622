import type { Comparison } from '../../modules/reviews/contract.ts'
import type { Rect } from './picture-layout.ts'

/** Space between a caption and the edges of its picture, in pixels. */
const INSET_PX = 8

/** A caption begins at `x` (`align: 'left'`) or ends there (`align: 'right'`). All lengths in pixels. */
export interface CaptionPlace {
  x: number
  y: number
  align: 'left' | 'right'
  maxWidth: number
}

/**
 * Where a clip's caption goes. Side by side, it is at the top left of its picture. When pictures overlay each other, the first clip's
 * caption is on the left and the second's on the right: beside the pictures if the margin is at least `minMargin` pixels wide, otherwise on
 * top of them. `which`: the first or the second clip.
 */
export function captionPlace(rects: readonly [Rect, Rect], mode: Comparison['mode'], which: 0 | 1, minMargin: number): CaptionPlace {
  const isOverlaid = mode !== 'side'
  const { left, top, width } = isOverlaid && rects[1].width > rects[0].width ? rects[1] : rects[isOverlaid ? 0 : which]
  const y = top + INSET_PX
  if (!isOverlaid) return { x: left + INSET_PX, y, align: 'left', maxWidth: width - 2 * INSET_PX }
  const isSecond = which === 1
  const isBeside = left >= minMargin
  const edge = isSecond ? left + width : left
  const maxWidth = isBeside ? left - 2 * INSET_PX : (width - 3 * INSET_PX) / 2
  return isSecond === isBeside ? { x: edge + INSET_PX, y, align: 'left', maxWidth } : { x: edge - INSET_PX, y, align: 'right', maxWidth }
}
