import type { FrameTable } from '../../modules/media/frames.ts'
import type { Shape } from '../../modules/reviews/contract.ts'

/** A frame of a clip with its drawings. */
export interface RequestedStill {
  video: string
  frame: number
  shapes: readonly Shape[]
  /** Set if the drawings were made on the mirrored frame. */
  mirrored?: true | undefined
}

/**
 * The input of the sandboxed process that renders stills for print: the stills to render, and the file name of each clip in the process's
 * scratch directory.
 */
export interface PrintedStillsInput {
  clips: { video: string; file: string; table: FrameTable }[]
  stills: RequestedStill[]
}

/** The name of the file into which the still with this index is written. */
export const stillFileName = (index: number) => `still-${index}.jpg`
