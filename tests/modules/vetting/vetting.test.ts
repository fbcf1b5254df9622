import { describe, expect, test } from 'vitest'
import { fold } from '../../../modules/kernel/decider.ts'
import { isCheckExpired } from '../../../modules/vetting/policy.ts'
import { standingOf, type VettingEvent, vetting } from '../../../modules/vetting/vetting.ts'
import { refusal } from '../../support/refusal.ts'

const given = (...events: VettingEvent[]) => fold(vetting, events as { type: string; data: unknown }[])
const confirmed: VettingEvent = { type: 'EmailConfirmed', data: {} }
const approved: VettingEvent = { type: 'InstructorApproved', data: {} }
const suspended: VettingEvent = { type: 'InstructorSuspended', data: { reason: 'A parent wrote to us.' } }
const declined: VettingEvent = { type: 'InstructorDeclined', data: { reason: 'No references.' } }
const background = { check: 'background', checked: '2026-05-02', reference: 'Report 20931', expires: '2027-05-02' } as const
const recorded: VettingEvent = { type: 'CheckRecorded', data: background }
const { decide } = vetting

describe('an instructor', () => {
  test('is pending until approved, and approved only with a confirmed email', () => {
    expect(given().status).toBe('pending')
    expect(refusal(() => decide.approve(given()))).toEqual({ code: 'email-unconfirmed' })
    expect(decide.approve(given(confirmed))).toEqual(approved)
    expect(decide.approve(given(confirmed, approved))).toEqual([])
    expect(decide.confirmEmail(given())).toEqual(confirmed)
    expect(decide.confirmEmail(given(confirmed))).toEqual([])
  })

  test('is declined while pending, and may be approved later after all', () => {
    expect(decide.decline(given(), { reason: 'No references.' })).toEqual(declined)
    expect(decide.decline(given(declined), { reason: 'Others.' })).toEqual([])
    expect(refusal(() => decide.decline(given(confirmed, approved), { reason: 'No.' }))).toEqual({ code: 'not-pending' })
    expect(given(declined)).toMatchObject({ status: 'declined', reason: 'No references.' })
    expect(decide.approve(given(confirmed, declined))).toEqual(approved)
    expect(given(confirmed, declined, approved)).toMatchObject({ status: 'approved', reason: null })
  })

  test('is suspended, and reinstated to where they stood', () => {
    const reason = 'A parent wrote to us.'
    expect(decide.suspend(given(confirmed, approved), { reason })).toEqual(suspended)
    expect(decide.suspend(given(suspended), { reason })).toEqual([])
    expect(refusal(() => decide.suspend(given(declined), { reason }))).toEqual({ code: 'declined' })
    expect(refusal(() => decide.approve(given(confirmed, suspended)))).toEqual({ code: 'suspended' })
    const reinstated = (status: 'pending' | 'approved'): VettingEvent => ({ type: 'InstructorReinstated', data: { status } })
    expect(decide.reinstate(given(confirmed, approved, suspended))).toEqual(reinstated('approved'))
    expect(decide.reinstate(given(suspended))).toEqual(reinstated('pending'))
    expect(decide.reinstate(given(confirmed, approved))).toEqual([])
    expect(given(confirmed, approved, suspended, reinstated('approved'))).toMatchObject({ status: 'approved', reason: null })
  })

  test('is featured once approved', () => {
    const until = '2026-06-04T10:00:00.000Z'
    expect(refusal(() => decide.feature(given(), { until }))).toEqual({ code: 'not-approved' })
    expect(decide.feature(given(confirmed, approved), { until })).toEqual({ type: 'InstructorFeatured', data: { until } })
    expect(decide.feature(given(confirmed, approved), { until: null })).toEqual([])
    const featured: VettingEvent = { type: 'InstructorFeatured', data: { until } }
    expect(decide.feature(given(confirmed, approved, featured), { until: null })).toEqual({
      type: 'InstructorFeatured',
      data: { until: null },
    })
  })
})

describe('a check', () => {
  test('is recorded once, lies in the past, and expires after it was done', () => {
    const today = '2026-05-10'
    expect(decide.recordCheck(given(), { ...background, today })).toEqual(recorded)
    expect(decide.recordCheck(given(recorded), { ...background, today })).toEqual([])
    expect(decide.recordCheck(given(recorded), { ...background, expires: '2028-05-02', today })).toMatchObject({ type: 'CheckRecorded' })
    expect(refusal(() => decide.recordCheck(given(), { ...background, checked: '2026-05-11', today }))).toEqual({
      code: 'check-day',
      field: 'checked',
    })
    expect(refusal(() => decide.recordCheck(given(), { ...background, expires: '2026-05-02', today }))).toEqual({
      code: 'check-expiry',
      field: 'expires',
    })
  })

  test('is withdrawn where it was recorded', () => {
    const withdrawn = { check: 'background', reason: 'The wrong person.' } as const
    expect(decide.withdrawCheck(given(), withdrawn)).toEqual([])
    expect(decide.withdrawCheck(given(recorded), withdrawn)).toEqual({ type: 'CheckWithdrawn', data: withdrawn })
    expect(given(recorded, { type: 'CheckWithdrawn', data: withdrawn }).checks).toEqual({})
  })

  test('is good through its last day', () => {
    expect(isCheckExpired({ expires: '2027-05-02' }, '2027-05-02')).toBe(false)
    expect(isCheckExpired({ expires: '2027-05-02' }, '2027-05-03')).toBe(true)
    expect(isCheckExpired({ expires: null }, '2099-01-01')).toBe(false)
  })
})

test('strangers reach approved instructors, own players pending ones, nobody others', () => {
  const [before, after] = ['2027-05-02', '2027-05-03']
  const standing = (events: VettingEvent[], day: string) => [false, true].map(minor => standingOf(given(...events), day, minor))
  expect(standing([], before)).toEqual(['invited', 'invited'])
  expect(standing([confirmed, approved], before)).toEqual(['open', 'open'])
  expect(standing([confirmed, recorded, approved], before)).toEqual(['open', 'open'])
  expect(standing([confirmed, recorded, approved], after)).toEqual(['open', 'invited'])
  for (const end of [suspended, declined]) expect(standing([confirmed, end], before)).toEqual(['closed', 'closed'])
})
