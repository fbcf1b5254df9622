import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tableOf } from '../../modules/kernel/projection.ts'
import type { NewEvent } from '../../modules/kernel/store.ts'
import { memoryStore } from '../../modules/kernel/stores/memory.ts'
import { projectionRunner } from '../../modules/readers/projection-runner.ts'
import { projections } from '../../src/server/module-registry.ts'
import { createTestDatabase } from '../support/postgres.ts'

const samples = join(import.meta.dirname, '../events')
/** The sample events of all types, in the order in which they happened; every stream is complete. */
const log = readdirSync(samples)
  .filter(file => file.endsWith('.json'))
  .flatMap(file => JSON.parse(readFileSync(join(samples, file), 'utf8')) as (NewEvent & { stream: string; revision: string; at: string })[])
  .sort((a, b) => (a.at === b.at ? Number(a.revision) - Number(b.revision) : a.at < b.at ? -1 : 1))

let db: Awaited<ReturnType<typeof createTestDatabase>>
const testAbort = new AbortController()
beforeAll(async () => {
  db = await createTestDatabase()
})
afterAll(async () => {
  testAbort.abort()
  await db.end()
})

test('read models updated event by event equal read models rebuilt from the log', async () => {
  const store = memoryStore()
  const kept = projectionRunner(db.sql, store, projections, { log: pino({ level: 'silent' }) })
  await kept.start(testAbort.signal)
  const names = projections.map(p => p.name)
  for (const { stream, revision, at: _, ...event } of log) {
    const position = await store.append(stream, BigInt(revision) - 1n, [event])
    // Wait after each event, so that every batch has exactly one.
    expect(await kept.caughtUp(names, position, 10_000)).toBe(true)
  }
  const rowsOf = async (name: string) =>
    (await db.sql`select * from ${db.sql(tableOf(projections.find(p => p.name === name)!))}`)
      .map(row => JSON.stringify(row, bigints))
      .sort()
  for (const name of names) {
    const before = await rowsOf(name)
    expect([name, before.length]).not.toEqual([name, 0])
    await kept.rebuild(name)
    expect([name, await rowsOf(name)]).toEqual([name, before])
  }
})

const bigints = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
