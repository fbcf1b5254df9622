import { expect, test } from 'vitest'
import { fold } from '../../../modules/kernel/decider.ts'
import { type AllowanceEvent, allowanceDecider, centsSpentInMonth, monthOf } from '../../../modules/payments/allowance.ts'
import { deciderSpec } from '../../support/decider-spec.ts'

const { given } = deciderSpec(allowanceDecider)
const limit = (monthly: number | null, guardian = 'g'): AllowanceEvent => ({ type: 'SpendingLimitSet', data: { guardian, monthly } })
const session = (assignment: string, month = '2026-05', cents = 2500) => ({ assignment, folder: 'f', player: 'p', month, cents })
const counted = (...of: Parameters<typeof session>): AllowanceEvent => ({ type: 'SpendingCounted', data: session(...of) })
/** `limitCheck` builds the command for an attempt to assign a folder, and `countedBy` builds the event that it causes. */
const limitCheck = (...of: Parameters<typeof session>) => ({ ...session(...of), attempt: 't1', guardian: 'g', approved: false })
const countedBy = (attempt: string, ...of: Parameters<typeof session>): AllowanceEvent => ({
  type: 'SpendingCounted',
  data: { ...session(...of), attempt, guardian: 'g' },
})
const kept = (attempt: string): AllowanceEvent => ({
  type: 'SpendingKept',
  data: { assignment: 'as1', folder: 'f', player: 'p', attempt },
})

test('without a monthly limit every session needs approval', () => {
  given().when('count', limitCheck('as1')).refuses('approval-needed')
  given(limit(5000), limit(null)).when('count', limitCheck('as1')).refuses('approval-needed')
})

test('a session within the monthly limit needs no approval, to the cent', () => {
  given(limit(5000), counted('as1')).when('count', limitCheck('as2')).gives(countedBy('t1', 'as2'))
  given(limit(4999), counted('as1')).when('count', limitCheck('as2')).refuses('approval-needed')
  given(limit(5000), counted('as1'), counted('as2'))
    .when('count', limitCheck('as3', '2026-05', 1))
    .refuses('approval-needed')
})

test('each month begins with the full limit', () => {
  given(limit(2500), counted('as1'))
    .when('count', limitCheck('as2', '2026-06'))
    .gives(countedBy('t1', 'as2', '2026-06'))
})

test('a session counts at its maximum price until it is billed, and then at the bill', () => {
  const billed: AllowanceEvent = { type: 'SpendingCorrected', data: { assignment: 'as1', cents: 1550 } }
  given(limit(4050), counted('as1')).when('count', limitCheck('as2')).refuses('approval-needed')
  given(counted('as1')).when('correct', { assignment: 'as1', cents: 1550 }).gives(billed)
  given(limit(4050), counted('as1'), billed).when('count', limitCheck('as2')).gives(countedBy('t1', 'as2'))
  given(counted('as1'), billed).when('correct', { assignment: 'as1', cents: 1550 }).gives()
  given().when('correct', { assignment: 'as1', cents: 1550 }).gives()
})

test('an approved session may exceed the limit, and counts toward it', () => {
  given()
    .when('count', { ...limitCheck('as1'), approved: true })
    .gives(countedBy('t1', 'as1'))
  given(limit(2500), counted('as1')).when('count', limitCheck('as2')).refuses('approval-needed')
})

test('a session counts only once, and again if it was canceled before', () => {
  given(limit(2500), counted('as1')).when('count', limitCheck('as1')).gives(kept('t1'))
  given(limit(2500), counted('as1'), kept('t1')).when('count', limitCheck('as2')).refuses('approval-needed')
  given(limit(2500), counted('as1'), { type: 'SpendingCorrected', data: { assignment: 'as1', cents: 0 } })
    .when('count', limitCheck('as1'))
    .gives(countedBy('t1', 'as1'))
})

test('a failed attempt takes a session off the limit unless it was tried again', () => {
  const uncounted: AllowanceEvent = { type: 'SpendingCorrected', data: { assignment: 'as1', cents: 0 } }
  const failed = (attempt?: string) => ({ assignment: 'as1', cents: 0, attempt })
  given(countedBy('t1', 'as1')).when('correct', failed('t1')).gives(uncounted)
  const triedAgain = given(countedBy('t1', 'as1'), kept('t2'))
  triedAgain.when('correct', failed('t1')).gives()
  triedAgain.when('correct', failed('t2')).gives(uncounted)
  triedAgain.when('correct', failed()).gives(uncounted)
  given(countedBy('t1', 'as1'), uncounted, countedBy('t2', 'as1')).when('correct', failed('t1')).gives()
})

test('the limit of a guardian does not apply to the next guardian', () => {
  given(limit(9000))
    .when('count', { ...limitCheck('as1'), guardian: 'h' })
    .refuses('approval-needed')
  given(limit(9000)).when('limit', { guardian: 'h', monthly: 9000 }).gives(limit(9000, 'h'))
  given(limit(9000)).when('limit', { guardian: 'g', monthly: 9000 }).gives()
  given().when('limit', { guardian: 'g', monthly: null }).gives()
})

test('what a former guardian pays is not counted toward the limit of the next guardian', () => {
  const takenOver = given(countedBy('t1', 'as1'), limit(2500, 'h'))
  takenOver.when('count', { ...limitCheck('as2'), guardian: 'h' }).gives({
    type: 'SpendingCounted',
    data: { ...session('as2'), attempt: 't1', guardian: 'h' },
  })
  expect(['g', 'h'].map(guardian => centsSpentInMonth(takenOver.state, '2026-05', guardian))).toEqual([2500, 0])
})

test("a month is a calendar month in the player's time zone", () => {
  const at = new Date('2026-06-01T03:30:00.000Z')
  expect([monthOf(at, 'America/New_York'), monthOf(at, 'Europe/Paris')]).toEqual(['2026-05', '2026-06'])
  expect(centsSpentInMonth(fold(allowanceDecider, [counted('as1'), counted('as2', '2026-06', 100)]), '2026-06', 'g')).toBe(100)
})
