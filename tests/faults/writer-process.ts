/**
 * A process that appends as fast as it can, to be killed at any moment: `writer-process.ts URL STORE`. Prints a line for each confirmed
 * event: id, stream, revision, position (−1: unknown), when it was sent and when it was confirmed, both in ns.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type EventStore, RevisionConflict } from '../../modules/kernel/store.ts'
import { postgresStore } from '../../modules/kernel/stores/postgres.ts'
import { createPostgresPool } from '../../src/server/postgres-pool.ts'
import { createNaiveStore } from './naive-store.ts'

const WRITERS = 8
/** The writers keep streams short, because they read a stream before each append, as commands do. */
const MAX_STREAM_LENGTH = 40

/** Each pair of writers shares its streams, so that they conflict. After an error, a writer checks whether its batch was written anyway. */
async function write(store: EventStore, writer: number) {
  const name = (n: number) => `ledger-${writer >> 1}.${n}`
  for (let n = 0; ; ) {
    const batch = Array.from({ length: 1 + Math.floor(Math.random() * 3) }, (_, i) => ({
      id: randomUUID(),
      type: 'EntryMade',
      data: { writer, i, words: 'Let it travel. '.repeat(8) },
      meta: { command: randomUUID(), name: 'ledger.enter', actor: 'system' },
    }))
    const sentAt = process.hrtime.bigint()
    for (let written = false; !written; ) {
      try {
        const stored = await store.read(name(n))
        if (!stored.some(e => e.id === batch[0]!.id)) {
          if (stored.length >= MAX_STREAM_LENGTH) {
            n++
            continue
          }
          const last = await store.append(name(n), BigInt(stored.length) - 1n, batch)
          const confirmedAt = process.hrtime.bigint()
          for (const [i, { id }] of batch.entries()) {
            const position = i === batch.length - 1 ? last : -1n
            process.stdout.write(`${id} ${name(n)} ${stored.length + i} ${position} ${sentAt} ${confirmedAt}\n`)
          }
        } else {
          const confirmedAt = process.hrtime.bigint()
          for (const e of stored.filter(e => batch.some(({ id }) => id === e.id)))
            process.stdout.write(`${e.id} ${name(n)} ${e.revision} ${e.position} ${sentAt} ${confirmedAt}\n`)
        }
        written = true
      } catch (error) {
        // Postgres or the connection was killed. Whether the batch was written is not known.
        if (!(error instanceof RevisionConflict)) await sleep(20)
      }
    }
  }
}

const [url, which] = process.argv.slice(2)
const sql = createPostgresPool(url!, { max: WRITERS })
const open = async (): Promise<EventStore> =>
  which === 'naive' ? createNaiveStore(sql).catch(() => sleep(50).then(open)) : Promise.resolve(postgresStore(sql))
const store = await open()
for (let writer = 0; writer < WRITERS; writer++) void write(store, writer)
