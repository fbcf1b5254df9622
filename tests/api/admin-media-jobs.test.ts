import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FullServer, startFullServer } from './full-server.ts'

let s: FullServer
let admin: Awaited<ReturnType<FullServer['admin']>>
beforeAll(async () => {
  s = await startFullServer()
  admin = await s.admin()
})
afterAll(() => s.end())

test.each([
  ['retry', undefined],
  ['refuse', { reason: 'It shows somebody else.' }],
])('the %s of a video that was never prepared is answered with 404', async (action, body) => {
  expect((await admin.call('POST', `/api/admin/media/${randomUUID()}/${action}`, body)).status).toBe(404)
})
