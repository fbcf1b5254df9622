import { expect, test } from 'vitest'
import type { ProgressSession } from '../../modules/progress/contract.ts'
import {
  firstAndNewestVideos,
  gradedSkills,
  gradeSeriesByInstructor,
  hasUnknownFrameTimes,
  positionTimings,
  skillsShownInProgress,
  skillsWithGradeOrTiming,
} from '../../src/progress/progress-series.ts'

const by = (id: string) => ({ id, name: id, picture: null, slug: null })
const session = (n: number, instructor: string, more: Partial<ProgressSession>): ProgressSession => ({
  id: `s${n}`,
  folder: 'f',
  name: 'Tee',
  instructor: by(instructor),
  given: `2026-05-0${n}T00:00:00.000Z`,
  grades: [],
  swings: [],
  video: null,
  poster: null,
  ...more,
})
const swing = (video: string, ...positions: [string, number | null][]) => ({
  video,
  skill: 'hitting' as const,
  positions: positions.map(([name, after], i) => ({ name, frame: i + video.charCodeAt(0), after })),
})
const sessions = [
  session(1, 'cal', { grades: [{ skill: 'hitting', grade: 45 }], swings: [swing('a', ['load', 0], ['stride', 200], ['contact', 520])] }),
  // biome-ignore format: one line per session
  session(2, 'dee', { grades: [{ skill: 'hitting', grade: 60 }, { skill: 'fielding', grade: 50 }] }),
  session(3, 'cal', {
    grades: [{ skill: 'hitting', grade: 50 }],
    swings: [
      swing('b', ['load', 0], ['stride', 180]),
      swing('c', ['load', 0], ['contact', 490]),
      swing('d', ['load', null], ['stride', null]),
    ],
  }),
]

test('grades by two instructors form two series', () => {
  expect(gradeSeriesByInstructor(sessions, 'hitting').map(s => [s.instructor.id, s.dots.map(d => d.value)])).toEqual([
    ['cal', [45, 50]],
    ['dee', [60]],
  ])
  expect(gradeSeriesByInstructor(sessions, 'catching')).toEqual([])
})

test('times are measured between neighboring positions of one swing, in order', () => {
  expect(positionTimings(sessions, 'hitting').map(t => [t.from, t.to, t.dots.map(d => [d.id, d.value])])).toEqual([
    ['load', 'stride', [['s1a', 200], ['s3b', 180]]], // biome-ignore format: one line per pair of positions
    ['load', 'contact', [['s3c', 490]]],
    ['stride', 'contact', [['s1a', 320]]],
  ])
  expect([hasUnknownFrameTimes(sessions, 'hitting'), hasUnknownFrameTimes(sessions.slice(0, 2), 'hitting')]).toEqual([true, false])
})

test('the first and newest session of a skill are two different sessions, or none', () => {
  const filmed = sessions.map(s => ({ ...s, video: `${s.id}-v` }))
  const { first, newest, origins } = firstAndNewestVideos(filmed, 'hitting')!
  // Each session shows its first swing, so `b` rather than `c`. The position nearest to contact that `a` and `b` both have is the stride.
  expect([first.session.id, first.video, newest.session.id, newest.video, origins]).toEqual(['s1', 'a', 's3', 'b', [98, 99]])
  expect(firstAndNewestVideos(filmed.slice(0, 2), 'hitting')).toMatchObject({ newest: { video: 's2-v' }, origins: [0, 0] })
  expect(firstAndNewestVideos(filmed, 'fielding')).toBeUndefined()
  expect(firstAndNewestVideos(sessions, 'hitting')).toBeUndefined()
  expect(skillsShownInProgress({ sessions, goals: [] })).toEqual(['hitting', 'fielding'])
})

test('a skill is listed if it has progress; a single position does not count', () => {
  const skills = (...of: ProgressSession[]) => skillsShownInProgress({ sessions: of, goals: [] })
  const alone = session(1, 'cal', { swings: [swing('a', ['contact', 0])], video: 'a' })
  expect(skills(alone)).toEqual([])
  // Each of these counts: times between positions, positions whose times are unknown, and two sessions to compare.
  expect(skills(session(1, 'cal', { swings: [swing('a', ['load', 0], ['contact', 300])] }))).toEqual(['hitting'])
  expect(skills(session(1, 'cal', { swings: [swing('a', ['load', null], ['contact', null])] }))).toEqual(['hitting'])
  const again = session(2, 'cal', { swings: [swing('b', ['contact', 0])], video: 'b' })
  expect(skills(alone, again)).toEqual(['hitting'])
  // A list without room for two videos shows nothing for a single position in each session.
  expect(skillsWithGradeOrTiming({ sessions: [alone, again], goals: [] })).toEqual([])
  expect(skillsWithGradeOrTiming({ sessions, goals: [] })).toEqual(['hitting', 'fielding'])
  // Guardians see grades only, so a skill without one would be an empty section.
  expect(gradedSkills({ sessions: [alone, again], goals: [] })).toEqual([])
  expect(gradedSkills({ sessions, goals: [] })).toEqual(['hitting', 'fielding'])
})
