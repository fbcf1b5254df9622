import { expect, test } from 'vitest'
import { folders } from '../../projections/folders.ts'
import { projectedRowsOf, toRecordedEvents } from './project-events-in-memory.ts'

const stream = 'folder-f'
const created = { stream, type: 'FolderCreated', data: { player: 'ana', name: 'Swings' } }
const added = (id: string) => ({ stream, type: 'VideoAdded', data: { video: { id, name: `${id}.mp4`, poster: null } } })
const assigned = (assignment: string, instructor = 'cal') => ({
  stream,
  type: 'FolderAssigned',
  data: { assignment, player: 'ana', instructor, message: 'Hands?', videos: [] },
})
const review = { notes: [], summary: 'Good.', grades: [] }
const given = (assignment: string) => ({ stream, type: 'FeedbackGiven', data: { assignment, instructor: 'cal', review } })
const plain = (type: string, data: object = {}) => ({ stream, type, data })
const row = (...events: Parameters<typeof toRecordedEvents>[0]) =>
  projectedRowsOf(folders as never, toRecordedEvents([created, ...events])).get('f')!

test('a new folder is open and empty', () => {
  expect(row()).toMatchObject({ folder: 'f', player: 'ana', name: 'Swings', status: 'open', clips: [], instructor: null, assignment: null })
})

test("a folder's row has added videos with their time, but no removed videos", () => {
  const both = row(added('a'), added('b'))
  expect((both.clips as { id: string; added: string }[]).map(c => [c.id, c.added])).toEqual([
    ['a', '2026-05-01T00:01:00.000Z'],
    ['b', '2026-05-01T00:02:00.000Z'],
  ])
  expect((row(added('a'), added('b'), plain('VideoRemoved', { video: 'a' })).clips as { id: string }[]).map(c => c.id)).toEqual(['b'])
})

test("a folder's row follows the folder from assigned to paid", () => {
  const steps = [assigned('as1'), plain('ReviewStarted', { assignment: 'as1' }), given('as1'), plain('FolderPaid', { assignment: 'as1' })]
  expect(steps.map((_, i) => row(...steps.slice(0, i + 1)).status)).toEqual(['assigned', 'in-review', 'feedback-given', 'paid'])
  expect(row(...steps)).toMatchObject({ assignment: 'as1', instructor: 'cal', updated: '2026-05-01T00:04:00.000Z' })
})

test('a withdrawn or declined first assignment leaves the folder open', () => {
  expect(row(assigned('as1'), plain('AssignmentWithdrawn'))).toMatchObject({
    status: 'open',
    instructor: null,
    assignment: null,
    declined: null,
  })
  const declined = row(assigned('as1'), plain('AssignmentDeclined', { assignment: 'as1', reason: 'Away' }))
  expect(declined).toMatchObject({ status: 'open', instructor: null, declined: { assignment: 'as1', instructor: 'cal', reason: 'Away' } })
  expect(row(assigned('as1'), plain('AssignmentDeclined', { assignment: 'as1', reason: 'Away' }), assigned('as2', 'dee'))).toMatchObject({
    status: 'assigned',
    declined: null,
    instructor: 'dee',
  })
})

test('a withdrawn or declined follow-up leaves the folder paid, with its instructor', () => {
  const before = [assigned('as1'), given('as1'), plain('FolderPaid', { assignment: 'as1' })]
  expect(row(...before, assigned('as2', 'dee'))).toMatchObject({ status: 'assigned', assignment: 'as2', instructor: 'dee' })
  expect(row(...before, assigned('as2', 'dee'), plain('AssignmentDeclined', { assignment: 'as2', reason: 'Away' }))).toMatchObject({
    status: 'paid',
    assignment: 'as1',
    instructor: 'cal',
    declined: { assignment: 'as2', instructor: 'dee', reason: 'Away' },
  })
  expect(row(...before, assigned('as2'), plain('AssignmentWithdrawn', { assignment: 'as2' }))).toMatchObject({
    status: 'paid',
    assignment: 'as1',
  })
})

test('an archived folder keeps its previous status', () => {
  const paid = [assigned('as1'), given('as1'), plain('FolderPaid')]
  expect(row(...paid, plain('FolderArchived')).status).toBe('archived')
  expect(row(...paid, plain('FolderArchived'), plain('FolderRestored'))).toMatchObject({ status: 'paid', before: null })
})
