import type { Skill } from '../../modules/accounts/contract.ts'
import type { Video } from '../../modules/folders/contract.ts'
import type { FrameTimeline } from '../../modules/media/frames.ts'
import { realTimeOfFrames } from '../../modules/progress/real-time-of-frames.ts'
import type { TechniquePosition } from '../../modules/reviews/contract.ts'
import { SKILLS } from '../../modules/reviews/policy.ts'
import { formatMillisecondsBetweenFrames, techniquePositionsOfVideo } from '../technique/edit-and-group-technique-positions.ts'

/** A position for the PDF. `since`: the real time since the previous position, as formatted milliseconds. */
export interface PrintedPosition {
  name: string
  frame: number
  since?: string
  picture?: ArrayBuffer
}
/** The positions of one swing or throw for the PDF; `of` is the name of its video. */
export interface PrintedTechnique {
  skill: Skill
  of: string
  steps: PrintedPosition[]
}

/** The positions on a clip by skill, in the order of the motion. `times`: the frame table, or null if it is unknown. */
export function printedTechniqueOf(
  checkpoints: readonly TechniquePosition[],
  { id, name, media }: Pick<Video, 'id' | 'name' | 'media'>,
  times: FrameTimeline | null,
): PrintedTechnique[] {
  const real = realTimeOfFrames({ media: media ?? null, times })
  return SKILLS.map(skill => ({ skill, points: techniquePositionsOfVideo(checkpoints, id, skill) }))
    .filter(({ points }) => points.length)
    .map(({ skill, points }) => ({
      skill,
      of: name,
      steps: points.map((point, i) => ({
        name: point.name,
        frame: point.frame,
        ...(i > 0 && { since: `${formatMillisecondsBetweenFrames(real, points[i - 1]!.frame, point.frame)} ms` }),
      })),
    }))
}
