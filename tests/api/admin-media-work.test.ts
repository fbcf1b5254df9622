import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeEmailedLink } from '../../modules/accounts/emailed-links.ts'
import { type CookieClient, newPlayerInput, startTestServer, type TestServer } from './test-server.ts'

let h: TestServer
let admin: CookieClient
beforeAll(async () => {
  h = await startTestServer()
  admin = h.browser()
  const { token } = await makeEmailedLink(h.deps.sql, h.deps.clock(), 'admin-invitation')
  await admin.call('POST', '/api/register/admin', { ...newPlayerInput(), dateOfBirth: undefined, token })
})
afterAll(() => h.end())

test.each([
  ['retry', undefined],
  ['refuse', { reason: 'It shows somebody else.' }],
])('the %s of a video that was never prepared is answered with 404', async (action, body) => {
  expect((await admin.call('POST', `/api/admin/media/${randomUUID()}/${action}`, body)).status).toBe(404)
})
