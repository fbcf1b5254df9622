import { expect, test } from 'vitest'
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
