import { atom } from 'nanostores'
import type { DrawingTool } from '../../modules/reviews/contract.ts'
import { REFERENCE_LENGTHS_INCHES } from './measurements.ts'

/**
 * The tools that create shapes, and four more: `plumb` draws a vertical line through the whole picture, `select` moves and reshapes shapes,
 * `follow` does the same but adds a keyframe at each frame at which it moves a shape, and `laser` points without leaving a shape.
 */
export type ToolbarTool = DrawingTool | 'plumb' | 'select' | 'follow' | 'laser'
/** Whether a tool selects and moves shapes instead of drawing them. */
export const isSelectionTool = (instrument: ToolbarTool | null) => instrument === 'select' || instrument === 'follow'

export const STROKE_WIDTHS = [25, 45, 90] as const

/** Creates stores for the selected tool, color and width, which both pictures of a comparison share. `$selected` is a shape's id. */
export const createCurrentTool = () => ({
  $instrument: atom<ToolbarTool | null>(null),
  $color: atom(0),
  $width: atom<number>(STROKE_WIDTHS[1]),
  $selected: atom<string | undefined>(undefined),
  /** The known length, in inches, that other lengths are measured against. */
  $inches: atom<number>(REFERENCE_LENGTHS_INCHES[0][0]),
})
