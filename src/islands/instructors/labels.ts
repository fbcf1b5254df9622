const title = (word: string) => word[0]!.toUpperCase() + word.slice(1)

/** 'Baseball Instructor', 'Softball Instructor' or 'Baseball/Softball Instructor'; `type` may be one value or several. */
export function sportLabel(type: string | readonly string[]): string {
  const sports = [type].flat()
  return `${['baseball', 'softball']
    .filter(s => sports.includes(s))
    .map(title)
    .join('/')} Instructor`.trim()
}

/** The badges that there is room for, and '+N' for the rest. */
export const skillBadges = (skills: readonly string[], room: number): string[] =>
  skills.length > room ? [...skills.slice(0, room).map(title), `+${skills.length - room}`] : skills.map(title)

export const skillName = title
