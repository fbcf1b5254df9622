import { randomUUID } from 'node:crypto'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildApp } from '../../src/server/app.ts'
import { startTestServer, type TestServer } from '../api/test-server.ts'

let h: TestServer
beforeAll(async () => {
  h = await startTestServer()
})
afterAll(() => h.end())

test('a starting server does not wait for transactions of another server', async () => {
  const user = randomUUID()
  // While the server starts, the transaction of a registration is open.
  await h.sql.begin(async tx => {
    await tx`
      insert into users (id, role, username, email, password, first_name, last_name, command, created)
      values (${user}, 'player', ${user}, ${user}, 'x', 'Ana', 'García', ${randomUUID()}, now())`
    const started = await buildApp(h.deps.config, pino({ level: 'silent' }), { site: '/nowhere' })
    await started.stop()
    await h.deps.post(tx, [{ id: randomUUID(), kind: 'letter.welcome', payload: { user } }])
  })
  expect(await h.postedErrands('letter.welcome')).toHaveLength(1)
})
