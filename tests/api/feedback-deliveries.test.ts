import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Review } from '../../modules/folders/contract.ts'
import { endUndoAndGetDueDelivery, holdDelivery } from '../../modules/folders/held-deliveries.ts'
import { feedbackDeliveryErrandHandlers } from '../../src/api/feedback-deliveries.ts'
import { createAssignedFolder, expectRefusal, type FullServer, newReviewInput, startFullServer, type TestUser } from './full-server.ts'

let s: FullServer
let ana: TestUser
let ray: TestUser
beforeAll(async () => {
  s = await startFullServer()
  ;[ana, ray] = await s.playerAndInstructor()
})
afterAll(() => s.end())

const sessionOf = async (who: TestUser, folder: string) => (await who.call('GET', `/api/folders/${folder}`)).body.session
const eventsOf = async (folder: string) => (await s.deps.store.read(`folder-${folder}`)).map(e => e.type)
const queueRowOf = async (folder: string) =>
  (await ray.call('GET', '/api/queue')).body.folders.find((f: { id: string }) => f.id === folder) as { status: string }

/** Creates a folder with a review whose delivery can still be undone. */
async function createHeldDelivery() {
  const made = await createAssignedFolder(ana, ray)
  const review = newReviewInput(made.video)
  const { body } = await ray.call('PUT', `/api/folders/${made.folder}/draft`, { revision: 0, draft: review })
  expect(body).toEqual({ revision: 1 })
  const answer = await ray.call('POST', `/api/folders/${made.folder}/delivery`, review)
  expect([answer.status, answer.body]).toEqual([200, { undoMs: 10_000 }])
  return { ...made, review }
}
/** Schedules the delivery to run now, as if the ten seconds were over. */
async function endUndoPeriod(assignment: string) {
  await s.sql`update held_deliveries set due = now() where assignment = ${assignment}`
  await s.sql`update errands set due = now() where kind = 'feedback.deliver' and payload ->> 'assignment' = ${assignment}`
  await s.sql`select pg_notify('errands', '')`
}
const isHeld = async (assignment: string) => (await s.sql`select 1 from held_deliveries where assignment = ${assignment}`).length === 1

test('a delivery reaches the player only once it cannot be undone anymore', async () => {
  const { folder, assignment, review } = await createHeldDelivery()
  expect(await sessionOf(ana, folder)).toMatchObject({ status: 'in-review', review: null })
  expect((await sessionOf(ana, folder)).delivery).toBeUndefined()
  const { delivery } = await sessionOf(ray, folder)
  expect(delivery).toEqual({ until: expect.any(String), undoMs: expect.any(Number), refusal: null })
  expect(delivery.undoMs).toBeGreaterThan(0)
  expect(delivery.undoMs).toBeLessThanOrEqual(10_000)
  expect((await queueRowOf(folder)).status).toBe('feedback-given')
  expect(await eventsOf(folder)).not.toContain('FeedbackGiven')
  // The response to a repeated delivery says how long it can still be undone.
  const again = await ray.call('POST', `/api/folders/${folder}/delivery`, review)
  expect(again.body.undoMs).toBeLessThanOrEqual(10_000)
  await endUndoPeriod(assignment)
  await expect.poll(async () => (await sessionOf(ana, folder)).review).toMatchObject({ summary: review.summary })
  await expect.poll(() => isHeld(assignment)).toBe(false)
  expect((await eventsOf(folder)).filter(type => type === 'FeedbackGiven')).toHaveLength(1)
  const given = (await s.deps.store.read(`folder-${folder}`)).find(e => e.type === 'FeedbackGiven')
  expect(given?.meta.actor).toBe(ray.id)
  expectRefusal(await ray.call('DELETE', `/api/folders/${folder}/delivery`), 409, 'delivered')
  // Repeating the request after the delivery succeeds, but the delivery can no longer be undone.
  expect((await ray.call('POST', `/api/folders/${folder}/delivery`, review)).body).toEqual({ undoMs: 0 })
})

test('undoing a delivery keeps the draft, which can be delivered again', async () => {
  const { folder, video, assignment } = await createHeldDelivery()
  expectRefusal(
    await ray.call('PUT', `/api/folders/${folder}/draft`, { revision: 1, draft: { notes: [], summary: 'x', grades: [] } }),
    409,
    'delivering',
  )
  expectRefusal(await ray.call('POST', `/api/folders/${folder}/delivery`, newReviewInput(video, { summary: 'Other.' })), 409, 'delivering')
  expect((await ray.call('DELETE', `/api/folders/${folder}/delivery`)).status).toBe(204)
  // Undoing twice has the same effect as undoing once.
  expect((await ray.call('DELETE', `/api/folders/${folder}/delivery`)).status).toBe(204)
  expect((await queueRowOf(folder)).status).toBe('in-review')
  expect((await ray.call('GET', `/api/folders/${folder}/draft`)).body).toMatchObject({ revision: 1 })
  const second = newReviewInput(video, { summary: 'Second try.' })
  expect((await ray.call('POST', `/api/folders/${folder}/delivery`, second)).body).toEqual({ undoMs: 10_000 })
  await endUndoPeriod(assignment)
  await expect.poll(async () => (await sessionOf(ana, folder)).review?.summary).toBe('Second try.')
  expect((await eventsOf(folder)).filter(type => type === 'FeedbackGiven')).toHaveLength(1)
})

