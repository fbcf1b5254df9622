import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { assignedFolder, reviewOf, type Stage, stage } from './stage.ts'

/** A post office that takes every letter and never says a word. */
let office: Server
let s: Stage
let letters = 0
beforeAll(async () => {
  office = createServer(() => {
    letters++
  }).listen(0, '127.0.0.1')
  await once(office, 'listening')
  s = await stage({ resend: { apiKey: 're_x', url: `http://127.0.0.1:${(office.address() as AddressInfo).port}` } })
})
afterAll(async () => {
  office.closeAllConnections()
  await s.end()
  office.close()
})

test('while the post office hangs, with letters of many waiting, feedback is billed and drafts are cleared', async () => {
  const [ana, ray] = await Promise.all([s.player(), s.instructor()])
  await s.saveCard(ana.id)
  const { folder, video, assignment } = await assignedFolder(ana, ray)
  for (let i = 0; i < 9; i++) await s.player()
  // As many as are performed at once.
  await expect.poll(() => letters, { timeout: 10_000 }).toBeGreaterThanOrEqual(8)
  expect((await ray.call('POST', `/api/folders/${folder}/feedback`, reviewOf(video))).status).toBe(204)
  const done = (kind: string) =>
    s.sql`select 1 from errands where kind = ${kind} and payload::text like ${`%${assignment}%`} and done is not null`
  for (const kind of ['payment.open', 'draft.forget']) await expect.poll(async () => (await done(kind)).length, { timeout: 5000 }).toBe(1)
  expect((await s.sql`select 1 from errands where kind like 'letter.%' and done is not null`).length).toBe(0)
})
