import { expect, it } from 'vitest'
import {
  currentReviewPositionText,
  queueProgressAndTimeLeftText,
  reviewsDoneAndMinutesLeft,
} from '../../src/folders/instructor-review-progress-and-minutes-left.ts'

const NOW = Date.parse('2026-05-01T20:00:00Z')
const minutesAgo = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString()
const waiting = (count: number) => Array.from({ length: count }, () => ({ status: 'assigned' as const, given: null }))
const delivered = (...minutes: number[]) => minutes.map(at => ({ status: 'feedback-given' as const, given: minutesAgo(at) }))
/** Returns the progress of a queue with `onLaterPages` further waiting sessions on later pages. */
const progressOf = (folders: Parameters<typeof reviewsDoneAndMinutesLeft>[0]['folders'], onLaterPages = 0) =>
  reviewsDoneAndMinutesLeft({ folders, waiting: { total: folders.filter(f => f.status === 'assigned').length + onLaterPages } }, NOW)
const textOf = (...queue: Parameters<typeof progressOf>) => queueProgressAndTimeLeftText(progressOf(...queue))

it('the progress counts recent deliveries and estimates by their median time', () => {
  // The deliveries are three, three and four minutes apart. A two-hour break and a delivery on another day do not count.
  const queue = [...delivered(2000, 131, 11, 8, 5, 1), ...waiting(16)]
  expect(progressOf(queue)).toEqual({ done: 5, waiting: 16, minutes: 48 })
  expect(textOf(queue)).toBe('5 of 21 done · about 48 min')
})
it('the position text has the number of the open review, the total and an estimate', () => {
  expect(currentReviewPositionText(progressOf([...delivered(8, 5), ...waiting(3)]))).toBe('3 of 5 · about 9 min')
  expect(currentReviewPositionText(progressOf(waiting(1)))).toBe('1 of 1 · about 5 min')
  expect(currentReviewPositionText(progressOf(delivered(5)))).toBe('')
})
it('before two deliveries in a row the estimate uses a typical time', () => {
  expect(textOf(waiting(3))).toBe('about 15 min')
  expect(textOf([...delivered(10), ...waiting(2)])).toBe('1 of 3 done · about 10 min')
})
it('a long estimate is in hours, and there is none if nothing waits', () => {
  expect(textOf(waiting(10), 20)).toBe('about 3 hours')
  expect(textOf(delivered(10, 5))).toBe('')
})
