import type { Skill, Video } from '../../modules/folders/contract.ts'
import type { Timeline } from '../../modules/media/frames.ts'
import { realTimeOfFrames } from '../../modules/progress/real-time.ts'
import type { Checkpoint } from '../../modules/reviews/contract.ts'
import { SKILLS } from '../../modules/reviews/policy.ts'
import { formatInterval, positionsInOrder } from '../technique/positions.ts'

/** A position of the technique as it is printed. `since`: milliseconds of real time since the one before, as they are written. */
export interface Step {
  name: string
  frame: number
  since?: string
  picture?: ArrayBuffer
}
/** The positions of one swing or throw. */
export interface PacedOnPaper {
  skill: Skill
  of: string
  steps: Step[]
}

/** The positions on a clip, by discipline, each in its order and with the time from the one before. */
export function pacedOf(
  checkpoints: readonly Checkpoint[],
  { id, name, media }: Pick<Video, 'id' | 'name' | 'media'>,
  times: Timeline | null,
): PacedOnPaper[] {
  const real = realTimeOfFrames({ media: media ?? null, times })
  return SKILLS.map(skill => ({ skill, points: positionsInOrder(checkpoints, id, skill) }))
    .filter(({ points }) => points.length)
    .map(({ skill, points }) => ({
      skill,
      of: name,
      steps: points.map((point, i) => ({
        name: point.name,
        frame: point.frame,
        ...(i > 0 && { since: `${formatInterval(real, points[i - 1]!.frame, point.frame)} ms` }),
      })),
    }))
}
