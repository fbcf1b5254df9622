import type { Skill } from '../../modules/accounts/contract.ts'
import type { Progress, ProgressSession } from '../../modules/progress/contract.ts'
import { sessionsOfSkillWithVideo } from '../../modules/progress/sessions-of-skill-with-video.ts'
import { SKILLS, TECHNIQUE_POSITIONS_BY_SKILL } from '../../modules/reviews/policy.ts'
import { groupBy } from '../client/group-by.ts'
import { sessionPath } from '../folders/folder-page-urls-and-query.ts'

/** One value in a chart, with its session. `at`: ms since 1970. */
export interface ProgressDot {
  /** The session's id, followed by the video's id in charts that may have several values for a session. */
  id: string
  session: ProgressSession
  at: number
  value: number
}
/** The grades given by one instructor, from the oldest to the newest. */
export interface GradesFromOneInstructor {
  instructor: ProgressSession['instructor']
  dots: ProgressDot[]
}

const dot = (session: ProgressSession, value: number, video = ''): ProgressDot => ({
  id: session.id + video,
  session,
  at: Date.parse(session.given),
  value,
})

/** The URL of the review that a dot comes from, on the pages of the player or of the family. */
export const reviewPath = ({ session }: ProgressDot, viewer: 'player' | 'family') => sessionPath(viewer, session.folder, session.id)

/** Grades of a skill as one series per instructor, because the grades of two instructors are not comparable. */
export function gradeSeriesByInstructor(sessions: readonly ProgressSession[], skill: Skill): GradesFromOneInstructor[] {
  const dots = sessions.flatMap(s => s.grades.filter(g => g.skill === skill).map(g => dot(s, g.grade)))
  return [...groupBy(dots, d => d.session.instructor.id).values()].map(all => ({ instructor: all[0]!.session.instructor, dots: all }))
}

/** Times from one position to the next in the same swing, in ms of real time. */
export interface PositionIntervalSeries {
  from: string
  to: string
  dots: ProgressDot[]
}
/** The times between successive positions of a skill, in the order of the motion. */
export function positionTimings(sessions: readonly ProgressSession[], skill: Skill): PositionIntervalSeries[] {
  const timingByPosition = new Map<string, PositionIntervalSeries>()
  for (const session of sessions)
    for (const { skill: of, video, positions } of session.swings)
      for (const [i, { name, after }] of of === skill ? positions.entries() : []) {
        const before = positions[i - 1]
        if (!before || after === null || before.after === null) continue
        const key = `${before.name} ${name}`
        const timing = timingByPosition.get(key) ?? { from: before.name, to: name, dots: [] }
        timing.dots.push(dot(session, after - before.after, video))
        timingByPosition.set(key, timing)
      }
  const order: readonly string[] = TECHNIQUE_POSITIONS_BY_SKILL[skill]
  return [...timingByPosition.values()].sort(
    (a, b) => order.indexOf(a.from) - order.indexOf(b.from) || order.indexOf(a.to) - order.indexOf(b.to),
  )
}

/** Whether positions were set on a video whose frames have no known times, so that the time between the positions cannot be computed. */
export const hasUnknownFrameTimes = (sessions: readonly ProgressSession[], skill: Skill) =>
  sessions.some(s => s.swings.some(w => w.skill === skill && w.positions.length > 1 && w.positions.some(p => p.after === null)))

/** `video`: the id of one of the session's videos. */
export interface SessionVideo {
  session: ProgressSession
  video: string
}
/** For each skill, the position at which two swings are synced if both have it. */
const MAIN_POSITION: Record<Skill, string> = { hitting: 'contact', pitching: 'release', fielding: 'field', catching: 'receive' }

/**
 * The first and the newest session for a skill, each with the video that has positions, otherwise with its first video; undefined if there
 * are fewer than two sessions with a video. `origins`: the frames, one in each video, of the position nearest to the main one among those
 * set on both videos; 0 and 0 if the videos have no position in common.
 */
export function firstAndNewestVideos(sessions: readonly ProgressSession[], skill: Skill) {
  const about = sessionsOfSkillWithVideo(sessions, skill)
  const [first, newest] = [about[0], about.at(-1)]
  if (!first || !newest || first === newest) return undefined
  const swingOf = (s: ProgressSession) => s.swings.find(w => w.skill === skill)
  const shown = (session: ProgressSession): SessionVideo => ({ session, video: swingOf(session)?.video ?? session.video! })
  const frameOf = (s: ProgressSession, name: string) => swingOf(s)?.positions.find(p => p.name === name)?.frame
  const order: readonly string[] = TECHNIQUE_POSITIONS_BY_SKILL[skill]
  const away = (name: string) => Math.abs(order.indexOf(name) - order.indexOf(MAIN_POSITION[skill]))
  const common = order
    .toSorted((a, b) => away(a) - away(b))
    .map(name => [frameOf(first, name), frameOf(newest, name)] as const)
    .find(([a, b]) => a !== undefined && b !== undefined)
  return { first: shown(first), newest: shown(newest), origins: (common ?? [0, 0]) as [number, number] }
}

const isGraded = (sessions: readonly ProgressSession[], skill: Skill) => gradeSeriesByInstructor(sessions, skill).length > 0

/**
 * Skills with a grade, or with at least two positions on one video, even if the video's frame times, and so the time between the positions,
 * are unknown.
 */
export const skillsWithGradeOrTiming = ({ sessions }: Progress) =>
  SKILLS.filter(skill => isGraded(sessions, skill) || positionTimings(sessions, skill).length > 0 || hasUnknownFrameTimes(sessions, skill))

export const gradedSkills = ({ sessions }: Progress) => SKILLS.filter(skill => isGraded(sessions, skill))

/** Skills with anything to show: measured ones, and those with two sessions to compare. */
export const skillsShownInProgress = (progress: Progress) => {
  const measured = skillsWithGradeOrTiming(progress)
  return SKILLS.filter(skill => measured.includes(skill) || firstAndNewestVideos(progress.sessions, skill))
}
