import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteTracesOfEmailAddress } from '../../src/server/guardian-deletion.ts'
import { createTestDatabase } from '../support/postgres.ts'

let db: Awaited<ReturnType<typeof createTestDatabase>>
beforeAll(async () => {
  db = await createTestDatabase()
})
afterAll(() => db.end())

test("deleting the traces of an email address keeps other people's rate limits", async () => {
  const keys = ['login.account:ann@example.com', 'login.account:joann@example.com', 'login.account:ann@example.com.au']
  for (const key of keys) await db.sql`insert into limits (key, points) values (${key}, 1)`
  await db.sql.begin(tx => deleteTracesOfEmailAddress(tx, 'ann@example.com'))
  expect((await db.sql`select key from limits`).map(row => row.key).toSorted()).toEqual(keys.slice(1).toSorted())
})
