import type { Skill } from '../../modules/folders/contract.ts'
import type { Progress, ProgressSession } from '../../modules/progress/contract.ts'
import { CHECKPOINTS, SKILLS } from '../../modules/reviews/policy.ts'
import { groupBy } from '../client/group-by.ts'
import { sessionPath } from '../folders/urls.ts'

/** One dot: a value that a session gave. */
export interface Dot {
  /** Of the session, and of the video where it may have several. */
  id: string
  session: ProgressSession
  at: number
  value: number
}
/** Dots of one instructor, in time. */
export interface Series {
  instructor: ProgressSession['instructor']
  dots: Dot[]
}

const dot = (session: ProgressSession, value: number, video = ''): Dot => ({
  ...{ id: session.id + video, session, at: Date.parse(session.given), value },
})

/** Where the review behind a dot is read. */
export const review = ({ session }: Dot) => sessionPath('player', session.folder, session.id)

/** Grades of a skill by who gave them: grades of two people are not one line. */
export function gradesOf(sessions: readonly ProgressSession[], skill: Skill): Series[] {
  const dots = sessions.flatMap(s => s.grades.filter(g => g.skill === skill).map(g => dot(s, g.grade)))
  return [...groupBy(dots, d => d.session.instructor.id).values()].map(all => ({ instructor: all[0]!.session.instructor, dots: all }))
}

/** The time from one position to the next in the same swing, ms of real time: each measured way, in the order of the discipline. */
export interface Timing {
  from: string
  to: string
  dots: Dot[]
}
export function timingsOf(sessions: readonly ProgressSession[], skill: Skill): Timing[] {
  const found = new Map<string, Timing>()
  for (const session of sessions)
    for (const { skill: of, video, positions } of session.swings)
      for (const [i, { name, after }] of of === skill ? positions.entries() : []) {
        const before = positions[i - 1]
        if (!before || after === null || before.after === null) continue
        const key = `${before.name} ${name}`
        const timing = found.get(key) ?? { from: before.name, to: name, dots: [] }
        timing.dots.push(dot(session, after - before.after, video))
        found.set(key, timing)
      }
  const order: readonly string[] = CHECKPOINTS[skill]
  return [...found.values()].sort((a, b) => order.indexOf(a.from) - order.indexOf(b.from) || order.indexOf(a.to) - order.indexOf(b.to))
}

/** Positions were set, and nobody knows how fast these videos were filmed. */
export const untimed = (sessions: readonly ProgressSession[], skill: Skill) =>
  sessions.some(s => s.swings.some(w => w.skill === skill && w.positions.length > 1 && w.positions.some(p => p.after === null)))

/** A video of a session to look at. */
export interface Shown {
  session: ProgressSession
  video: string
}
/** The position that swings are synced on. */
const KEY: Record<Skill, string> = { hitting: 'contact', pitching: 'release', fielding: 'field', catching: 'receive' }

/**
 * The first and the newest session about a skill, each with the video in which its positions were set, else its first; nothing where there
 * is only one. `origins`: the frames of the same position in both, the main one of the discipline or the nearest to it; else both beginnings.
 */
export function firstAndNewest(sessions: readonly ProgressSession[], skill: Skill) {
  const about = sessions.filter(s => s.video !== null && (s.grades.some(g => g.skill === skill) || s.swings.some(w => w.skill === skill)))
  const [first, newest] = [about[0], about.at(-1)]
  if (!first || !newest || first === newest) return undefined
  const swingOf = (s: ProgressSession) => s.swings.find(w => w.skill === skill)
  const shown = (session: ProgressSession): Shown => ({ session, video: swingOf(session)?.video ?? session.video! })
  const frameOf = (s: ProgressSession, name: string) => swingOf(s)?.positions.find(p => p.name === name)?.frame
  const order: readonly string[] = CHECKPOINTS[skill]
  const away = (name: string) => Math.abs(order.indexOf(name) - order.indexOf(KEY[skill]))
  const common = order
    .toSorted((a, b) => away(a) - away(b))
    .map(name => [frameOf(first, name), frameOf(newest, name)] as const)
    .find(([a, b]) => a !== undefined && b !== undefined)
  return { first: shown(first), newest: shown(newest), origins: (common ?? [0, 0]) as [number, number] }
}

/** Skills that have a grade, or a time from one position to another that is there to be told or is missing: one position alone is nothing yet. */
export const measuredIn = ({ sessions }: Progress) =>
  SKILLS.filter(skill => gradesOf(sessions, skill).length > 0 || timingsOf(sessions, skill).length > 0 || untimed(sessions, skill))

/** Skills that there is something to show of: those, and what was seen twice. */
export const skillsIn = (progress: Progress) => {
  const measured = measuredIn(progress)
  return SKILLS.filter(skill => measured.includes(skill) || firstAndNewest(progress.sessions, skill))
}
