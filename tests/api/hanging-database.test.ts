import postgres from 'postgres'
import { expect, test } from 'vitest'
import { startTestServer } from './test-server.ts'

test('requests get a 503 while the database hangs, and succeed once it recovers', async () => {
  const h = await startTestServer()
  // The general request timeout is an hour here, so only the check for an unresponsive database can end these requests.
  Object.assign(h.deps, { requestTimeoutMs: 3600_000, storeCheckAfterMs: 500 })
  const asked = () => h.browser().call('POST', '/api/login', { username: 'ana@example.com', password: 'correct horse' })
  expect((await asked()).status).toBe(401)
  const blocker = postgres(h.deps.config.databaseUrl, { max: 1 })
  await blocker`begin`
  await blocker`lock table users, events in access exclusive mode`
  const answers = await Promise.all(Array.from({ length: 12 }, asked))
  for (const { status, body, headers } of answers) {
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '5'])
  }
  await blocker`rollback`
  await blocker.end()
  expect((await asked()).status).toBe(401)
  await h.end()
})

test('requests keep waiting for a database that is only slow', async () => {
  const h = await startTestServer()
  Object.assign(h.deps, { storeCheckAfterMs: 1 })
  const blocker = postgres(h.deps.config.databaseUrl, { max: 1 })
  await blocker`begin`
  await blocker`lock table users in access exclusive mode`
  h.deps.checks.postgres = async () => {
    await blocker`select pg_sleep(1.5)`
    await blocker`rollback`
  }
  expect((await h.browser().call('POST', '/api/login', { username: 'ana@example.com', password: 'correct horse' })).status).toBe(401)
  await blocker.end()
  await h.end()
})
