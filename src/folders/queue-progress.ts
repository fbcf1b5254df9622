import type { QueuedSession } from '../../modules/folders/contract.ts'
import { countWithNoun } from '../../modules/format-text.ts'

type Line = Pick<QueuedSession, 'status' | 'given'>

/** Reviews that were delivered at most this long ago count as done in the same sitting. */
const SITTING_MS = 12 * 3_600_000
/** Two deliveries that are farther apart have a break between them, which says nothing about how long a review takes. */
const MAX_REVIEW_MS = 30 * 60_000
/** What a review takes of an instructor who has not yet delivered two in a row. */
const TYPICAL_REVIEW_MS = 5 * 60_000

/** Milliseconds that a review takes this instructor: the median between two deliveries in a row. */
function reviewDuration(queue: readonly Line[]): number {
  const given = queue.flatMap(s => (s.given ? [Date.parse(s.given)] : [])).sort((a, b) => a - b)
  const gaps = given
    .slice(1)
    .map((at, i) => at - given[i]!)
    .filter(gap => gap > 0 && gap <= MAX_REVIEW_MS)
    .sort((a, b) => a - b)
  return gaps[Math.floor(gaps.length / 2)] ?? TYPICAL_REVIEW_MS
}

/**
 * How far an instructor is through the queue.
 * @param now in milliseconds, as `Date.now()`
 * @returns reviews delivered in this sitting, reviews that wait, and about how many minutes these take, at least 1 where any waits
 */
export function queueProgress(queue: readonly Line[], now: number): { done: number; waiting: number; minutes: number } {
  const done = queue.filter(s => s.given && now - Date.parse(s.given) < SITTING_MS).length
  const waiting = queue.filter(s => s.status === 'assigned' || s.status === 'in-review').length
  return { done, waiting, minutes: waiting && Math.max(1, Math.round((waiting * reviewDuration(queue)) / 60_000)) }
}

/** 'about 48 min', 'about 2 h' */
const aboutMinutes = (minutes: number) => `about ${minutes < 100 ? `${minutes} min` : countWithNoun(Math.round(minutes / 60), 'hour')}`

/** '8 of 23 · about 48 min': which one in this sitting the review at hand is, of those it comes to. Empty where nothing waits. */
export const queuePositionText = ({ done, waiting, minutes }: ReturnType<typeof queueProgress>): string =>
  waiting ? `${done + 1} of ${done + waiting} · ${aboutMinutes(minutes)}` : ''

/** '7 of 23 done · about 48 min'; before the first delivery of a sitting the time alone; empty where nothing waits. */
export function queueProgressText({ done, waiting, minutes }: ReturnType<typeof queueProgress>): string {
  if (!waiting) return ''
  return done ? `${done} of ${done + waiting} done · ${aboutMinutes(minutes)}` : aboutMinutes(minutes)
}
