import type { Skill } from '../../modules/folders/contract.ts'
import type { Checkpoint } from '../../modules/reviews/contract.ts'
import { CHECKPOINTS, SKILLS } from '../../modules/reviews/policy.ts'

/** Its positions, in the order in which they come. */
export const positionsOf = (skill: Skill): readonly string[] => CHECKPOINTS[skill]
/** Where the bat meets the ball, which one can hear. */
export const HEARD = { skill: 'hitting', name: 'contact' } as const

const key = (c: Pick<Checkpoint, 'video' | 'skill' | 'name'>) => `${c.video} ${c.skill} ${c.name}`
const place = (c: Pick<Checkpoint, 'skill' | 'name'>) => positionsOf(c.skill).indexOf(c.name)

/** With this position; it takes the place of the same one on the same video. */
export const placed = (all: readonly Checkpoint[], one: Checkpoint): Checkpoint[] => [...without(all, one), one]
export const without = (all: readonly Checkpoint[], one: Pick<Checkpoint, 'video' | 'skill' | 'name'>) =>
  all.filter(c => key(c) !== key(one))

/** Those of one discipline on one video, in the order of the discipline. */
export const ordered = (all: readonly Checkpoint[], video: string, skill: Skill): Checkpoint[] =>
  all.filter(c => c.video === video && c.skill === skill).sort((a, b) => place(a) - place(b))

/** Positions that belong together: of one discipline on one video. In the order of the videos, then of the disciplines. */
export function groups(
  all: readonly Checkpoint[],
  videos: readonly { id: string }[],
): { video: string; skill: Skill; points: Checkpoint[] }[] {
  return videos
    .flatMap(({ id: video }) => SKILLS.map(skill => ({ video, skill, points: ordered(all, video, skill) })))
    .filter(({ points }) => points.length)
}

/** Of several swings of a session the one with the most positions: what others are set beside. */
export const fullest = (all: readonly Checkpoint[], videos: readonly { id: string }[], skill: Skill) =>
  groups(all, videos)
    .filter(g => g.skill === skill)
    .reduce<ReturnType<typeof groups>[number] | undefined>(
      (most, g) => (g.points.length > (most?.points.length ?? 0) ? g : most),
      undefined,
    )

/** The nearest position before (-1) or after (1) a frame. */
export const next = (points: readonly Checkpoint[], frame: number, way: 1 | -1) =>
  points.filter(p => (p.frame - frame) * way > 0).sort((a, b) => (a.frame - b.frame) * way)[0]

/** Whole milliseconds from one frame to another, as they are written: '167', '−33'; a dash where nobody knows. */
export function span(real: ((frame: number) => number) | null, from: number, to: number): string {
  if (!real) return '–'
  // Half a millisecond is not lost to how computers divide.
  const ms = Math.round(Number((real(to) - real(from)).toFixed(6)))
  return ms < 0 ? `−${-ms}` : `${ms}`
}
