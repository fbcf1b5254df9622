import { describe, expect, test } from 'vitest'
import { isCheckExpired } from '../../../modules/vetting/policy.ts'
import { checksEndedByNameChange, instructorReachabilityOf, type VettingEvent, vettingDecider } from '../../../modules/vetting/vetting.ts'
import { deciderSpec } from '../../support/decider-spec.ts'

const { given } = deciderSpec(vettingDecider)
const confirmed: VettingEvent = { type: 'EmailConfirmed', data: {} }
const approved: VettingEvent = { type: 'InstructorApproved', data: {} }
const suspended: VettingEvent = { type: 'InstructorSuspended', data: { reason: 'A parent wrote to us.' } }
const declined: VettingEvent = { type: 'InstructorDeclined', data: { reason: 'No references.' } }
const background = { check: 'background', checked: '2026-05-02', reference: 'Report 20931', expires: '2027-05-02' } as const
const recorded: VettingEvent = { type: 'CheckRecorded', data: background }

describe('an instructor', () => {
  test('is pending until approved, which requires a confirmed email', () => {
    expect(given().state.status).toBe('pending')
    given().when('approve').refuses('email-unconfirmed')
    given(confirmed).when('approve').gives(approved)
    given(confirmed, approved).when('approve').gives()
    given().when('confirmEmail').gives(confirmed)
    given(confirmed).when('confirmEmail').gives()
  })

  test('can be declined while pending, and approved later', () => {
    given().when('decline', { reason: 'No references.' }).gives(declined)
    given(declined).when('decline', { reason: 'Others.' }).gives()
    given(confirmed, approved).when('decline', { reason: 'No.' }).refuses('not-pending')
    expect(given(declined).state).toMatchObject({ status: 'declined', reason: 'No references.' })
    given(confirmed, declined).when('approve').gives(approved)
    expect(given(confirmed, declined, approved).state).toMatchObject({ status: 'approved', reason: null })
  })

  test('can be suspended, and reinstated with the previous status', () => {
    const reason = 'A parent wrote to us.'
    given(confirmed, approved).when('suspend', { reason }).gives(suspended)
    given(suspended).when('suspend', { reason }).gives()
    given(declined).when('suspend', { reason }).refuses('declined')
    given(confirmed, suspended).when('approve').refuses('suspended')
    const reinstated = (status: 'pending' | 'approved'): VettingEvent => ({ type: 'InstructorReinstated', data: { status } })
    given(confirmed, approved, suspended).when('reinstate').gives(reinstated('approved'))
    given(suspended).when('reinstate').gives(reinstated('pending'))
    given(confirmed, approved).when('reinstate').gives()
    expect(given(confirmed, approved, suspended, reinstated('approved')).state).toMatchObject({ status: 'approved', reason: null })
  })

  test('can be featured only while approved', () => {
    const until = '2026-06-04T10:00:00.000Z'
    given().when('feature', { until }).refuses('not-approved')
    given(confirmed, approved).when('feature', { until }).gives({ type: 'InstructorFeatured', data: { until } })
    given(confirmed, approved).when('feature', { until: null }).gives()
    given(confirmed, approved)
      .when('feature', { until: null, isFeaturedByReferral: true })
      .gives({ type: 'InstructorFeatured', data: { until: null } })
    const featured: VettingEvent = { type: 'InstructorFeatured', data: { until } }
    given(confirmed, approved, featured)
      .when('feature', { until: null })
      .gives({
        type: 'InstructorFeatured',
        data: { until: null },
      })
  })
})

describe('a check', () => {
  test('is recorded once, with a date in the past and a later expiry date', () => {
    const today = '2026-05-10'
    given()
      .when('recordCheck', { ...background, today })
      .gives(recorded)
    given(recorded)
      .when('recordCheck', { ...background, today })
      .gives()
    given(recorded)
      .when('recordCheck', { ...background, expires: '2028-05-02', today })
      .givesLike({ type: 'CheckRecorded' })
    given()
      .when('recordCheck', { ...background, checked: '2026-05-11', today })
      .refuses('check-day', 'checked')
    given()
      .when('recordCheck', { ...background, expires: '2026-05-02', today })
      .refuses('check-expiry', 'expires')
  })

  test('can be withdrawn only after it was recorded', () => {
    const withdrawn = { check: 'background', reason: 'The wrong person.' } as const
    given().when('withdrawCheck', withdrawn).gives()
    given(recorded).when('withdrawCheck', withdrawn).gives({ type: 'CheckWithdrawn', data: withdrawn })
    expect(given(recorded, { type: 'CheckWithdrawn', data: withdrawn }).state.checks).toEqual({})
  })

  test('is valid until the end of its last day', () => {
    expect(isCheckExpired({ expires: '2027-05-02' }, '2027-05-02')).toBe(false)
    expect(isCheckExpired({ expires: '2027-05-02' }, '2027-05-03')).toBe(true)
    expect(isCheckExpired({ expires: null }, '2099-01-01')).toBe(false)
  })
})

test('approved instructors are open to all players, pending ones to their own players', () => {
  const [before, after] = ['2027-05-02', '2027-05-03']
  const standing = (events: VettingEvent[], day: string) =>
    [false, true].map(minor => instructorReachabilityOf(given(...events).state, day, minor))
  expect(standing([], before)).toEqual(['invited', 'invited'])
  expect(standing([confirmed, approved], before)).toEqual(['open', 'open'])
  expect(standing([confirmed, recorded, approved], before)).toEqual(['open', 'open'])
  expect(standing([confirmed, recorded, approved], after)).toEqual(['open', 'invited'])
  for (const end of [suspended, declined]) expect(standing([confirmed, end], before)).toEqual(['closed', 'closed'])
})

test('an expired check, which keeps minors away, outlives a change of name', () => {
  const { state } = given(confirmed, recorded, approved)
  expect(checksEndedByNameChange(state, '2027-05-02')).toEqual(['background'])
  expect(checksEndedByNameChange(state, '2027-05-03')).toEqual([])
})
