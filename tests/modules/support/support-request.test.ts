import { expect, test } from 'vitest'
import { type SupportEvent, supportRequestDecider } from '../../../modules/support/support-request.ts'
import { deciderSpec } from '../../support/decider-spec.ts'

const { given } = deciderSpec(supportRequestDecider)
const data = {
  by: 'u1',
  requestType: 'issue',
  content: 'It stops.',
  deviceInfo: null,
  priority: 'medium' as const,
  suggestedSolution: null,
}
const supportRequested: SupportEvent = { type: 'SupportRequested', data }
const answered: SupportEvent = { type: 'SupportAnswered', data: { answer: 'Fixed.', by: 'a1' } }

test('a support request is recorded once', () => {
  given().when('ask', data).gives(supportRequested)
  given(supportRequested).when('ask', data).gives()
})
test('an answer is recorded once, and another answer may follow', () => {
  given(supportRequested).when('answer', answered.data).gives(answered)
  given(supportRequested, answered).when('answer', answered.data).gives()
  given(supportRequested, answered).when('answer', { answer: 'Really fixed.', by: 'a1' }).givesLike({ type: 'SupportAnswered' })
})
test('a status is recorded only if it changes', () => {
  given(supportRequested)
    .when('set', { status: 'closed' })
    .gives({ type: 'SupportStatusSet', data: { status: 'closed' } })
  given(supportRequested).when('set', { status: 'open' }).gives()
  given(supportRequested, answered).when('set', { status: 'answered' }).gives()
  // A closed request keeps its answers. Another answer, even an identical one, changes its status to answered.
  const closed: SupportEvent = { type: 'SupportStatusSet', data: { status: 'closed' } }
  expect(given(supportRequested, answered, closed).state).toEqual({ status: 'closed', answers: ['Fixed.'] })
  given(supportRequested, answered, closed).when('answer', answered.data).gives(answered)
  expect(given(supportRequested, closed, answered).state).toEqual({ status: 'answered', answers: ['Fixed.'] })
})
test('an unknown support request cannot be answered', () => {
  given().when('answer', answered.data).refuses('no-request')
  expect(given().when('answer', answered.data).decide).toThrow('no such request')
  expect(given().when('set', { status: 'closed' }).decide).toThrow('no such request')
})
test('an expired support request is deleted once, and accepts no more answers', () => {
  const deleted: SupportEvent = { type: 'SupportRequestDeleted', data: { events: ['e1', 'e2'] } }
  given(supportRequested, answered)
    .when('expire', { events: ['e1', 'e2'] })
    .gives(deleted)
  given(supportRequested, answered, deleted).when('expire', { events: [] }).gives()
  given()
    .when('expire', { events: ['e1'] })
    .gives()
  given(supportRequested, deleted).when('answer', answered.data).refuses('no-request')
  expect(given(supportRequested, answered, deleted).state).toEqual({ status: 'none', answers: [] })
})
