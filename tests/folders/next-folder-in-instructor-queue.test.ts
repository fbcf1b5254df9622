import { expect, it } from 'vitest'
import { nextInstructorTask, nextReview } from '../../src/folders/next-folder-in-instructor-queue.ts'

const of = (
  assignment: string,
  status: 'assigned' | 'in-review' | 'feedback-given' | 'paid',
  clarification: 'none' | 'asked' = 'none',
) => ({
  assignment,
  status,
  clarification,
})
const queue = [
  of('old', 'paid', 'asked'),
  of('first', 'assigned'),
  of('begun', 'in-review'),
  of('second', 'assigned'),
  of('done', 'feedback-given'),
]
const without = (...ids: string[]) => queue.filter(f => !ids.includes(f.assignment))

it('the next item is a question, then a started review, then the oldest folder', () => {
  expect(nextInstructorTask(queue)?.assignment).toBe('old')
  expect(nextInstructorTask(without('old'))?.assignment).toBe('begun')
  expect(nextInstructorTask(without('old', 'begun'))?.assignment).toBe('first')
  expect(nextInstructorTask(without('begun', 'first', 'second', 'old'))).toBeUndefined()
})
it('after a delivery the next item is another review, never a question', () => {
  expect(nextReview(queue, 'begun')?.assignment).toBe('first')
  expect(nextReview(without('first', 'second'), 'begun')).toBeUndefined()
})
