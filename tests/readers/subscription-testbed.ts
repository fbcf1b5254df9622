import { randomUUID } from 'node:crypto'
import pino from 'pino'
import { afterEach, beforeEach, expect } from 'vitest'
import type { EventStore, RecordedEvent } from '../../modules/kernel/store.ts'
import { memoryStore } from '../../modules/kernel/stores/memory.ts'
import type { Reader } from '../../modules/readers/deliver-batch.ts'
import { withSchemaLock } from '../../modules/readers/schema-lock.ts'
import { createTestDatabase } from '../support/postgres.ts'

export let db: Awaited<ReturnType<typeof createTestDatabase>>
export let testAbort: AbortController

/** Gives each test of the calling file a database, and ends its readers afterwards. */
export function setUpDatabasePerSubscriptionTest() {
  beforeEach(async () => {
    testAbort = new AbortController()
    db = await createTestDatabase()
  })
  afterEach(async () => {
    testAbort.abort()
    await db.end()
  })
}

export const silentLog = pino({ level: 'silent' })
export const newTestEvent = (type = 'Good') => ({
  id: randomUUID(),
  type,
  data: {},
  meta: { command: randomUUID(), name: 'a.b', actor: 'system' },
})
export const newTestEvents = (n: number) => Array.from({ length: n }, () => newTestEvent())

export const insertReaderCheckpoints = (...names: string[]) =>
  withSchemaLock(db.sql, async tx => {
    for (const name of names) await tx`insert into checkpoints (name) values (${name})`
    expect(await tx`select from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`).toHaveLength(1)
  })
export const checkpointPositionOf = async (name: string) =>
  (await db.sql`select position::int from checkpoints where name = ${name}`)[0]?.position as number
export const setCheckpointPosition = (name: string, position: number) =>
  db.sql`update checkpoints set position = ${position} where name = ${name}`
export const positionRangeText = (events: RecordedEvent[]) => `${events[0]?.position}–${events.at(-1)?.position}`

/** Creates a log that yields batches of at most `size` events. `followed`: where subscriptions have started, and how many are open now. */
export function batchedStore(size = Number.POSITIVE_INFINITY) {
  const store = memoryStore()
  const followed = { from: [] as bigint[], now: 0 }
  async function* follow(...[from, signal]: Parameters<EventStore['follow']>) {
    followed.from.push(from)
    followed.now++
    try {
      for await (const batch of store.follow(from, signal)) for (let i = 0; i < batch.length; i += size) yield batch.slice(i, i + size)
    } finally {
      followed.now--
    }
  }
  return { ...store, follow, followed }
}

/** Creates a reader that records the positions of the events it receives, after `onEvents` has run. */
export function recordingReader(name: string, received: string[], onEvents: (events: RecordedEvent[]) => unknown = () => {}): Reader {
  return {
    name,
    async apply(_, events) {
      await onEvents(events)
      received.push(`${name} ${positionRangeText(events)}`)
    },
  }
}
