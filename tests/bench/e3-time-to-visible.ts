import { randomUUID } from 'node:crypto'
import pino from 'pino'
import { folderDecider } from '../../modules/folders/folder.ts'
import { handleCommand } from '../../modules/kernel/decider.ts'
import { postgresStore } from '../../modules/kernel/stores/postgres.ts'
import { encryptedStore } from '../../modules/privacy/encrypted-store.ts'
import { personKeys } from '../../modules/privacy/person-keys.ts'
import { projectionRunner } from '../../modules/readers/projection-runner.ts'
import { folders } from '../../projections/folders.ts'
import { personalTextFields } from '../../projections/personal-text-fields.ts'
import { migrate } from '../../src/server/migrate.ts'
import { createPostgresPool } from '../../src/server/postgres-pool.ts'
import { startTemporaryPostgres } from '../support/postgres.ts'
import type { BenchmarkFigure } from './benchmark-figure.ts'

const perSecond = 100
const seconds = 20
const silentLog = { info: () => {}, error: (about: object, what: string) => console.error(what, about) }

/**
 * Starts `perSecond` commands per second, whether or not earlier ones are visible. Returns how many milliseconds after its acknowledgment
 * each command became visible, sorted.
 */
async function delays(command: (id: string) => Promise<() => Promise<unknown>>): Promise<number[]> {
  const times: number[] = []
  const running: Promise<void>[] = []
  const start = performance.now()
  for (let n = 0; n < perSecond * seconds; n++) {
    const early = start + (n * 1000) / perSecond - performance.now()
    if (early > 0) await new Promise(resolve => setTimeout(resolve, early))
    running.push(
      command(randomUUID()).then(async visible => {
        const acknowledged = performance.now()
        await visible()
        // The first second is a warm-up.
        if (n >= perSecond) times.push(performance.now() - acknowledged)
      }),
    )
  }
  await Promise.all(running)
  return times.sort((a, b) => a - b)
}

const at = (sorted: number[], part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!

/** E3: the time from an acknowledged command until a read model shows it, compared with a reader of the same log that polls every 50 ms. */
export default async function measureTimeToVisible(): Promise<BenchmarkFigure[]> {
  const server = await startTemporaryPostgres({})
  await migrate(server.url, pino({ level: 'silent' }))
  const sql = createPostgresPool(server.url)
  const store = encryptedStore(postgresStore(sql), personKeys(sql), personalTextFields, silentLog)
  const ending = new AbortController()
  try {
    const views = projectionRunner(sql, store, [folders], { log: silentLog })
    await views.start(ending.signal)
    const create = (id: string) => {
      const meta = { command: randomUUID(), actor: id }
      return handleCommand(store, folderDecider, id, 'create', { player: id, name: 'Tuesday bullpen' }, meta)
    }
    const ours = await delays(async id => {
      const { position } = await create(id)
      return async () => {
        if (!(await views.caughtUp([folders.name], position))) throw new Error('a command was not seen within 2 s')
      }
    })

    let seen = -1n
    const waiting = new Set<() => void>()
    const polling = setInterval(async () => {
      const [row] = await sql`select max(position)::text as position from events`
      seen = BigInt(row!.position)
      for (const look of [...waiting]) look()
    }, 50)
    const polled = await delays(async id => {
      const { position } = await create(id)
      return () =>
        new Promise<void>(resolve => {
          const look = () => {
            if (seen < position) return
            waiting.delete(look)
            resolve()
          }
          waiting.add(look)
        })
    })
    clearInterval(polling)
    return [
      { id: 'E3', name: 'acknowledged to visible at 100 commands/s, p99', value: at(ours, 0.99), unit: 'ms', bar: 5, better: 'less' },
      { id: 'E3', name: 'acknowledged to visible at 100 commands/s, median', value: at(ours, 0.5), unit: 'ms' },
      { id: 'E3', name: 'reference: a reader that polls every 50 ms, p99', value: at(polled, 0.99), unit: 'ms' },
    ]
  } finally {
    ending.abort()
    await store.close()
    await sql.end({ timeout: 5 })
    await server.stop()
  }
}
