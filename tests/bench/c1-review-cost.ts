import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { objectStore } from '../../modules/media/object-store.ts'
import { findFreePort } from '../../src/embedded/find-free-port.ts'
import { createPostgresPool } from '../../src/server/postgres-pool.ts'
import { type AppProcess, startApp } from '../support/app-process.ts'
import type { BenchmarkFigure } from './benchmark-figure.ts'
import { startServerSampling } from './server-samples.ts'
import { registerAdmin, registerInstructor, registerPlayerWithClip, simulateSession, uploadClip } from './simulated-people.ts'
import { createVisitorMeter } from './simulated-visitors.ts'
import { measureStoreSizes } from './store-sizes.ts'

const REVIEWS = Number(process.env.REVIEWS ?? 20)
/** The number of sessions before the measurement, during which the server compiles its code and fills its caches. */
const WARM_UP_REVIEWS = 3

/**
 * C1: what a review costs. A player repeatedly creates a folder with a 3.5 s clip, assigns the folder, gets a review with five notes and
 * pays; the instructor's share is transferred, and the letters are sent. Each figure is the difference between before and after,
 * divided by the number of reviews.
 */
export default async function measureReviewCost(): Promise<BenchmarkFigure[]> {
  const directory = await mkdtemp(join(tmpdir(), 'diamondlink-review-cost-'))
  const callsFile = join(directory, 'stripe-calls')
  await writeFile(callsFile, '')
  const metricsPort = await findFreePort()
  const server = await startApp({
    env: { RATE_LIMIT_SCALE: '100000', METRICS_PORT: String(metricsPort), STRIPE_CALLS_FILE: callsFile },
    with: [join(import.meta.dirname, 'server-processes/stripe-call-log-preload.ts')],
  })
  const sql = createPostgresPool(server.config.databaseUrl, { max: 2 })
  const objects = objectStore(server.config.s3)
  const countStripeCalls = async () => (await readFile(callsFile, 'utf8')).split('\n').length - 1
  try {
    const playReview = await registerPeople(server, sql)
    for (let n = 0; n < WARM_UP_REVIEWS; n++) await playReview()
    await untilIdle(sql)

    const before = { ...(await measureStoreSizes(sql, objects)), stripeCalls: await countStripeCalls() }
    const postmaster = Number.parseInt(readFileSync(join(server.dataDir, 'postgres/data/postmaster.pid'), 'utf8'), 10)
    const stopSampling = startServerSampling({ pid: server.pid, postmaster, metricsPort })
    const startedAt = performance.now()
    for (let n = 0; n < REVIEWS; n++) await playReview()
    await untilIdle(sql)
    const seconds = (performance.now() - startedAt) / 1000
    const { cpu } = await stopSampling()
    const after = { ...(await measureStoreSizes(sql, objects)), stripeCalls: await countStripeCalls() }

    const figure = (name: string, value: number, unit = ''): BenchmarkFigure => ({ id: 'C1', name, value, unit })
    const perReview = (name: string, of: keyof typeof before) => figure(`${name} per review`, (after[of] - before[of]) / REVIEWS)
    const kilobytes = (name: string, of: keyof typeof before) =>
      figure(`${name} per review`, (after[of] - before[of]) / REVIEWS / 1000, 'kB')
    return [
      figure('complete reviews, one after another', REVIEWS),
      perReview('events', 'events'),
      perReview('errands', 'errands'),
      perReview('rows in read models', 'readModelRows'),
      perReview('calls of Stripe', 'stripeCalls'),
      perReview('objects', 'objects'),
      kilobytes('bytes of objects', 'objectBytes'),
      kilobytes('growth of the log without indexes', 'logBytes'),
      kilobytes('growth of read models without indexes', 'readModelBytes'),
      kilobytes('growth of other tables without indexes', 'otherTableBytes'),
      kilobytes('growth of indexes', 'indexBytes'),
      kilobytes('write-ahead log', 'walBytes'),
      figure('CPU of Node per review', cpu.node / REVIEWS, 's'),
      figure('CPU of Postgres per review', cpu.postgres / REVIEWS, 's'),
      figure('CPU of the embedded object store per review', cpu.objectStore / REVIEWS, 's'),
      figure('CPU of preparing the clip per review', cpu.media / REVIEWS, 's'),
      figure('duration per review', seconds / REVIEWS, 's'),
    ]
  } finally {
    objects.close()
    await sql.end()
    await server.stop()
    await rm(directory, { recursive: true })
  }
}

/** Registers an administrator, an instructor and a player. @returns a function that plays a complete session in a new folder */
async function registerPeople(server: AppProcess, sql: Sql): Promise<() => Promise<void>> {
  const { visitor } = createVisitorMeter(server.url)
  const instructor = await registerInstructor(sql, await registerAdmin(server, visitor()), visitor())
  const player = await registerPlayerWithClip(visitor())
  return async () => {
    const clip = await uploadClip(player.visitor)
    // The instructor can deliver feedback only once the clip has been prepared.
    await untilIdle(sql)
    await simulateSession({ visitor: player.visitor, ...clip }, instructor)
  }
}

/** Waits until all clips are prepared or refused, and all errands are done, failed, or neither due nor tried yet. */
async function untilIdle(sql: Sql) {
  const isBusy = async () => {
    const [row] = await sql<{ busy: boolean }[]>`
      select exists (select from media_work where state in ('waiting', 'preparing'))
        or exists (select from errands where done is null and failed is null and (due <= now() or attempt > 0)) as busy`
    return row!.busy
  }
  while (await isBusy()) await sleep(200)
}
