import { expect, test } from 'vitest'
import { fold } from '../../../modules/kernel/decider.ts'
import {
  type AccountEvent,
  accountDecider,
  availableExport,
  latestExport,
} from '../../../modules/privacy/account-exports-and-deletion-decider.ts'
import { deciderSpec } from '../../support/decider-spec.ts'

const { given } = deciderSpec(accountDecider)
const requested = { type: 'ExportRequested', data: { export: 'one', at: '2026-03-01T10:00:00.000Z' } } satisfies AccountEvent
const made = { type: 'ExportMade', data: { export: 'one', bytes: 9, until: '2026-03-08T10:00:00.000Z' } } satisfies AccountEvent
const started: AccountEvent = { type: 'DeletionStarted', data: {} }

test('only one export can be pending, but after a day it does not block another one', () => {
  const again = (at: string) => ({ export: 'two', at })
  given(requested).when('requestExport', again('2026-03-01T12:00:00.000Z')).refuses('export-under-way')
  const later = again('2026-03-02T10:00:01.000Z')
  given(requested).when('requestExport', later).gives({ type: 'ExportRequested', data: later })
  const next = again('2026-03-01T12:00:00.000Z')
  given(requested, made).when('requestExport', next).gives({ type: 'ExportRequested', data: next })
})

test('an export is finished once, and not requested or finished during a deletion', () => {
  given(requested).when('finishExport', made.data).gives(made)
  given(requested, made).when('finishExport', made.data).gives()
  given(requested, started).when('finishExport', made.data).gives()
  given(started).when('requestExport', requested.data).refuses('deletion-started')
})

test('an export can be downloaded until it expires', () => {
  const state = fold(accountDecider, [requested, made])
  expect(availableExport(state, 'one', null, new Date('2026-03-08T09:59:59.000Z'))).toMatchObject({ id: 'one' })
  expect(availableExport(state, 'one', null, new Date('2026-03-08T10:00:00.000Z'))).toBeUndefined()
  expect(availableExport(state, 'two', null, new Date('2026-03-02T10:00:00.000Z'))).toBeUndefined()
})

test('an export that a guardian requested is only for that guardian', () => {
  const asked = { export: 'two', at: '2026-03-01T11:00:00.000Z', guardian: 'maria' }
  const done = { export: 'two', bytes: 9, until: '2026-03-08T10:00:00.000Z' }
  const theirs: AccountEvent[] = [
    { type: 'ExportRequested', data: asked },
    { type: 'ExportMade', data: { ...done, guardian: 'maria' } },
  ]
  given(requested).when('requestExport', asked).gives(theirs[0]!)
  given(requested, theirs[0]!).when('finishExport', done).gives(theirs[1]!)
  const now = new Date('2026-03-02T10:00:00.000Z')
  const state = fold(accountDecider, theirs)
  expect(['maria', 'rosa', null].map(reader => availableExport(state, 'two', reader, now)?.id)).toEqual(['two', undefined, undefined])
  const download = { export: 'two', at: '2026-03-02T10:00:00.000Z' }
  given(...theirs)
    .when('downloadExport', download)
    .gives()
  given(...theirs)
    .when('downloadExport', { ...download, guardian: 'maria' })
    .gives({ type: 'ExportDownloaded', data: download })
})

test('the latest export is a pending one, or else the last that can be downloaded', () => {
  const second: AccountEvent = { type: 'ExportRequested', data: { export: 'two', at: '2026-03-02T10:00:00.000Z' } }
  const secondMade: AccountEvent = { type: 'ExportMade', data: { export: 'two', bytes: 7, until: '2026-03-09T10:00:00.000Z' } }
  const newest = (at: string, ...events: AccountEvent[]) => latestExport(fold(accountDecider, events), null, new Date(at))?.id
  expect(newest('2026-03-01T10:00:00.000Z')).toBeUndefined()
  expect(newest('2026-03-02T11:00:00.000Z', requested, made, second)).toBe('two')
  expect(newest('2026-03-03T10:00:00.000Z', requested, made, second)).toBe('one')
  expect(newest('2026-03-03T10:00:00.000Z', requested, made, second, secondMade)).toBe('two')
  expect(newest('2026-03-09T10:00:00.000Z', requested, made, second, secondMade)).toBeUndefined()
})

test('a download is recorded only for its own export', () => {
  const at = '2026-03-02T10:00:00.000Z'
  const second: AccountEvent = { type: 'ExportRequested', data: { export: 'two', at } }
  const downloaded: AccountEvent = { type: 'ExportDownloaded', data: { export: 'one', at } }
  expect(given(requested, second, made, downloaded).state.exports).toEqual([
    { id: 'one', requested: requested.data.at, guardian: null, made: { bytes: 9, until: made.data.until }, downloaded: at },
    { id: 'two', requested: at, guardian: null, made: null, downloaded: null },
  ])
})

