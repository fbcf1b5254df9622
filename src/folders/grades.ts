/** The grades of the scouting scale: 20 to 80 in steps of 5. */
export const GRADES = Array.from({ length: 13 }, (_, i) => 20 + i * 5)

/** A grade in words suitable for a 14-year-old. */
export function gradeMeaning(grade: number): string {
  if (grade <= 30) return 'Just starting'
  if (grade <= 40) return 'Developing'
  if (grade < 50) return 'Nearly average'
  if (grade === 50) return 'Average'
  if (grade <= 55) return 'Above average'
  if (grade <= 65) return 'Strong'
  if (grade <= 75) return 'Outstanding'
  return 'Elite'
}
