import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkPostgres } from '../../src/server/postgres-check.ts'
import { createTestDatabase } from '../support/postgres.ts'

let db: Awaited<ReturnType<typeof createTestDatabase>>
beforeAll(async () => {
  db = await createTestDatabase()
})
afterAll(() => db.end())

const failuresOf = async (url: string) => (await checkPostgres({ databaseUrl: url })).filter(f => !f.isTrue).map(f => f.check)

test('a healthy database passes the check', async () => {
  expect(await failuresOf(db.url)).toEqual([])
})

test('a database user without the right to create tables is reported', async () => {
  const user = `reader_${Date.now()}`
  await db.sql.unsafe(`create role ${user} login password 'secret'; revoke create on schema public from public`)
  const url = new URL(db.url)
  url.username = user
  url.password = 'secret'
  expect(await failuresOf(url.href)).toEqual(['its user may create tables'])
  await db.sql.unsafe(`drop role ${user}`)
})

test('a database that does not answer makes the check throw', async () => {
  await expect(checkPostgres({ databaseUrl: 'postgres://nobody@127.0.0.1:1/none' })).rejects.toThrow('ECONNREFUSED')
})