test('an account change is recorded with its field name but without the values', () => {
  const at = '2026-03-01T10:00:00.000Z'
  given()
    .when('recordChanges', { fields: ['name', 'phone'], at })
    .gives({ type: 'AccountChanged', data: { field: 'name', at } }, { type: 'AccountChanged', data: { field: 'phone', at } })
  const changed = (field: 'name' | 'phone', at: string): AccountEvent => ({ type: 'AccountChanged', data: { field, at } })
  const later = '2026-03-04T10:00:00.000Z'
  expect(given(changed('name', at), changed('phone', at), changed('name', later)).state.changed).toEqual({ name: later, phone: at })
})

test('an account registers only once, and not while it is being deleted', () => {
  const registered: AccountEvent = { type: 'AccountRegistered', data: { role: 'player' } }
  given().when('register', { role: 'player' }).gives(registered)
  given(registered).when('register', { role: 'player' }).gives()
  given(started).when('register', { role: 'player' }).gives()
})

test('an account that a backup brought back is deleted again and cannot be kept', () => {
  const due = '2026-03-01T10:00:00.000Z'
  const again: AccountEvent = { type: 'DeletionScheduled', data: { due, cause: 'backup-restored' } }
  const asked: AccountEvent = { type: 'DeletionScheduled', data: { due: '2026-03-14T10:00:00.000Z' } }
  given().when('deleteAgain', { due }).gives(again)
  given(asked).when('deleteAgain', { due }).gives(again)
  given(again).when('deleteAgain', { due: '2026-03-02T10:00:00.000Z' }).gives()
  given(started).when('deleteAgain', { due }).gives()
  given(again).when('cancelDeletion').refuses('deletion-started')
})

test("a guardian's request takes over a deletion that the child has scheduled", () => {
  const due = '2026-03-14T10:00:00.000Z'
  const byChild: AccountEvent = { type: 'DeletionScheduled', data: { due } }
  const byGuardian: AccountEvent = { type: 'DeletionScheduled', data: { due, guardian: 'maria' } }
  const again: AccountEvent = { type: 'DeletionScheduled', data: { due, cause: 'backup-restored' } }
  const request = { due: '2026-03-20T10:00:00.000Z', guardian: 'maria' }
  given(byChild).when('scheduleDeletion', request).gives(byGuardian)
  given(byChild, byGuardian).when('scheduleDeletion', request).gives()
  given(byGuardian).when('scheduleDeletion', { due: request.due }).gives()
  given(again).when('scheduleDeletion', request).gives()
  given(byChild, byGuardian).when('cancelDeletion', { isMinor: true }).refuses('guardian-asked')
})

test('only administrators can open a closed account again, until its deletion starts', () => {
  const due = '2026-03-14T10:00:00.000Z'
  const reason = 'Threats to another player.'
  const asked = { type: 'DeletionScheduled', data: { due: '2026-03-10T10:00:00.000Z' } } satisfies AccountEvent
  const closed: AccountEvent = { type: 'DeletionScheduled', data: { due, cause: 'closed', reason } }
  const reopened: AccountEvent = { type: 'DeletionCanceled', data: { isReopened: true } }
  const again: AccountEvent = { type: 'DeletionScheduled', data: { due, cause: 'backup-restored' } }
  for (const before of [[], [closed, reopened]])
    given(...before)
      .when('close', { due, reason })
      .gives(closed)
  given(asked)
    .when('close', { due, reason })
    .gives({ type: 'DeletionScheduled', data: { due: asked.data.due, cause: 'closed', reason } })
  expect(given(closed, { type: 'DeletionCanceled', data: {} }).state.closingReason).toBe(reason)
  expect(given(closed, again).state.closingReason).toBe(reason)
  expect(given(asked, closed).state).toMatchObject({ due, closingReason: reason, isDueByGuardian: false })
  given(closed).when('close', { due, reason }).gives()
  for (const before of [started, again]) given(before).when('close', { due, reason }).refuses('deletion-started')
  given(closed).when('cancelDeletion').refuses('account-closed')
  given(closed).when('scheduleDeletion', { due, guardian: 'maria' }).gives()
  given(closed).when('reopen').gives(reopened)
  given(closed, started).when('reopen').refuses('deletion-started')
  for (const before of [[], [asked], [closed, reopened]])
    given(...before)
      .when('reopen')
      .gives()
})

test('a minor cannot cancel a deletion that their guardian requested; an adult can', () => {
  const due = '2026-03-14T10:00:00.000Z'
  const asked: AccountEvent = { type: 'DeletionScheduled', data: { due, guardian: 'maria' } }
  const canceled: AccountEvent = { type: 'DeletionCanceled', data: {} }
  given().when('scheduleDeletion', { due, guardian: 'maria' }).gives(asked)
  given(asked).when('cancelDeletion', { isMinor: true }).refuses('guardian-asked')
  given(asked).when('cancelDeletion', { isMinor: false }).gives(canceled)
  given(asked, canceled, { type: 'DeletionScheduled', data: { due } }).when('cancelDeletion', { isMinor: true }).gives(canceled)
})
