import type { Skill } from '../accounts/contract.ts'
import type { ProgressSession } from './contract.ts'

/** The sessions that cover a discipline and still have a video. Screens show the first and the newest of them side by side. */
export const sessionsOfSkillWithVideo = (sessions: readonly ProgressSession[], skill: Skill): ProgressSession[] =>
  sessions.filter(s => s.video !== null && (s.grades.some(g => g.skill === skill) || s.swings.some(w => w.skill === skill)))
