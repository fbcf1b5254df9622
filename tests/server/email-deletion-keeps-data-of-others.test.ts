import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEmailedLinkToken } from '../../modules/accounts/emailed-links.ts'
import { findOrAddGuardian } from '../../modules/accounts/guardian-tables.ts'
import { deleteTracesOfEmailAddress } from '../../src/server/guardian-deletion.ts'
import { insertPlayer } from '../modules/accounts/insert-player.ts'
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

test("deleting an account keeps its owner's link to answer as a guardian", async () => {
  const child = await insertPlayer(db.sql)
  await findOrAddGuardian(db.sql, { name: 'Ann', email: 'ann@example.com' }, new Date())
  for (const kind of ['guardian', 'confirm-email'] as const)
    await createEmailedLinkToken(db.sql, new Date(), kind, { owner: child, email: 'ann@example.com' })
  const kinds = async () => (await db.sql`select kind from links where email = 'ann@example.com'`).map(row => row.kind)
  await db.sql.begin(tx => deleteTracesOfEmailAddress(tx, 'ann@example.com'))
  expect(await kinds()).toEqual(['guardian'])
  await db.sql`delete from guardians where email = 'ann@example.com'`
  await db.sql.begin(tx => deleteTracesOfEmailAddress(tx, 'ann@example.com'))
  expect(await kinds()).toEqual([])
})
