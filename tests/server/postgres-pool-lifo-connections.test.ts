import { expect, test } from 'vitest'
import { createTestDatabase } from '../support/postgres.ts'

test('a query uses the most recently released connection, so that others stay idle', async () => {
  const db = await createTestDatabase()
  const backend = async () => (await db.sql`select pg_backend_pid() as pid, pg_sleep(0.05)`)[0]!.pid as number
  const opened = await Promise.all([backend(), backend(), backend()])
  expect(new Set(opened).size).toBe(3)
  const used = [await backend(), await backend(), await backend()]
  expect(new Set(used).size).toBe(1)
  await db.sql.begin(async tx => expect((await tx`select pg_backend_pid() as pid`)[0]!.pid).toBe(used[0]))
  await db.end()
})
