import type { Skill } from '../../modules/accounts/contract.ts'
import type { TechniqueCheckpoint } from '../../modules/reviews/contract.ts'
import { CHECKPOINTS_BY_SKILL, SKILLS } from '../../modules/reviews/policy.ts'

/** The names of a discipline's positions, in the order of the motion. */
export const techniquePositionNames = (skill: Skill): readonly string[] => CHECKPOINTS_BY_SKILL[skill]
/** The position where the bat meets the ball. It is the only position that makes a sound. */
export const CONTACT_POSITION = { skill: 'hitting', name: 'contact' } as const

const keyOf = (c: Pick<TechniqueCheckpoint, 'video' | 'skill' | 'name'>) => `${c.video} ${c.skill} ${c.name}`
const orderOf = (c: Pick<TechniqueCheckpoint, 'skill' | 'name'>) => techniquePositionNames(c.skill).indexOf(c.name)

/** Adds a position, which replaces the same position on the same video. */
export const withTechniquePosition = (all: readonly TechniqueCheckpoint[], position: TechniqueCheckpoint): TechniqueCheckpoint[] => [
  ...withoutTechniquePosition(all, position),
  position,
]
export const withoutTechniquePosition = (
  all: readonly TechniqueCheckpoint[],
  position: Pick<TechniqueCheckpoint, 'video' | 'skill' | 'name'>,
) => all.filter(c => keyOf(c) !== keyOf(position))

/** The positions of one discipline on one video, in the order of the motion. */
export const techniquePositionsOfVideo = (all: readonly TechniqueCheckpoint[], video: string, skill: Skill): TechniqueCheckpoint[] =>
  all.filter(c => c.video === video && c.skill === skill).sort((a, b) => orderOf(a) - orderOf(b))

/** Groups positions by video and discipline, in the order of the videos, then of the disciplines. */
export function groupTechniquePositions(
  all: readonly TechniqueCheckpoint[],
  videos: readonly { id: string }[],
): { video: string; skill: Skill; points: TechniqueCheckpoint[] }[] {
  return videos
    .flatMap(({ id: video }) => SKILLS.map(skill => ({ video, skill, points: techniquePositionsOfVideo(all, video, skill) })))
    .filter(({ points }) => points.length)
}

/** The positions of a discipline on the video that has the most of them, which is used for comparisons; undefined if there are none. */
export const fullestPositionGroup = (all: readonly TechniqueCheckpoint[], videos: readonly { id: string }[], skill: Skill) =>
  groupTechniquePositions(all, videos)
    .filter(g => g.skill === skill)
    .reduce<ReturnType<typeof groupTechniquePositions>[number] | undefined>(
      (most, g) => (g.points.length > (most?.points.length ?? 0) ? g : most),
      undefined,
    )

/** The adjacent position before (-1) or after (1) a frame; undefined if there is none. */
export const adjacentTechniquePosition = (points: readonly TechniqueCheckpoint[], frame: number, direction: 1 | -1) =>
  points.filter(p => (p.frame - frame) * direction > 0).sort((a, b) => (a.frame - b.frame) * direction)[0]

/** Whole milliseconds of real time from one frame to another, as text: '167', '−33'; a dash if the real time is unknown. */
export function formatMillisecondsBetweenFrames(real: ((frame: number) => number) | null, from: number, to: number): string {
  if (!real) return '–'
  // Removes floating-point errors, which could round half a millisecond down.
  const ms = Math.round(Number((real(to) - real(from)).toFixed(6)))
  return ms < 0 ? `−${-ms}` : `${ms}`
}
