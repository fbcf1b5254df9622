/** '1 session completed', '12 sessions completed'; undefined before the first one. */
export const sessionCountLabel = (given: number): string | undefined =>
  given > 0 ? `${given.toLocaleString('en-US')} ${given === 1 ? 'session' : 'sessions'} completed` : undefined

/** An instructor's response time in words. `hours` is the median, or null if there is too little data; the result is then undefined. */
export function responseTimeInWords(hours: number | null): string | undefined {
  if (hours === null) return undefined
  if (hours <= 1) return 'an hour'
  if (hours <= 22) return `${Math.ceil(hours)} hours`
  if (hours <= 24) return 'a day'
  return `${Math.ceil(hours / 24)} days`
}

/** '4.8 out of 5 from 12 ratings' */
export const ratingLabel = ({ average, count }: { average: number; count: number }) =>
  `${average.toFixed(1)} out of 5 from ${count.toLocaleString('en-US')} ratings`

/** A rating's public author label: an adult's first name, but no name for a minor. */
export const raterLabel = ({ name, rater }: { name: string | null; rater: 'player' | 'guardian' }) =>
  rater === 'guardian' ? 'A parent or guardian' : (name ?? 'A player')
