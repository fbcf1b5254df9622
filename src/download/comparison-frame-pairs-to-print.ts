import type { FrameTimeline } from '../../modules/media/frames.ts'
import type { Comparison } from '../../modules/reviews/contract.ts'
import { createComparisonTiming, toRealTimeline } from '../comparison/comparison-timing.ts'
import type { LabeledClipPair } from '../comparison/labeled-clips.ts'

/** A frame of a clip; `of` is the clip's label. `picture` is a JPEG, absent if the browser cannot show the frame. */
interface PrintedFrame {
  of: string
  frame: number
  picture?: ArrayBuffer
}
/** A comparison for the PDF. Each moment has one frame of each clip; there are no moments if a clip was deleted. */
export interface PrintedComparison {
  title: string
  moments: PrintedFrame[][]
}

const MAX_MOMENTS_PER_COMPARISON = 4

/**
 * The moments of a comparison to print, in order: each frame at which a drawing on either clip begins, paired with the other clip's frame
 * at the same time, at most `MAX_MOMENTS_PER_COMPARISON`. If there are no drawings or a frame table is missing, the only moment is the pair
 * of frames on which the clips are synced.
 * @returns pairs of frames, one of each clip
 */
export function framePairsToPrint(
  { sides, stretch }: Pick<Comparison, 'sides' | 'stretch'>,
  pair: LabeledClipPair,
  times: readonly (FrameTimeline | null)[],
): [number, number][] {
  const synced: [number, number] = [sides[0].origin, sides[1].origin]
  const [a, b] = times
  if (!a || !b) return [synced]
  const real = [a, b].map((timeline, i) => toRealTimeline(timeline, pair[i]!.clip.media?.captureRate?.rate)) as [
    FrameTimeline,
    FrameTimeline,
  ]
  const both = createComparisonTiming(
    [
      { ...sides[0], times: real[0] },
      { ...sides[1], times: real[1] },
    ],
    stretch,
  )
  const drawn = sides.flatMap(({ shapes = [] }, which) =>
    shapes.map(({ from }) => {
      const at = both.when(which, from)
      const frames = both.frames(at)
      // Uses the drawing's own frame, because its time may round to a neighboring frame.
      frames[which] = from
      return { at, frames }
    }),
  )
  const each = new Map(drawn.sort((one, other) => one.at - other.at).map(({ frames }) => [frames.join(), frames]))
  return each.size ? [...each.values()].slice(0, MAX_MOMENTS_PER_COMPARISON) : [synced]
}
