import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { draftAndSessionPaymentErrandHandlers } from '../../../modules/folders/draft-and-session-payment-errand-handlers.ts'
import { draftDeletionProcess } from '../../../modules/folders/draft-deletion-process.ts'
import { draftOf, saveDraft } from '../../../modules/folders/review-drafts.ts'
import { derivedId } from '../../../modules/kernel/decider.ts'
import type { Errand } from '../../../modules/kernel/process.ts'
import type { RecordedEvent } from '../../../modules/kernel/store.ts'
import { memoryStore } from '../../../modules/kernel/stores/memory.ts'
import { createTestDatabase } from '../../support/postgres.ts'

let db: Awaited<ReturnType<typeof createTestDatabase>>
beforeAll(async () => {
  db = await createTestDatabase()
})
afterAll(() => db.end())
const now = new Date('2026-03-01T12:00:00.000Z')
const draftWith = (summary: string) => ({ summary }) as never
const newDraftOwner = () => ({ assignment: randomUUID(), instructor: randomUUID() })
const save = (of: ReturnType<typeof newDraftOwner>, revision: number, summary: string) =>
  saveDraft(db.sql, of, revision, draftWith(summary), now)
const read = (of: ReturnType<typeof newDraftOwner>) => draftOf(db.sql, of)

test('a draft is saved only on top of its latest revision', async () => {
  const [of, other] = [newDraftOwner(), newDraftOwner()]
  expect(await read(of)).toEqual({ revision: 0, draft: null })
  expect([await save(of, 0, 'One'), await save(of, 1, 'Two'), await save(other, 0, 'Other')]).toEqual([1, 2, 1])
  expect([await save(of, 1, 'Late'), await save(of, 0, 'Later'), await save(of, 3, 'Ahead')]).toEqual([null, null, null])
  expect([await read(of), await read(other)]).toEqual([
    { revision: 2, draft: { summary: 'Two' } },
    { revision: 1, draft: { summary: 'Other' } },
  ])
})

test('repeating a save after a lost answer returns the same answer', async () => {
  const of = newDraftOwner()
  expect([await save(of, 0, 'One'), await save(of, 0, 'One')]).toEqual([1, 1])
  expect([await save(of, 1, 'Two'), await save(of, 1, 'Two'), await save(of, 0, 'One')]).toEqual([2, 2, null])
})

test("an instructor cannot read another's draft; one without an author is readable", async () => {
  const of = newDraftOwner()
  const next = { ...of, instructor: randomUUID() }
  await save(of, 0, 'Mine')
  expect([await read(next), await save(next, 1, 'Theirs'), await save(next, 0, 'Mine')]).toEqual([{ revision: 0, draft: null }, null, null])
  await db.sql`update drafts set instructor = null where assignment = ${of.assignment}`
  expect([(await read(of)).revision, await save(of, 1, 'Two')]).toEqual([1, 2])
})

test('ending an assignment deletes its draft, and no other draft', async () => {
  const [of, other] = [newDraftOwner(), newDraftOwner()]
  for (const one of [of, other]) await save(one, 0, 'One')
  const ends = ['AssignmentWithdrawn', 'AssignmentDeclined', 'FeedbackGiven'] as const
  const asked = ends.map(type =>
    (draftDeletionProcess.on[type] as (e: unknown) => Errand)({ id: `e ${type}`, data: of } as unknown as RecordedEvent),
  )
  expect(asked.map(e => [e.kind, e.payload])).toEqual(ends.map(() => ['draft.forget', { assignment: of.assignment }]))
  expect(new Set(asked.map(e => e.id)).size).toBe(3)
  const errands = draftAndSessionPaymentErrandHandlers({ store: memoryStore(), sql: db.sql })
  for (let n = 0; n < 2; n++) await errands['draft.forget'](asked[0]!.payload as { assignment: string })
  expect([(await read(of)).revision, (await read(other)).revision]).toEqual([0, 1])
})

test('a folder records only once that its feedback is paid', async () => {
  const store = memoryStore()
  const of = { assignment: 'as1', player: 'p', instructor: 'i' }
  const events = [
    { type: 'FolderCreated', data: { player: 'p', name: 'Swings' } },
    { type: 'FolderAssigned', data: { ...of, message: '', quote: {}, terms: { credit: false }, follows: null, videos: [] } },
    { type: 'FeedbackGiven', data: { ...of, review: { notes: [], summary: 'Good', grades: [] }, billable: {}, terms: null } },
  ]
  const meta = { command: 'c', name: 'a.b', actor: 'i' }
  await store.append(
    'folder-f1',
    -1n,
    events.map(e => ({ id: randomUUID(), ...e, meta })),
  )
  const errands = draftAndSessionPaymentErrandHandlers({ store, sql: db.sql })
  for (let n = 0; n < 2; n++) await errands['folder.paid']({ folder: 'f1', assignment: 'as1' })
  const paid = { type: 'FolderPaid', data: { assignment: 'as1' } }
  expect((await store.read('folder-f1')).slice(3)).toMatchObject([
    { ...paid, meta: { actor: 'system', command: derivedId('as1', 'folder.paid') } },
  ])
})
