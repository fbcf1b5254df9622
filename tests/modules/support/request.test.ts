import { expect, test } from 'vitest'
import { fold } from '../../../modules/kernel/decider.ts'
import { request, type SupportEvent } from '../../../modules/support/request.ts'
import { refusal } from '../../support/refusal.ts'

const given = (...events: SupportEvent[]) => fold(request, events as { type: string; data: unknown }[])
const data = {
  by: 'u1',
  requestType: 'issue',
  content: 'It stops.',
  deviceInfo: null,
  priority: 'medium' as const,
  suggestedSolution: null,
}
const asked: SupportEvent = { type: 'SupportRequested', data }
const answered: SupportEvent = { type: 'SupportAnswered', data: { answer: 'Fixed.', by: 'a1' } }
const { decide } = request

test('a request is asked once', () => {
  expect(decide.ask(given(), data)).toEqual(asked)
  expect(decide.ask(given(asked), data)).toEqual([])
})
test('an answer is given once, another one may follow', () => {
  expect(decide.answer(given(asked), answered.data)).toEqual(answered)
  expect(decide.answer(given(asked, answered), answered.data)).toEqual([])
  expect(decide.answer(given(asked, answered), { answer: 'Really fixed.', by: 'a1' })).toMatchObject({ type: 'SupportAnswered' })
})
test('a status is set where it is another', () => {
  expect(decide.set(given(asked), { status: 'closed' })).toEqual({ type: 'SupportStatusSet', data: { status: 'closed' } })
  expect(decide.set(given(asked), { status: 'open' })).toEqual([])
  expect(decide.set(given(asked, answered), { status: 'answered' })).toEqual([])
  // Closed it keeps its answers; an answer opens it again.
  const closed: SupportEvent = { type: 'SupportStatusSet', data: { status: 'closed' } }
  expect(given(asked, answered, closed)).toEqual({ status: 'closed', answers: ['Fixed.'] })
  expect(decide.answer(given(asked, answered, closed), answered.data)).toEqual([])
  expect(given(asked, closed, answered)).toEqual({ status: 'answered', answers: ['Fixed.'] })
})
test('what nobody asked cannot be answered', () => {
  expect(refusal(() => decide.answer(given(), answered.data))).toEqual({ code: 'no-request' })
  expect(() => decide.answer(given(), answered.data)).toThrow('no such request')
  expect(() => decide.set(given(), { status: 'closed' })).toThrow('no such request')
})
