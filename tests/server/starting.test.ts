import { randomUUID } from 'node:crypto'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildApp } from '../../src/server/app.ts'
import { type Harness, harness } from '../api/harness.ts'

let h: Harness
beforeAll(async () => {
  h = await harness()
})
afterAll(() => h.end())

test('a server that starts beside another waits for it, and is waited for by nobody', async () => {
  const user = randomUUID()
  let starting: ReturnType<typeof buildApp> | undefined
  // Somebody registers meanwhile.
  await h.sql.begin(async tx => {
    await tx`
      insert into users (id, role, username, email, password, first_name, last_name, command, created)
      values (${user}, 'player', ${user}, ${user}, 'x', 'Ana', 'García', ${randomUUID()}, now())`
    starting = buildApp(h.deps.config, pino({ level: 'silent' }), { site: '/nowhere' })
    starting.catch(() => {})
    const waits = () => h.sql`select 1 from pg_locks where not granted and relation = 'users'::regclass`
    await expect.poll(waits).toHaveLength(1)
    await h.deps.post(tx, [{ id: randomUUID(), kind: 'letter.welcome', payload: { user } }])
  })
  await (await starting!).stop()
  expect(await h.posted('letter.welcome')).toHaveLength(1)
})
