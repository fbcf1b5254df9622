import type { QueuedSession } from '../../modules/folders/contract.ts'
import { countWithNoun } from '../../modules/format-cents-and-counts.ts'

type Line = Pick<QueuedSession, 'status' | 'given'>
/** The first page of the queue. `waiting.total`: how many sessions on all pages are waiting for their review to start. */
interface Queue {
  readonly folders: readonly Line[]
  readonly waiting: { readonly total: number }
}

/** Reviews delivered within this time count as done in the current sitting. */
const SITTING_MS = 12 * 3_600_000
/** If two deliveries are farther apart, there was a break between them, so the interval does not show how long a review takes. */
const MAX_REVIEW_MS = 30 * 60_000
/** Assumed duration of a review until the instructor has delivered two in a row. */
const TYPICAL_REVIEW_MS = 5 * 60_000

/** The instructor's typical time per review in ms: the median interval between two consecutive deliveries. */
function reviewDuration(sessions: readonly Line[]): number {
  const given = sessions.flatMap(s => (s.given ? [Date.parse(s.given)] : [])).sort((a, b) => a - b)
  const gaps = given
    .slice(1)
    .map((at, i) => at - given[i]!)
    .filter(gap => gap > 0 && gap <= MAX_REVIEW_MS)
    .sort((a, b) => a - b)
  return gaps[Math.floor(gaps.length / 2)] ?? TYPICAL_REVIEW_MS
}

/**
 * An instructor's progress through the queue.
 * @param now ms since 1970
 * @returns `done`: reviews delivered in this sitting; `waiting`: reviews not delivered yet, including those in progress; `minutes`: roughly
 * how long the waiting ones will take (at least 1 if there are any)
 */
export function reviewsDoneAndMinutesLeft(
  { folders, waiting: { total } }: Queue,
  now: number,
): { done: number; waiting: number; minutes: number } {
  const done = folders.filter(s => s.given && now - Date.parse(s.given) < SITTING_MS).length
  const waiting = total + folders.filter(s => s.status === 'in-review').length
  return { done, waiting, minutes: waiting && Math.max(1, Math.round((waiting * reviewDuration(folders)) / 60_000)) }
}

/** 'about 48 min', 'about 2 hours' */
const aboutMinutes = (minutes: number) => `about ${minutes < 100 ? `${minutes} min` : countWithNoun(Math.round(minutes / 60), 'hour')}`

/** '8 of 23 · about 48 min': the position of the current review in this sitting, and the time left. Empty if no review is waiting. */
export const currentReviewPositionText = ({ done, waiting, minutes }: ReturnType<typeof reviewsDoneAndMinutesLeft>): string =>
  waiting ? `${done + 1} of ${done + waiting} · ${aboutMinutes(minutes)}` : ''

/** '7 of 23 done · about 48 min'; before the first delivery of a sitting only the time; empty if no review is waiting. */
export function queueProgressAndTimeLeftText({ done, waiting, minutes }: ReturnType<typeof reviewsDoneAndMinutesLeft>): string {
  if (!waiting) return ''
  return done ? `${done} of ${done + waiting} done · ${aboutMinutes(minutes)}` : aboutMinutes(minutes)
}
