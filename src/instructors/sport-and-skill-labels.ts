import { capitalize } from '../ui/capitalize.ts'

/** 'Baseball Instructor', 'Softball Instructor' or 'Baseball/Softball Instructor'; `type` may be one value or several. */
export function instructorTitleForSports(type: string | readonly string[]): string {
  const sports = [type].flat()
  return `${['baseball', 'softball']
    .filter(s => sports.includes(s))
    .map(capitalize)
    .join('/')} Instructor`.trim()
}

/** The first `room` skills, and '+N' for the rest. */
export const skillBadgeTexts = (skills: readonly string[], room: number): string[] =>
  skills.length > room ? [...skills.slice(0, room).map(capitalize), `+${skills.length - room}`] : skills.map(capitalize)

export const skillName = capitalize
