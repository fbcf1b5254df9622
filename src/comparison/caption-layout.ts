import type { Comparison } from '../../modules/reviews/contract.ts'
import type { Rect } from './paint-compared-pictures.ts'

/** Space between a caption and the edges of its picture, in pixels. */
const INSET_PX = 8

/** A caption begins at `x` (`align: 'left'`) or ends there (`align: 'right'`). All lengths in pixels. */
export interface CaptionLayout {
  x: number
  y: number
  align: 'left' | 'right'
  maxWidth: number
}

/**
 * Where the captions of two compared clips go. Side by side, each is at the top left of its picture. When pictures overlay each other, the
 * first clip's caption is on the left and the second's on the right: next to the pictures if the margin is at least `minMargin` pixels
 * wide, otherwise on top of them.
 */
export function layOutCaptions(
  rects: readonly [Rect, Rect],
  mode: Comparison['mode'],
  minMargin: number,
): readonly [CaptionLayout, CaptionLayout] {
  if (mode === 'side') {
    const inside = ({ left, top, width }: Rect): CaptionLayout => ({
      x: left + INSET_PX,
      y: top + INSET_PX,
      align: 'left',
      maxWidth: width - 2 * INSET_PX,
    })
    return [inside(rects[0]), inside(rects[1])]
  }
  const { left, top, width } = rects[1].width > rects[0].width ? rects[1] : rects[0]
  const isBeside = left >= minMargin
  const shared = { y: top + INSET_PX, maxWidth: isBeside ? left - 2 * INSET_PX : (width - 3 * INSET_PX) / 2 }
  const startAt = (edge: number): CaptionLayout => ({ ...shared, x: edge + INSET_PX, align: 'left' })
  const endAt = (edge: number): CaptionLayout => ({ ...shared, x: edge - INSET_PX, align: 'right' })
  return isBeside ? [endAt(left), startAt(left + width)] : [startAt(left), endAt(left + width)]
}
