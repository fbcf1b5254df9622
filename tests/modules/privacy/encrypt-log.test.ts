import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { folderDecider } from '../../../modules/folders/folder.ts'
import { handleCommand } from '../../../modules/kernel/decider.ts'
import { silentLogger } from '../../../modules/kernel/logger-interface.ts'
import { postgresStore } from '../../../modules/kernel/stores/postgres.ts'
import { encryptLog } from '../../../modules/privacy/encrypt-log.ts'
import { encryptedStore } from '../../../modules/privacy/encrypted-store.ts'
import { personKeys } from '../../../modules/privacy/person-keys.ts'
import { supportRequestDecider } from '../../../modules/support/support-request.ts'
import { personalTextFields } from '../../../projections/personal-text-fields.ts'
import { createTestDatabase } from '../../support/postgres.ts'

let db: Awaited<ReturnType<typeof createTestDatabase>>
beforeAll(async () => {
  db = await createTestDatabase()
})
afterAll(() => db.end())

test('encrypt-log encrypts the texts of an unencrypted log, which still reads the same', async () => {
  const plain = postgresStore(db.sql)
  const keys = personKeys(db.sql)
  const [id, player, asker] = [randomUUID(), randomUUID(), randomUUID()]
  const by = (actor: string) => ({ command: randomUUID(), actor })
  await handleCommand(plain, folderDecider, id, 'create', { player, name: 'Tuesday bullpen' }, by(player))
  await handleCommand(plain, folderDecider, id, 'rename', { name: 'Front toss' }, by(player))
  await handleCommand(plain, folderDecider, id, 'archive', {}, by(player))
  const asked = { by: asker, requestType: 'question', content: 'How do I pay?', deviceInfo: null, priority: 'low' as const }
  await handleCommand(plain, supportRequestDecider, id, 'ask', { ...asked, suggestedSolution: null }, by(asker))
  const streams = [`folder-${id}`, `request-${id}`]
  const before = await Promise.all(streams.map(stream => plain.read(stream)))

  expect(await encryptLog(db.sql, keys, personalTextFields)).toBe(3)
  const raw = await db.sql<{ row: string }[]>`select e::text as row from events e`
  expect(raw).toHaveLength(4)
  expect(raw.map(r => r.row).join()).not.toMatch(/bullpen|toss|How do I/)
  const store = encryptedStore(plain, keys, personalTextFields, silentLogger)
  const parts = (events: object[]) => events.map(e => ({ ...e }))
  for (const [i, stream] of streams.entries()) expect(parts(await store.read(stream))).toEqual(parts(before[i]!))

  // A second run changes nothing. The log is protected against changes again, and new events can be appended.
  expect(await encryptLog(db.sql, keys, personalTextFields)).toBe(0)
  await expect(db.sql`delete from events`).rejects.toThrow('Events are final')
  const { position } = await handleCommand(store, folderDecider, id, 'restore', {}, by(player))
  expect(position).toBe(4n)
  await plain.close()
})
