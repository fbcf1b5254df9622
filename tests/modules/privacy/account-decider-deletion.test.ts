import { expect, test } from 'vitest'
import { handleCommand } from '../../../modules/kernel/decider.ts'
import { memoryStore } from '../../../modules/kernel/stores/memory.ts'
import {
  type AccountEvent,
  accountDecider,
  assertNoDeletionScheduled,
  hasDeletionStarted,
} from '../../../modules/privacy/account-exports-and-deletion-decider.ts'
import { deciderSpec } from '../../support/decider-spec.ts'

const { given } = deciderSpec(accountDecider)
const due = '2026-03-15T10:00:00.000Z'
const scheduled: AccountEvent = { type: 'DeletionScheduled', data: { due } }
const canceled: AccountEvent = { type: 'DeletionCanceled', data: {} }
const started: AccountEvent = { type: 'DeletionStarted', data: {} }
const records = { folders: ['folder'], assignments: ['session'], requests: [], events: ['event'] }
const forgotten: AccountEvent = { type: 'PersonForgotten', data: records }

test('a deletion is scheduled once, and again after it was canceled', () => {
  given().when('scheduleDeletion', { due }).gives(scheduled)
  given(scheduled).when('scheduleDeletion', { due: '2026-04-01T10:00:00.000Z' }).gives()
  given(scheduled, canceled).when('scheduleDeletion', { due }).gives(scheduled)
})

test('a deletion after a refused consent names its cause and replaces no other', () => {
  given()
    .when('expire', { due })
    .gives({ type: 'DeletionScheduled', data: { due, cause: 'consent-refused' } })
  given(scheduled).when('expire', { due }).gives()
})

test('the owner can cancel the deletion until it starts', () => {
  given(scheduled).when('cancelDeletion').gives(canceled)
  given().when('cancelDeletion').gives()
  given(scheduled, canceled).when('cancelDeletion').gives()
  given(scheduled, started).when('cancelDeletion').refuses('deletion-started')
  expect(given(scheduled, canceled).state).toEqual(given().state)
})

test('a deletion starts only on the schedule that is due', () => {
  given(scheduled).when('startDeletion', { due }).gives(started)
  given(scheduled).when('startDeletion', { due: '2026-03-14T10:00:00.000Z' }).gives()
  given(scheduled, canceled).when('startDeletion', { due }).gives()
  given(scheduled, started).when('startDeletion', { due }).gives()
})

test('a person is forgotten once, after the deletion has started', () => {
  given(scheduled).when('forget', records).gives()
  given(scheduled, started).when('forget', records).gives(forgotten)
  given(scheduled, started, forgotten).when('forget', records).gives()
})

test('a deletion counts as started from its start on, even after it is done', () => {
  const steps = [scheduled, started, forgotten]
  expect(steps.map((_, i) => hasDeletionStarted(given(...steps.slice(0, i + 1)).state))).toEqual([false, true, true])
  given(...steps)
    .when('register', { role: 'player' })
    .gives()
})

test('nothing new can be started with an account that is scheduled for deletion', async () => {
  const store = memoryStore()
  await assertNoDeletionScheduled(store, 'ana')
  await handleCommand(store, accountDecider, 'ana', 'scheduleDeletion', { due }, { command: 'delete', actor: 'ana' })
  await expect(assertNoDeletionScheduled(store, 'ana')).rejects.toMatchObject({
    code: 'deletion-scheduled',
    message: expect.stringContaining('scheduled for deletion'),
  })
})

test('a minor reads that only the guardian who asked for the deletion can stop it', async () => {
  const store = memoryStore()
  const scheduling = { due, guardian: 'maria' }
  await handleCommand(store, accountDecider, 'ana', 'scheduleDeletion', scheduling, { command: 'delete', actor: 'maria' })
  const message = (isMinor: boolean) => assertNoDeletionScheduled(store, 'ana', { isMinor }).catch(error => error.message)
  expect(await message(true)).toContain('Only they can keep it')
  expect(await message(false)).toContain('keep it on your account page')
})
