import { randomUUID } from 'node:crypto'
import type { Sql } from 'postgres'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  auditChainReader,
  chainHead,
  chainProofsOf,
  rebuildAuditChain,
  truncateAuditChain,
} from '../../../modules/audit/audit-chain-reader.ts'
import { GENESIS_HASH } from '../../../modules/audit/hash-chain.ts'
import { silentLogger } from '../../../modules/kernel/logger.ts'
import type { EventStore } from '../../../modules/kernel/store.ts'
import { memoryStore } from '../../../modules/kernel/stores/memory.ts'
import { encryptedStore } from '../../../modules/privacy/encrypted-store.ts'
import { destroyKeyInDatabase, personKeys } from '../../../modules/privacy/person-keys.ts'
import { projectionRunner } from '../../../modules/readers/projection-runner.ts'
import { newTestEvent } from '../../kernel/test-events.ts'
import { createTestDatabase } from '../../support/postgres.ts'

let db: Awaited<ReturnType<typeof createTestDatabase>>
let sql: Sql
let keys: ReturnType<typeof personKeys>
const cleanups: (() => unknown)[] = []
beforeEach(async () => {
  db = await createTestDatabase()
  sql = db.sql
  keys = personKeys(sql)
})
afterEach(async () => {
  for (const end of cleanups.splice(0).reverse()) await end()
  await keys.stop()
  await db.end()
})

const said = (word: string) => newTestEvent({ word }, { type: 'Said' })
const encrypting = (inner: EventStore) =>
  encryptedStore(inner, keys, [{ stream: 'player', person: 'id', fields: { Said: ['word'] } }], silentLogger)

/** A server that maintains the hash chain on the test's database. */
async function startChainServer(store: EventStore) {
  const ending = new AbortController()
  cleanups.push(() => ending.abort())
  await projectionRunner(sql, store, [], { log: silentLogger, companions: [auditChainReader] }).start(ending.signal)
  return () => ending.abort()
}
const headPosition = async () => (await chainHead(sql))?.position
const links = () => sql<{ position: string; hash: string }[]>`select position::text, hash from audit_chain order by audit_chain.position`

test('each event is chained to the previous one once, whichever server reads it', async () => {
  const store = encrypting(memoryStore())
  const person = randomUUID()
  await store.append(`player-${person}`, -1n, [said('one'), said('two')])
  const stopFirst = await startChainServer(store)
  await startChainServer(store)
  await expect.poll(headPosition).toBe('1')
  await store.append(`player-${person}`, 1n, [said('three')])
  await expect.poll(headPosition).toBe('2')
  const proofs = await chainProofsOf(sql, ['0', '1', '2'])
  expect(['0', '1', '2'].map(p => proofs.get(p)!.previous)).toEqual([GENESIS_HASH, proofs.get('0')!.hash, proofs.get('1')!.hash])
  expect(JSON.stringify([...proofs.values()])).not.toContain('three')

  // After deleting a person, on another server, and after a restart of the reader, the hashes are unchanged.
  const before = await links()
  await destroyKeyInDatabase(sql, person, new Date())
  stopFirst()
  await sql`update checkpoints set position = -1 where name = ${auditChainReader.name}`
  await startChainServer(store)
  await store.append('team-a', -1n, [said('four')])
  await expect.poll(headPosition).toBe('3')
  expect((await links()).slice(0, 3)).toEqual(before)
  expect(await sql`select stream from parked`).toEqual([])
})

test('rebuilding the hash chain gives the same chain, even after people were forgotten', async () => {
  const store = encrypting(memoryStore())
  const person = randomUUID()
  await store.append(`player-${person}`, -1n, [said('one'), said('two')])
  await store.append('team-a', -1n, [said('three')])
  await startChainServer(store)
  await expect.poll(headPosition).toBe('2')
  const before = await links()
  await destroyKeyInDatabase(sql, person, new Date())
  await rebuildAuditChain(sql, store)
  expect(await links()).toEqual(before)
})

test('the hash chain of a restored older log ends where that log ends', async () => {
  const store = encrypting(memoryStore())
  await store.append('team-a', -1n, [said('one'), said('two'), said('three')])
  const stop = await startChainServer(store)
  await expect.poll(headPosition).toBe('2')
  stop()
  expect(await truncateAuditChain(sql)).toBe(0)
  await sql`update checkpoints set log_end = 0 where name = ${auditChainReader.name}`
  expect(await truncateAuditChain(sql)).toBe(2)
  expect(await headPosition()).toBe('0')
})
