import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAssignedFolder, type FullServer, newReviewInput, startFullServer } from './full-server.ts'
import { newPlayerInput, startTestServer, type TestServer } from './test-server.ts'

/** Stands in for a mail service or an object store: it accepts requests and never responds. */
let hangingServer: Server
let url: string
let s: FullServer
let requestCount = 0
beforeAll(async () => {
  hangingServer = createServer(() => {
    requestCount++
  }).listen(0, '127.0.0.1')
  await once(hangingServer, 'listening')
  url = `http://127.0.0.1:${(hangingServer.address() as AddressInfo).port}`
  s = await startFullServer({ resend: { apiKey: 're_x', url } })
})
afterAll(async () => {
  hangingServer.closeAllConnections()
  await s.end()
  hangingServer.close()
})

test('while the mail service hangs, feedback is billed and drafts are cleared', async () => {
  const [ana, ray] = await s.playerAndInstructor()
  const { folder, video, assignment } = await createAssignedFolder(ana, ray)
  for (let i = 0; i < 9; i++) await s.player()
  // The outbox sends at most eight letters at a time, so it can send no others while eight requests hang.
  await expect.poll(() => requestCount).toBeGreaterThanOrEqual(8)
  expect((await ray.call('POST', `/api/folders/${folder}/feedback`, newReviewInput(video))).status).toBe(204)
  const done = (kind: string) =>
    s.sql`select 1 from errands where kind = ${kind} and payload::text like ${`%${assignment}%`} and done is not null`
  for (const kind of ['payment.open', 'draft.forget']) await expect.poll(async () => (await done(kind)).length).toBe(1)
  // `playerAndInstructor` confirms the instructor's email, so the letter with the confirmation link may count as done without being sent.
  const endedLetters = await s.sql`select kind from errands where kind like 'letter.%' and done is not null`
  expect(endedLetters.filter(({ kind }) => kind !== 'letter.confirm-email')).toEqual([])
})

test('while the object store hangs during a deletion, passwords can be recovered', async () => {
  const h: TestServer = await startTestServer({ work: true, s3: { S3_ENDPOINT: url } })
  try {
    const ana = newPlayerInput()
    await h.browser().call('POST', '/api/register/player', ana)
    const forgotten = () => ({ id: randomUUID(), kind: 'media.forget', payload: { folder: randomUUID(), video: randomUUID() } })
    await h.deps.post(h.sql, Array.from({ length: 9 }, forgotten))
    const tried = () => h.sql`select 1 from errands where kind = 'media.forget' and attempt > 0`
    await expect.poll(async () => (await tried()).length).toBeGreaterThanOrEqual(8)
    expect((await h.browser().call('POST', '/api/recovery/password', { email: ana.email })).status).toBe(204)
    await expect.poll(async () => (await h.postedErrands('letter.reset-password')).length).toBe(1)
  } finally {
    await h.end()
  }
})
