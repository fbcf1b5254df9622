import { expect, test } from 'vitest'
import { obstacleToChildDeletion, obstacleToOwnDeletion } from '../../src/api/deletion-obstacle-messages.ts'

const none = { assigned: 0, unpaid: 0, undecided: 0, open: 0, reviewing: 0, expected: 0 }
const pending = 'A refund or a payment dispute is still pending. Try again once it is settled.'

test.each([
  [{ assigned: 1 }, 'One of your folders is with an instructor. Take it back, or wait for the feedback and pay for it.'],
  [{ unpaid: 1 }, 'You received feedback that has not been paid for yet. Pay for it first.'],
  [{ reviewing: 1 }, 'You have started a review. Deliver it or decline the folder first.'],
  [{ undecided: 1 }, pending],
  [{ expected: 1 }, 'You have not received all the money for your feedback yet. Try again once you have.'],
  [{ open: 1 }, null],
])('the owner is told what they have to settle first: %j', (obligations, obstacle) => {
  expect(obstacleToOwnDeletion({ ...none, ...obligations }, false)).toBe(obstacle)
})

test('a minor, who cannot pay, is told to ask the parent or guardian', () => {
  expect(obstacleToOwnDeletion({ ...none, assigned: 1 }, true)).toMatch(
    /wait for the feedback and ask your parent or guardian to pay for it\.$/,
  )
  expect(obstacleToOwnDeletion({ ...none, unpaid: 1 }, true)).toMatch(/Ask your parent or guardian to pay for it first\.$/)
})

test.each([
  [{ assigned: 1 }, /^One of Leo's folders is with an instructor\. Leo can take it back\. Or you can .*withdraw your consent\.$/],
  [{ unpaid: 1 }, /^Feedback for Leo has not been paid for yet\. Pay for it first\.$/],
  [{ undecided: 1 }, new RegExp(`^${pending}$`)],
])('a guardian is told what has to be settled first: %j', (obligations, obstacle) => {
  expect(obstacleToChildDeletion({ ...none, ...obligations }, 'Leo')).toMatch(obstacle)
})

test("what only instructors have to settle does not hold up a child's deletion", () => {
  expect(obstacleToChildDeletion({ ...none, open: 1, reviewing: 1, expected: 1 }, 'Leo')).toBeNull()
})
