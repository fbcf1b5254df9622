import type { Skill } from '../../modules/accounts/contract.ts'
import type { TechniquePosition } from '../../modules/reviews/contract.ts'
import { SKILLS, TECHNIQUE_POSITIONS_BY_SKILL } from '../../modules/reviews/policy.ts'

/** The names of a discipline's positions, in the order of the motion. */
export const techniquePositionNames = (skill: Skill): readonly string[] => TECHNIQUE_POSITIONS_BY_SKILL[skill]
/** The position where the bat meets the ball. It is the only position that makes a sound. */
export const CONTACT_POSITION = { skill: 'hitting', name: 'contact' } as const

const keyOf = (c: Pick<TechniquePosition, 'video' | 'skill' | 'name'>) => `${c.video} ${c.skill} ${c.name}`
const orderOf = (c: Pick<TechniquePosition, 'skill' | 'name'>) => techniquePositionNames(c.skill).indexOf(c.name)

/** Adds a position, replacing the same position on the same video. */
export const withTechniquePosition = (all: readonly TechniquePosition[], position: TechniquePosition): TechniquePosition[] => [
  ...withoutTechniquePosition(all, position),
  position,
]
export const withoutTechniquePosition = (
  all: readonly TechniquePosition[],
  position: Pick<TechniquePosition, 'video' | 'skill' | 'name'>,
) => all.filter(c => keyOf(c) !== keyOf(position))

/** The positions of one discipline on one video, in the order of the motion. */
export const techniquePositionsOfVideo = (all: readonly TechniquePosition[], video: string, skill: Skill): TechniquePosition[] =>
  all.filter(c => c.video === video && c.skill === skill).sort((a, b) => orderOf(a) - orderOf(b))

/** Groups positions by video and discipline, in the order of the videos, then of the disciplines. */
export function groupTechniquePositionsByVideoAndSkill(
  all: readonly TechniquePosition[],
  videos: readonly { id: string }[],
): { video: string; skill: Skill; points: TechniquePosition[] }[] {
  return videos
    .flatMap(({ id: video }) => SKILLS.map(skill => ({ video, skill, points: techniquePositionsOfVideo(all, video, skill) })))
    .filter(({ points }) => points.length)
}

/** The positions of a discipline on the video that has the most of them, which is used for comparisons; undefined if there are none. */
export const positionsOnMostMarkedVideo = (all: readonly TechniquePosition[], videos: readonly { id: string }[], skill: Skill) =>
  groupTechniquePositionsByVideoAndSkill(all, videos)
    .filter(g => g.skill === skill)
    .reduce<ReturnType<typeof groupTechniquePositionsByVideoAndSkill>[number] | undefined>(
      (most, g) => (g.points.length > (most?.points.length ?? 0) ? g : most),
      undefined,
    )

/** The nearest position before (-1) or after (1) a frame; undefined if there is none. */
export const adjacentTechniquePosition = (points: readonly TechniquePosition[], frame: number, direction: 1 | -1) =>
  points.filter(p => (p.frame - frame) * direction > 0).sort((a, b) => (a.frame - b.frame) * direction)[0]

/** Whole milliseconds of real time from one frame to another, as text: '167', '−33'; a dash if the real time is unknown. */
export function formatMillisecondsBetweenFrames(real: ((frame: number) => number) | null, from: number, to: number): string {
  if (!real) return '–'
  // Removes floating-point errors, which could make half a millisecond round down.
  const ms = Math.round(Number((real(to) - real(from)).toFixed(6)))
  return ms < 0 ? `−${-ms}` : `${ms}`
}
