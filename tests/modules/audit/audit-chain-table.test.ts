import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import {
  chainHead,
  chainProofsOf,
  eventHashChainWriter,
  rebuildAuditChain,
  truncateAuditChainToLogEnd,
} from '../../../modules/audit/audit-chain-table.ts'
import { chainLinkOf, GENESIS_HASH } from '../../../modules/audit/hash-chain.ts'
import { silentLogger } from '../../../modules/kernel/logger-interface.ts'
import type { EventStore } from '../../../modules/kernel/store.ts'
import { memoryStore } from '../../../modules/kernel/stores/memory.ts'
import { encryptedStore } from '../../../modules/privacy/encrypted-store.ts'
import { destroyKeyInDatabase, personKeys } from '../../../modules/privacy/person-keys.ts'
import { projectionRunner } from '../../../modules/readers/projection-runner.ts'
import { newTestEvent } from '../../kernel/test-events.ts'
import { createTestDatabase } from '../../support/postgres.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const end of cleanups.splice(0).reverse()) await end()
})

const said = (word: string) => newTestEvent({ word }, { type: 'Said' })

/** Returns the same log, except that followers get batches of one event. */
const withSmallBatches = (store: EventStore): EventStore => ({
  ...store,
  async *follow(after, signal) {
    for await (const batch of store.follow(after, signal)) for (const e of batch) yield [e]
  },
})

/** Creates a log that encrypts texts, and a database for the hash chain of its events. */
async function openChain() {
  const db = await createTestDatabase()
  const { sql } = db
  cleanups.push(() => db.end())
  const keys = personKeys(sql)
  cleanups.push(() => keys.stop())
  const fields = [{ stream: 'player', person: 'id', fields: { Said: ['word'] } }] as const
  const store = encryptedStore(memoryStore(), keys, fields, silentLogger)
  return {
    sql,
    store,
    /** Starts a server that maintains the chain. @returns a function that stops it */
    async startServer() {
      const ending = new AbortController()
      cleanups.push(() => ending.abort())
      await projectionRunner(sql, store, [], { log: silentLogger, companions: [eventHashChainWriter] }).start(ending.signal)
      return () => ending.abort()
    },
    headPosition: async () => (await chainHead(sql))?.position,
    links: () => sql<{ position: string; hash: string }[]>`select position::text, hash from audit_chain order by audit_chain.position`,
  }
}

test('each event is chained to the previous one once, whichever server reads it', async () => {
  const { sql, store, startServer, headPosition, links } = await openChain()
  const person = randomUUID()
  await store.append(`player-${person}`, -1n, [said('one'), said('two')])
  const stopFirst = await startServer()
  await startServer()
  await expect.poll(headPosition).toBe('1')
  await store.append(`player-${person}`, 1n, [said('three')])
  await expect.poll(headPosition).toBe('2')
  const proofs = await chainProofsOf(sql, ['0', '1', '2'])
  expect(['0', '1', '2'].map(p => proofs.get(p)!.previous)).toEqual([GENESIS_HASH, proofs.get('0')!.hash, proofs.get('1')!.hash])
  expect(JSON.stringify([...proofs.values()])).not.toContain('three')

  // The hashes do not change when a person is deleted, another server takes over, and the reader starts from the beginning.
  const before = await links()
  await destroyKeyInDatabase(sql, person, new Date())
  stopFirst()
  await sql`update checkpoints set position = -1 where name = ${eventHashChainWriter.name}`
  await startServer()
  await store.append('team-a', -1n, [said('four')])
  await expect.poll(headPosition).toBe('3')
  expect((await links()).slice(0, 3)).toEqual(before)
  expect(await sql`select stream from parked`).toEqual([])
})

test('rebuilding the hash chain gives the same chain, even after a person is forgotten', async () => {
  const { sql, store, startServer, headPosition, links } = await openChain()
  const person = randomUUID()
  await store.append(`player-${person}`, -1n, [said('one'), said('two')])
  await store.append('team-a', -1n, [said('three')])
  await startServer()
  await expect.poll(headPosition).toBe('2')
  const before = await links()
  await destroyKeyInDatabase(sql, person, new Date())
  await rebuildAuditChain(sql, store)
  expect(await links()).toEqual(before)
  // If the reader has not chained the newest events yet, a rebuild leaves them to the reader.
  for (const [position, log] of [
    [1, withSmallBatches(store)],
    [0, store],
  ] as const) {
    await sql`update checkpoints set position = ${position} where name = ${eventHashChainWriter.name}`
    await rebuildAuditChain(sql, log)
    expect(await links()).toEqual(before.slice(0, position + 1))
  }
})

test('rebuilding the hash chain of an empty log gives an empty chain', async () => {
  const { sql, store, links } = await openChain()
  await rebuildAuditChain(sql, store)
  expect([await links(), await chainHead(sql)]).toEqual([[], null])
})

test('a batch of more events than one statement inserts is chained in order', async () => {
  const { sql, store } = await openChain()
  await store.append(
    'team-a',
    -1n,
    Array.from({ length: 501 }, () => said('x')),
  )
  const events = await store.read('team-a')
  await sql.begin(tx => eventHashChainWriter.apply(tx, events))
  const proofs = await chainProofsOf(sql, ['0', '499', '500', '501'])
  expect([proofs.size, proofs.get('500')!.previous]).toEqual([3, proofs.get('499')!.hash])
  expect(proofs.get('0')!.hash).toBe(chainLinkOf(GENESIS_HASH, events[0]!).hash)
  const head = await chainHead(sql)
  expect(head).toMatchObject({ position: '500', hash: proofs.get('500')!.hash, at: expect.stringMatching(/^\d{4}-.*Z$/) })
})

test('the hash chain of a restored older log ends where that log ends', async () => {
  const { sql, store, startServer, headPosition } = await openChain()
  await store.append('team-a', -1n, [said('one'), said('two'), said('three')])
  const stop = await startServer()
  await expect.poll(headPosition).toBe('2')
  stop()
  expect(await truncateAuditChainToLogEnd(sql)).toBe(0)
  await sql`update checkpoints set log_end = 0 where name = ${eventHashChainWriter.name}`
  expect(await truncateAuditChainToLogEnd(sql)).toBe(2)
  expect(await headPosition()).toBe('0')
  expect(await sql`select position::text, log_end from checkpoints where name = ${eventHashChainWriter.name}`).toEqual([
    { position: '0', log_end: null },
  ])
})