test('a delivery that a worker has begun cannot be undone, even if the worker dies', async () => {
  const { folder, assignment } = await createHeldDelivery()
  const [errand] = await s.sql<{ payload: { delivery: string; assignment: string } }[]>`
    select payload from errands where kind = 'feedback.deliver' and payload ->> 'assignment' = ${assignment}`
  // The errand does nothing before the delivery is due.
  await feedbackDeliveryErrandHandlers(s.deps)['feedback.deliver'](errand!.payload)
  expect(await eventsOf(folder)).not.toContain('FeedbackGiven')
  await s.sql`update held_deliveries set due = now() where assignment = ${assignment}`
  expectRefusal(await ray.call('DELETE', `/api/folders/${folder}/delivery`), 409, 'delivered')
  expect(await endUndoAndGetDueDelivery(s.sql, errand!.payload.delivery)).toMatchObject({ assignment })
  expectRefusal(await ray.call('DELETE', `/api/folders/${folder}/delivery`), 409, 'delivered')
  // Two other workers run the errand at the same time, and another one later. The review is delivered once.
  const performed = () => feedbackDeliveryErrandHandlers(s.deps)['feedback.deliver'](errand!.payload)
  await Promise.all([performed(), performed()])
  await performed()
  expect((await eventsOf(folder)).filter(type => type === 'FeedbackGiven')).toHaveLength(1)
  expect(await isHeld(assignment)).toBe(false)
})

test('a delivery that fails because the log is unreachable is tried again', async () => {
  const { folder, assignment } = await createHeldDelivery()
  const [errand] = await s.sql<{ payload: { delivery: string; assignment: string } }[]>`
    select payload from errands where kind = 'feedback.deliver' and payload ->> 'assignment' = ${assignment}`
  await s.sql`update held_deliveries set due = now() where assignment = ${assignment}`
  const unreachable = { ...s.deps.store, read: () => Promise.reject(new Error('The log is unreachable.')) }
  const attempt = feedbackDeliveryErrandHandlers({ ...s.deps, store: unreachable })['feedback.deliver'](errand!.payload)
  await expect(attempt).rejects.toThrow('The log is unreachable.')
  expect((await sessionOf(ray, folder)).delivery?.refusal ?? null).toBeNull()
  await endUndoPeriod(assignment)
  await expect.poll(() => eventsOf(folder)).toContain('FeedbackGiven')
})

test('a held delivery of a session that has ended is dropped', async () => {
  const { folder, assignment, review } = await createHeldDelivery()
  expect((await ray.call('POST', `/api/folders/${folder}/decline`, { reason: 'Away.' })).status).toBe(204)
  await expect.poll(() => isHeld(assignment)).toBe(false)
  expect((await ana.call('POST', `/api/folders/${folder}/assign`, { assignment: randomUUID(), instructor: ray.id })).status).toBe(204)
  await holdDelivery(s.sql, { assignment, folder, instructor: ray.id, review: review as Review }, 0)
  await expect.poll(() => isHeld(assignment)).toBe(false)
  expect(await eventsOf(folder)).not.toContain('FeedbackGiven')
})

test('a delivery that is refused when it is due keeps the draft and stores the reason', async () => {
  const { folder, assignment } = await createHeldDelivery()
  // The review now names a clip that is not in the folder.
  await s.sql`update held_deliveries set review = jsonb_set(review, '{notes,0,video}', to_jsonb(${randomUUID()}::text)) where assignment = ${assignment}`
  await endUndoPeriod(assignment)
  await expect.poll(async () => (await sessionOf(ray, folder)).delivery?.refusal).toMatch(/^[A-Z].*\.$/)
  expect((await sessionOf(ray, folder)).delivery.until).toBeNull()
  expect((await queueRowOf(folder)).status).toBe('in-review')
  expect(await eventsOf(folder)).not.toContain('FeedbackGiven')
  expect((await ray.call('GET', `/api/folders/${folder}/draft`)).body.revision).toBe(1)
})

test('an invalid review is refused immediately; declining cancels a held delivery', async () => {
  const { folder, video } = await createAssignedFolder(ana, ray)
  const wrong = newReviewInput(video, { notes: [{ id: randomUUID(), video: randomUUID(), at: 0, kind: 'tip', text: 'x' }] })
  expect((await ray.call('POST', `/api/folders/${folder}/delivery`, wrong)).status).toBe(409)
  expect((await ana.call('POST', `/api/folders/${folder}/withdraw`)).status).toBe(204)
  const { folder: second, assignment } = await createHeldDelivery()
  expect((await ray.call('POST', `/api/folders/${second}/decline`, { reason: 'Away.' })).status).toBe(204)
  await expect.poll(() => isHeld(assignment)).toBe(false)
  await endUndoPeriod(assignment)
  expect(await eventsOf(second)).not.toContain('FeedbackGiven')
})
