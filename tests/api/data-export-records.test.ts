import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { enqueueErrands } from '../../modules/jobs/outbox.ts'
import { tableOf } from '../../modules/kernel/projection.ts'
import { morningErrandId } from '../../modules/letters/morning-errands.ts'
import { payments } from '../../projections/payments.ts'
import { exportedDraftsOf, exportedLettersOf, exportedProfileOf } from '../../src/server/data-export-records.ts'
import { createAssignedFolder, type TestUser } from './full-server.ts'
import { type ServerWithStripe, startServerWithStripe } from './server-with-stripe.ts'

let t: ServerWithStripe
let player: TestUser
let instructor: TestUser
beforeAll(async () => {
  t = await startServerWithStripe()
  ;[player, instructor] = [await t.player(), await t.instructor({ firstName: 'Ray', lastName: 'Cole' })]
  await t.saveCardOf(player)
})
afterAll(() => t.end())

const lettersOf = async (who: TestUser, role: string) => (await exportedLettersOf(t.sql, who.id, role, [])).map(row => row.kind)

test('an export names whom a player follows, and whether reminders are sent', async () => {
  expect((await player.call('PUT', `/api/instructors/${instructor.id}/follow`)).status).toBe(204)
  const profile = await exportedProfileOf(t.sql, player.id)
  expect(profile).toMatchObject({ follows: [{ instructor: 'Ray Cole', since: expect.any(String) }], reminders: true })
  expect(await exportedProfileOf(t.sql, instructor.id)).toMatchObject({ follows: [] })
})

test('letters about a session are in the export of the person who received them', async () => {
  const { assignment } = await t.createDeliveredFolder(player, instructor)
  await t.deliverAll()
  expect(await lettersOf(instructor, 'instructor')).toEqual(expect.arrayContaining(['assigned']))
  expect(await lettersOf(instructor, 'instructor')).not.toContain('feedback-given')
  expect(await lettersOf(instructor, 'instructor')).not.toContain('payment-due')
  expect(await lettersOf(player, 'player')).toEqual(expect.arrayContaining(['feedback-given', 'payment-due']))
  expect(await lettersOf(player, 'player')).not.toContain('assigned')

  // If a guardian pays, the guardian gets the letters about the bill.
  await t.sql`update ${t.sql(tableOf(payments))} set payer = ${randomUUID()} where payment = ${assignment}`
  expect(await lettersOf(player, 'player')).not.toContain('payment-due')
  expect(await lettersOf(player, 'player')).toContain('feedback-given')
})

test('a letter about a video that cannot be played is in the export of its player', async () => {
  const { folder, video } = await createAssignedFolder(player, instructor)
  const letter = { id: randomUUID(), kind: 'letter.video-refused', payload: { folder, video } }
  await enqueueErrands(t.sql, [{ ...letter, due: '2999-01-01T00:00:00Z' }])
  await t.sql`update errands set done = now() where id = ${letter.id}`
  expect(await lettersOf(player, 'player')).toContain('video-refused')
  expect(await lettersOf(await t.player(), 'player')).not.toContain('video-refused')
  expect(await lettersOf(instructor, 'instructor')).not.toContain('video-refused')
})

test('a letter that waited for the morning is in the export once', async () => {
  const id = randomUUID()
  const letter = { kind: 'letter.consent-refused', payload: { user: player.id }, due: '2999-01-01T00:00:00Z' }
  const morning = { ...letter, id: morningErrandId(id), payload: { ...letter.payload, isMorning: true } }
  await enqueueErrands(t.sql, [{ ...letter, id }, morning])
  await t.sql`update errands set done = now() where id = ${id}`
  expect(await lettersOf(player, 'player')).not.toContain('consent-refused')
  await t.sql`update errands set done = now() where id = ${morning.id}`
  expect((await lettersOf(player, 'player')).filter(kind => kind === 'consent-refused')).toHaveLength(1)
})

test('an invitation is not in the export of the administrator who sent it', async () => {
  const admin = await t.admin()
  const { id } = (await admin.call('GET', '/api/user')).body
  const letter = { id: randomUUID(), kind: 'letter.admin-invitation', payload: { user: id, link: randomUUID() } }
  await enqueueErrands(t.sql, [{ ...letter, due: '2999-01-01T00:00:00Z' }])
  await t.sql`update errands set done = now() where id = ${letter.id}`
  expect(await exportedLettersOf(t.sql, id, 'admin', [])).toEqual([])
})

test("an instructor's export contains reviews that are not delivered yet", async () => {
  const { folder, assignment } = await createAssignedFolder(player, instructor)
  expect((await instructor.call('POST', `/api/folders/${folder}/review`)).status).toBe(204)
  await t.sql`
    insert into drafts (assignment, instructor, revision, draft, saved)
    values (${assignment}, ${instructor.id}, 1, ${t.sql.json({ summary: 'Half a sentence' })}, now())
    on conflict (assignment) do update set draft = excluded.draft`
  expect(await exportedDraftsOf(t.sql, instructor.id)).toMatchObject([{ session: assignment, draft: { summary: 'Half a sentence' } }])
})
