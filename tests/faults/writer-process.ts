/**
 * A process that appends as fast as it can and may be killed at any moment: `writer-process.ts URL STORE`. Prints a line for each
 * acknowledged event: id, stream, revision, position (−1 if the store reports none), time of the request, time of the acknowledgement.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type EventStore, RevisionConflict } from '../../modules/kernel/store.ts'
import { postgresStore } from '../../modules/kernel/stores/postgres.ts'
import { connectPostgres } from '../../src/server/postgres-pool.ts'
import { naiveStore } from './naive-store.ts'

const WRITERS = 8
/** Streams stay short, so that they can be read before each append, as a command does. */
const MAX_STREAM_LENGTH = 40

/** Two writers share their streams, so that they conflict. A batch is written whole: a writer without a confirmation checks whether it exists. */
async function write(store: EventStore, writer: number) {
  const name = (n: number) => `ledger-${writer >> 1}.${n}`
  for (let n = 0; ; ) {
    const news = Array.from({ length: 1 + Math.floor(Math.random() * 3) }, (_, i) => ({
      id: randomUUID(),
      type: 'EntryMade',
      data: { writer, i, words: 'Let it travel. '.repeat(8) },
      meta: { command: randomUUID(), name: 'ledger.enter', actor: 'system' },
    }))
    const begun = process.hrtime.bigint()
    for (let written = false; !written; ) {
      try {
        let there = await store.read(name(n))
        if (!there.some(e => e.id === news[0]!.id)) {
          if (there.length >= MAX_STREAM_LENGTH) {
            n++
            continue
          }
          const last = await store.append(name(n), BigInt(there.length) - 1n, news)
          const answered = process.hrtime.bigint()
          for (const [i, { id }] of news.entries()) {
            const position = i === news.length - 1 ? last : -1n
            process.stdout.write(`${id} ${name(n)} ${there.length + i} ${position} ${begun} ${answered}\n`)
          }
        } else {
          const answered = process.hrtime.bigint()
          there = there.filter(e => news.some(({ id }) => id === e.id))
          for (const e of there) process.stdout.write(`${e.id} ${name(n)} ${e.revision} ${e.position} ${begun} ${answered}\n`)
        }
        written = true
      } catch (error) {
        // The store is down or restarting; it is unknown whether the append succeeded.
        if (!(error instanceof RevisionConflict)) await sleep(20)
      }
    }
  }
}

const [url, which] = process.argv.slice(2)
const sql = connectPostgres(url!, { max: WRITERS })
const open = async (): Promise<EventStore> =>
  which === 'naive' ? naiveStore(sql).catch(() => sleep(50).then(open)) : Promise.resolve(postgresStore(sql))
const store = await open()
for (let writer = 0; writer < WRITERS; writer++) void write(store, writer)
