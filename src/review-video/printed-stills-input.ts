import type { FrameTable } from '../../modules/media/frames.ts'
import type { Shape } from '../../modules/reviews/contract.ts'

/** A frame of a clip with its drawings. */
export interface RequestedStill {
  video: string
  frame: number
  shapes: readonly Shape[]
  /** Set if the drawings were made on the mirrored picture. */
  mirrored?: true | undefined
}

/** The input of the process that renders pictures for print: the frames, and the names of the clips' files in the directory. */
export interface PrintedStillsInput {
  clips: { video: string; file: string; table: FrameTable }[]
  stills: RequestedStill[]
}

/** The name of the file into which the still with this index is written. */
export const stillFileName = (index: number) => `still-${index}.jpg`
