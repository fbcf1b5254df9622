import type { FrameTable } from '../../modules/media/frames.ts'
import type { Shape } from '../../modules/reviews/contract.ts'

/** A frame of a clip with the drawings on it. */
export interface Still {
  video: string
  frame: number
  shapes: readonly Shape[]
  /** The drawings were made on the picture as in a mirror. */
  mirrored?: true | undefined
}

/** What the process that makes pictures for print gets: the frames, and the names of the clips' files in the directory. */
export interface StillsJob {
  clips: { video: string; file: string; table: FrameTable }[]
  stills: Still[]
}

/** The name in the directory of what was made of the still at this index. */
export const stillFileName = (index: number) => `still-${index}.jpg`
