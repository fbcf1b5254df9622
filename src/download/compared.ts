import type { Timeline } from '../../modules/media/frames.ts'
import type { Comparison } from '../../modules/reviews/contract.ts'
import type { NamedPair } from '../comparison/named-clips.ts'
import { course, realTimes } from '../comparison/timing.ts'

/** A frame of a clip, and how one calls that. `picture`: a JPEG; none where this browser does not show it. */
interface Shown {
  of: string
  frame: number
  picture?: ArrayBuffer
}
/** A comparison as it is printed: its moments, each with a frame of both clips; none where a clip is gone. */
export interface ComparedOnPaper {
  title: string
  moments: Shown[][]
}

/** More of one comparison is for the screen. */
const MOST = 4

/**
 * The moments of a comparison that are worth paper, in order: those for which something was drawn on one of the clips, with what the other
 * shows meanwhile, or else the one they are synced on.
 * @returns a frame of each clip
 */
export function momentsOf(
  { sides, stretch }: Pick<Comparison, 'sides' | 'stretch'>,
  pair: NamedPair,
  times: readonly (Timeline | null)[],
): [number, number][] {
  const synced: [number, number] = [sides[0].origin, sides[1].origin]
  const [a, b] = times
  if (!a || !b) return [synced]
  const real = [a, b].map((its, i) => realTimes(its, pair[i]!.clip.media?.captureRate?.rate)) as [Timeline, Timeline]
  const both = course(
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
      // The very frame, however its time was rounded.
      frames[which] = from
      return { at, frames }
    }),
  )
  const each = new Map(drawn.sort((one, other) => one.at - other.at).map(({ frames }) => [frames.join(), frames]))
  return each.size ? [...each.values()].slice(0, MOST) : [synced]
}
