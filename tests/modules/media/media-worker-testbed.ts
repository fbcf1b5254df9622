import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import type { PreparationLimits } from '../../../modules/media/check-running-preparation-against-limits.ts'
import { type MediaJob, mediaJobQueue } from '../../../modules/media/media-job-queue.ts'
import { mediaWorker } from '../../../modules/media/media-worker.ts'
import { videoKey, videoKeyPrefixes } from '../../../modules/media/object-keys.ts'
import type { ObjectStore } from '../../../modules/media/object-store.ts'
import { createPostgresPool } from '../../../src/server/postgres-pool.ts'
import { createTestDatabase } from '../../support/postgres.ts'
import { collectItems, startTemporaryObjectStore } from './temporary-object-store.ts'

const silentLog = { info: () => {}, warn: () => {}, error: () => {} }
export const mediaTypeOf = (file: string) =>
  file.endsWith('.webm') ? 'video/webm' : file.endsWith('.mov') ? 'video/quicktime' : 'video/mp4'

/** Starts a database and an object store with a queue of media work, for workers that tests start and stop. */
export async function startMediaWorkerTestbed() {
  const [db, server] = await Promise.all([createTestDatabase(), startTemporaryObjectStore()])
  const { sql } = db
  const objects = server.store
  // A worker deletes files in the temporary directory, so it gets a directory of its own: a bug must not delete other files.
  const { TMPDIR } = process.env
  const home = await mkdtemp(join(tmpdir(), 'media-testbed-'))
  process.env.TMPDIR = home
  const work = mediaJobQueue(sql)
  const workers = new Set<{ own: Sql; end(): Promise<void> }>()
  return {
    sql,
    objects,
    work,
    url: db.url,
    /** Starts a worker; `end` returns its unfinished work to the queue. */
    async worker(
      o: {
        atOnce?: number
        shortBeside?: number
        shortTurn?: number
        /** A script that replaces the child process (`writeFakePreparationScript`). */
        entry?: string
        lease?: number
        limits?: Partial<PreparationLimits>
        loud?: boolean
        warn?: (about: object, what: string) => void
        store?: Partial<ObjectStore>
        /** Wraps the worker's database connection. */
        through?: (own: Sql) => Sql
      } = {},
    ) {
      // Separate connections, as in a separate process.
      const own = createPostgresPool(db.url)
      const ending = new AbortController()
      const log = o.loud
        ? { ...silentLog, error: (about: object, what: string) => console.error(what, about) }
        : { ...silentLog, ...(o.warn && { warn: o.warn }) }
      const { atOnce = 2, shortBeside = 0, shortTurn, entry, lease, limits, through = its => its } = o
      const its = mediaWorker({
        sql: through(own),
        objects: { ...objects, ...o.store },
        log,
        atOnce,
        shortBeside,
        shortTurn,
        entry,
        lease,
        limits,
      })
      await its.start(ending.signal)
      let ended: Promise<void> | undefined
      const end = async () => {
        ending.abort()
        await its.settled()
        await own.end()
      }
      const worker = { own, end: () => (ended ??= end().then(() => void workers.delete(worker))) }
      workers.add(worker)
      return worker
    },
    /** Stores a video as if a player had uploaded it, and adds it to the queue. */
    async add(file: string | Uint8Array, type = typeof file === 'string' ? mediaTypeOf(file) : 'video/mp4') {
      const [folder, video] = [randomUUID(), randomUUID()]
      const bytes = typeof file === 'string' ? await readFile(file) : file
      await objects.put(videoKey(folder, video), type, bytes)
      await work.add({ kind: 'rendition', video, folder, key: videoKey(folder, video), type, bytes: bytes.length })
      return { folder, video }
    },
    /** Waits until a video is prepared or refused. */
    async settled(video: string, kind: MediaJob['kind'] = 'rendition'): Promise<MediaJob> {
      for (;;) {
        const its = (await work.of([video], kind)).get(video)
        if (its?.state === 'ready' || its?.state === 'refused') return its
        await sleep(50)
      }
    },
    async keys() {
      const found: string[] = []
      for (const prefix of videoKeyPrefixes) for (const { key } of await collectItems(objects.list(prefix))) found.push(key)
      return found.sort()
    },
    /** Ends the workers that a test, perhaps a failed one, has not ended, and clears the queue. */
    async clear() {
      const left = [...workers]
      // Wait for at most 3 s, because a preparation may hang. An ending worker takes no further work.
      await Promise.race([Promise.allSettled(left.map(worker => worker.end())), sleep(3000)])
      await Promise.all(left.map(({ own }) => own.end({ timeout: 0 })))
      workers.clear()
      await sql`delete from media_work`
    },
    async end() {
      await Promise.all([...workers].map(worker => worker.end()))
      if (TMPDIR === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = TMPDIR
      await Promise.all([server.stop(), db.end(), rm(home, { recursive: true, force: true })])
    },
  }
}
export type MediaWorkerTestbed = Awaited<ReturnType<typeof startMediaWorkerTestbed>>

/** The process ids of the processes that prepare videos for this test. */
export async function preparationPids(): Promise<number[]> {
  const found = await Promise.all(
    (await readdir('/proc'))
      .filter(name => /^\d+$/.test(name))
      .map(async pid => {
        const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
        const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
        const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
        return parent === process.pid && command.includes('media/preparation-process/main.ts') ? Number(pid) : 0
      }),
  )
  return found.filter(Boolean)
}
