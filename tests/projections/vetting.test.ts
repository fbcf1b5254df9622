import { expect, test } from 'vitest'
import { validityOfCheck } from '../../modules/vetting/policy.ts'
import { vettings } from '../../projections/vetting.ts'
import { projectedRowsOf, toRecordedEvents } from './project-events-in-memory.ts'

const check = (of: string, reference: string) => ({ check: of, checked: '2026-04-30', reference, expires: null })

test('a row has the status, and the newest check of each kind with author and time', () => {
  const stream = 'vetting-kim'
  const events = toRecordedEvents([
    { stream, type: 'CheckRecorded', data: check('identity', 'Passport'), by: 'ada' },
    { stream, type: 'CheckRecorded', data: check('background', 'Report 1'), by: 'ada' },
    { stream, type: 'CheckRecorded', data: check('background', 'Report 2'), by: 'eve' },
    { stream, type: 'EmailConfirmed', data: {}, by: 'kim' },
    { stream, type: 'InstructorApproved', data: {}, by: 'ada' },
    { stream, type: 'CheckWithdrawn', data: { check: 'identity', reason: 'Wrong' }, by: 'ada' },
    { stream, type: 'InstructorSuspended', data: { reason: 'A parent wrote.' }, by: 'ada' },
  ])
  expect(projectedRowsOf(vettings, events.slice(0, 1)).get('kim')).toMatchObject({
    status: 'pending',
    decided: null,
    email_confirmed: false,
  })
  expect(projectedRowsOf(vettings, events).get('kim')).toEqual({
    instructor: 'kim',
    status: 'suspended',
    reason: 'A parent wrote.',
    decided: events[6]!.at,
    email_confirmed: true,
    featured: null,
    leaving: false,
    closed: false,
    checks: [{ kind: 'background', checked: '2026-04-30', reference: 'Report 2', expires: null, by: 'eve', recorded: events[2]!.at }],
  })
})

test('only administrators reopen a closed account; a restored backup keeps it closed', () => {
  const stream = 'account-kim'
  const due = '2026-06-30T12:00:00.000Z'
  const scheduled = (cause?: string) => ({ stream, type: 'DeletionScheduled', data: { due, ...(cause && { cause }) } })
  const canceled = (isReopened?: true) => ({ stream, type: 'DeletionCanceled', data: { ...(isReopened && { isReopened }) } })
  const after = (...events: { stream: string; type: string; data: object }[]) => {
    const { leaving, closed } = projectedRowsOf(vettings, toRecordedEvents(events)).get('kim')!
    return { leaving, closed }
  }
  expect(after(scheduled())).toEqual({ leaving: true, closed: false })
  expect(after(scheduled(), canceled())).toEqual({ leaving: false, closed: false })
  expect(after(scheduled('closed'))).toEqual({ leaving: true, closed: true })
  expect(after(scheduled('closed'), canceled())).toEqual({ leaving: true, closed: true })
  expect(after(scheduled('closed'), scheduled('backup-restored'))).toEqual({ leaving: true, closed: true })
  expect(after(scheduled('backup-restored'))).toEqual({ leaving: true, closed: false })
  expect(after(scheduled('closed'), canceled(true))).toEqual({ leaving: false, closed: false })
})

test('a check counts as expiring soon for 30 days, and as expired after its last day', () => {
  const on = (day: string) => validityOfCheck({ expires: '2026-06-30' }, new Date(`${day}T12:00:00.000Z`))
  expect(['2026-05-30', '2026-05-31', '2026-06-30', '2026-07-01'].map(on)).toEqual(['valid', 'expiring', 'expiring', 'expired'])
  expect(validityOfCheck({ expires: null }, new Date())).toBe('valid')
})
