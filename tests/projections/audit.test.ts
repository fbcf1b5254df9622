import { expect, test } from 'vitest'
import { DELETED_TEXT } from '../../modules/privacy/policy.ts'
import { audit } from '../../projections/audit.ts'
import { projectedRowsOf, toRecordedEvents } from './project-events-in-memory.ts'

test('the read model keeps every event with its folder, even of an unknown type', () => {
  const events = toRecordedEvents([
    { stream: 'folder-f1', type: 'FolderCreated', data: { player: 'ana' } },
    { stream: 'payment-p1', type: 'PaymentOpened', data: { folder: 'f1' }, by: 'system' },
    { stream: 'glove-g1', type: 'GloveBroken', data: { at: 'third' } },
  ])
  const rows = [...projectedRowsOf(audit as never, events).values()]
  expect(rows.map(r => [r.position, r.stream, r.type, r.actor, r.command, r.folder])).toEqual([
    [0n, 'folder-f1', 'FolderCreated', 'ana', 'x.FolderCreated', 'f1'],
    [1n, 'payment-p1', 'PaymentOpened', 'system', 'x.PaymentOpened', 'f1'],
    [2n, 'glove-g1', 'GloveBroken', 'ana', 'x.GloveBroken', null],
  ])
  expect(rows[2]).toMatchObject({ data: { at: 'third' }, at: '2026-05-01T00:02:00.000Z', commandId: 'c2', revision: 0n, cause: null })
})

test('an event whose texts were deleted with a person keeps everything else', () => {
  const review = {
    summary: '',
    notes: [
      { frame: 3, text: 'Elbow up' },
      { frame: 9, text: '' },
    ],
  }
  const events = toRecordedEvents([
    { stream: 'folder-f1', type: 'FeedbackGiven', data: { assignment: 'a1', review } },
    { stream: 'rating-a1', type: 'SessionRated', data: { stars: 4, comment: 'Thanks' } },
    { stream: 'account-p1', type: 'DeletionScheduled', data: { due: '2026-05-15T00:00:00.000Z', cause: 'closed', reason: 'Threats' } },
    { stream: 'payment-p1', type: 'RefundAsked', data: { refund: 'r1', amount: 500, reason: 'Too dark' } },
    { stream: 'account-p1', type: 'PersonForgotten', data: { events: ['e0', 'e1', 'e2', 'e3'] }, by: 'system' },
  ])
  const before = structuredClone(events)
  const rows = projectedRowsOf(audit as never, events)
  expect([...rows.values()].map(row => row.data)).toEqual([
    {
      assignment: 'a1',
      review: {
        summary: '',
        notes: [
          { frame: 3, text: DELETED_TEXT },
          { frame: 9, text: '' },
        ],
      },
    },
    { stars: 4, comment: DELETED_TEXT },
    { due: '2026-05-15T00:00:00.000Z', cause: 'closed', reason: DELETED_TEXT },
    { refund: 'r1', amount: 500, reason: DELETED_TEXT },
    { events: ['e0', 'e1', 'e2', 'e3'] },
  ])
  expect(events).toEqual(before)
})
