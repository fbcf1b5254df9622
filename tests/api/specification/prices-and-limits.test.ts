import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { joinBytes, minimalMp4File, mp4Box } from '../../modules/media/container-builders.ts'
import { createFolder, expectRefusal, newReviewInput, startUploadAndSendParts, type TestUser } from '../full-server.ts'
import { type ServerWithStripe, startServerWithStripe } from '../server-with-stripe.ts'
import { birthDateForAge, newPlayerInput } from '../test-server.ts'

const MB = 1024 * 1024
let t: ServerWithStripe
let ana: TestUser
let coach: TestUser
beforeAll(async () => {
  t = await startServerWithStripe()
  ;[ana, coach] = await Promise.all([t.player(), t.instructor()])
  await t.saveCardOf(ana)
})
afterAll(() => t.end())

/** Creates a folder with videos of at least these sizes, in bytes. */
async function addVideos(...sizes: number[]) {
  const folder = await createFolder(ana)
  const videos: string[] = []
  for (const bytes of sizes) {
    const video = minimalMp4File()
    const { id, complete } = await startUploadAndSendParts(
      ana,
      folder,
      bytes > video.length ? joinBytes(video, mp4Box('free', new Uint8Array(bytes))) : video,
    )
    expect((await complete()).status).toBe(200)
    videos.push(id)
  }
  return { folder, videos }
}
const quoted = async (folder: string) => (await ana.call('GET', `/api/folders/${folder}/quote`)).body.total
/** Delivers a review with `notes` notes, and returns its bill. */
async function billed(notes: number) {
  const { folder, videos } = await addVideos(0)
  const assignment = randomUUID()
  expect((await ana.call('POST', `/api/folders/${folder}/assign`, { assignment, instructor: coach.id })).status).toBe(204)
  const note = () => ({ id: randomUUID(), video: videos[0], at: 1200, kind: 'technique', text: 'Let it travel.' })
  const review = newReviewInput(videos[0]!, { notes: Array.from({ length: notes }, note) })
  expect((await coach.call('POST', `/api/folders/${folder}/feedback`, review)).status).toBe(204)
  await t.waitUntilIdle()
  return (await ana.call('GET', `/api/payments/${assignment}`)).body
}

// @spec:9.1
test('a feedback session is $15 plus a fee by video size, number of videos, and notes', async () => {
  const least = await billed(5)
  expect(least.items[0]).toEqual({ label: 'Feedback session', cents: 1500 })
  expect(least.items[1].label).toMatch(/^Media Service Fee/)
  expect(least.total).toBeGreaterThan(1500)
  expect((await billed(8)).total).toBeGreaterThan(least.total)
  expect(await quoted((await addVideos(0)).folder)).toBe(least.total)
  expect(await quoted((await addVideos(0, 0)).folder)).toBeGreaterThan(least.total)
  expect(await quoted((await addVideos(101 * MB)).folder)).toBeGreaterThan(least.total)
})

// @spec:9.2
test('payment is due only after the feedback', async () => {
  const { folder } = await addVideos(0)
  const assignment = randomUUID()
  expect((await ana.call('POST', `/api/folders/${folder}/assign`, { assignment, instructor: coach.id })).status).toBe(204)
  await t.waitUntilIdle()
  const { payments } = (await ana.call('GET', '/api/billing')).body
  expect(payments.filter((p: { folder: string }) => p.folder === folder)).toEqual([])
  expectRefusal(await ana.call('POST', `/api/payments/${assignment}/pay`, { tip: 0, total: 1550 }), 404, 'not-found')
  expect((await t.stripe.charges.list({ transfer_group: assignment })).data).toEqual([])
})

// @spec:7.20 @spec:9.4
test('a video can be up to 500 MB: one upload below 25 MB, several parts from there', async () => {
  const started = async (bytes: number) => {
    const declared = { id: randomUUID(), folder: await createFolder(ana), name: 'swing.mp4', type: 'video/mp4', bytes, fingerprint: 'f' }
    return ana.call('POST', '/api/uploads', declared)
  }
  expect((await started(25 * MB - 1)).body.parts).toBe(1)
  expect((await started(25 * MB)).body.parts).toBeGreaterThan(1)
  expect((await started(500 * MB)).body.parts).toBeGreaterThan(1)
  expectRefusal(await started(500 * MB + 1), 422, 'invalid')
})

// @spec:9.6 @spec:9.8
test('registration limits age and the lengths of password, phone, username and email', async () => {
  const answer = (more: object) => t.browser().call('POST', '/api/register/player', newPlayerInput(more))
  const register = async (more: object) => (await answer(more)).status
  const long = (length: number) => `${'x'.repeat(length - 64 - 12)}@${'y'.repeat(60)}.example`.padStart(length, 'z')
  expect(await register({ password: 'kq7-mv2x', phone: '1234567890' })).toBe(201)
  expect(await register({ password: '1234567' })).toBe(422)
  expect(await register({ phone: '123456789' })).toBe(422)
  const { errors } = (await answer({ username: 'ab' })).body
  expect(errors).toContainEqual({ field: 'username', message: 'Username must be at least 3 characters' })
  // A 13-year-old may register with a guardian.
  const child = { guardianName: 'Pat García', guardianEmail: 'pat@example.com' }
  expect(await register({ dateOfBirth: birthDateForAge(13), ...child })).toBe(201)
  expect(await register({ dateOfBirth: birthDateForAge(13, -1), ...child })).toBe(422)
  expect([await register({ email: long(254) }), await register({ email: long(255) })]).toEqual([201, 422])
})
