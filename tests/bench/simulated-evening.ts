import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import type { Sql } from 'postgres'
import { findFreePort } from '../../src/embedded/find-free-port.ts'
import { buildApp } from '../../src/server/app.ts'
import { type AppProcess, startApp } from '../support/app-process.ts'
import type { BenchmarkFigure } from './benchmark-figure.ts'
import { compareReadModelsWithLog } from './compare-read-models-with-log.ts'
import { startServerSampling } from './server-samples.ts'
import {
  registerAdmin,
  registerInstructor,
  registerPlayerWithClip,
  runConcurrently,
  simulateSession,
  uploadClip,
} from './simulated-people.ts'
import { createVisitorMeter } from './simulated-visitors.ts'

/** The number of reviews in the evening, which represents four hours and is played in ten minutes, 24 times as fast. */
const REVIEWS = 2000
const PAGE_VIEWS = 20_000
const CLIPS = 100
const EVENING_SECONDS = 600
/** A shorter run plays a part of the evening at the same rates. */
const seconds = Math.min(EVENING_SECONDS, Number(process.env.EVENING_SECONDS ?? EVENING_SECONDS))
const partOf = (whole: number) => Math.round((whole * seconds) / EVENING_SECONDS)
/** Each player has one folder, which is assigned again after each payment: the clips of 2,000 folders would take an hour to prepare. */
const PLAYERS = Math.max(20, partOf(60))
const INSTRUCTORS = 10
/** The maximum number of sessions, page views and uploads in progress; further ones start late. */
const MAX_IN_FLIGHT = { sessions: 40, views: 100, uploads: 10 }
/** The pages that players load in turn; a visitor without an account loads `/`. */
const READER_PAGES = [
  '/player/folder/{folder}',
  '/',
  '/player/dashboard',
  '/player/folder/{folder}',
  '/player/connect-instructor',
  '/player/progress',
]

const percentile = (sorted: number[], share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

/**
 * Starts `count` acts evenly over the evening, and none after its end. An act waits for earlier ones only while `maxInFlight` are running.
 * @returns how many started, and the longest delay of a start in seconds
 */
async function evenly(count: number, maxInFlight: number, act: (n: number) => Promise<unknown>) {
  const start = performance.now()
  const end = start + seconds * 1000
  const inFlight = new Set<Promise<unknown>>()
  let [begun, lateMs] = [0, 0]
  while (begun < count) {
    const planned = start + (begun * seconds * 1000) / count
    const early = planned - performance.now()
    if (early > 0) await sleep(early)
    while (inFlight.size >= maxInFlight) await Promise.race(inFlight)
    if (performance.now() > end) break
    lateMs = Math.max(lateMs, performance.now() - planned)
    const running = act(begun++).finally(() => inFlight.delete(running))
    inFlight.add(running)
  }
  await Promise.all(inFlight)
  return { begun, late: lateMs / 1000 }
}

async function untilPrepared(sql: Sql) {
  for (;;) {
    const [row] = await sql<{ open: number }[]>`
      select count(*)::int as open from media_work where state in ('waiting', 'preparing')`
    if (!row!.open) return
    await sleep(1000)
  }
}

async function preparedClips(sql: Sql, since: Date) {
  const rows = await sql<{ state: string; seconds: number }[]>`
    select state, extract(epoch from ended - asked)::float as seconds from media_work where kind = 'rendition' and asked >= ${since}`
  const refused = rows.filter(row => row.state === 'refused').length
  return {
    waits: rows
      .filter(row => row.state === 'ready')
      .map(row => row.seconds)
      .sort((a, b) => a - b),
    refused,
  }
}

/**
 * N1: an evening of 2,000 reviews, 20,000 page views and 100 new clips in ten minutes (3.3 reviews, 33 page views and 0.17 clips a second,
 * 24 times an evening of four hours) against the real server with its embedded services. Clients run on the same machine.
 */
export default async function simulateEvening(): Promise<BenchmarkFigure[]> {
  const metricsPort = await findFreePort()
  const server = await startApp({ env: { RATE_LIMIT_SCALE: '100000', METRICS_PORT: String(metricsPort) } })
  const app = await buildApp(server.config, pino({ level: 'silent' }))
  try {
    return await measureEvening(server, app.deps, metricsPort)
  } catch (error) {
    console.error(server.output())
    throw error
  } finally {
    await app.stop()
    await server.stop()
  }
}

async function measureEvening(
  server: AppProcess,
  deps: Awaited<ReturnType<typeof buildApp>>['deps'],
  metricsPort: number,
): Promise<BenchmarkFigure[]> {
  const { visitor, times, errors, attempt, startRecording, staleAnswers, unavailableAnswers } = createVisitorMeter(server.url)
  const admin = await registerAdmin(server, visitor())
  const instructors = await runConcurrently(INSTRUCTORS, 1, () => registerInstructor(deps.sql, admin, visitor()))
  const players = await runConcurrently(PLAYERS, 2, () => registerPlayerWithClip(visitor()))
  await untilPrepared(deps.sql)
  const anyone = visitor()

  startRecording()
  const since = new Date()
  const postmaster = Number.parseInt(readFileSync(join(server.dataDir, 'postgres/data/postmaster.pid'), 'utf8'), 10)
  const stopSampling = startServerSampling({ pid: server.pid, postmaster, metricsPort })
  const visitorsCpuBefore = process.cpuUsage()
  const start = performance.now()
  /** Players whose folder is not assigned, the longest waiting first. */
  const idle = [...players]
  let [reviews, views, clips] = [0, 0, 0]
  const [sessions, reading] = await Promise.all([
    evenly(partOf(REVIEWS), Math.min(MAX_IN_FLIGHT.sessions, PLAYERS), async n => {
      const player = idle.shift()!
      if (await attempt(() => simulateSession(player, instructors[n % INSTRUCTORS]!))) reviews++
      idle.push(player)
    }),
    evenly(partOf(PAGE_VIEWS), MAX_IN_FLIGHT.views, async n => {
      const page = READER_PAGES[n % READER_PAGES.length]!
      const { visitor: reader, folder } = players[n % PLAYERS]!
      if (await attempt(() => (page === '/' ? anyone : reader).view(page, { folder }))) views++
    }),
    evenly(partOf(CLIPS), MAX_IN_FLIGHT.uploads, async n => {
      if (await attempt(() => uploadClip(players[n % PLAYERS]!.visitor))) clips++
    }),
  ])
  const took = (performance.now() - start) / 1000
  const { most, cpu, failed } = await stopSampling()
  const visitorsCpu = process.cpuUsage(visitorsCpuBefore)

  await untilPrepared(deps.sql)
  const checked = await compareReadModelsWithLog(deps)
  const { waits, refused } = await preparedClips(deps.sql, since)
  const [outbox] = await deps.sql<{ failed: number }[]>`select count(*)::int as failed from errands where failed is not null`
  for (const [text, count] of Map.groupBy(errors, error => error)) console.error(`${count.length} × ${text}`)

  const figure = (name: string, value: number, unit = '', bar?: number, better?: BenchmarkFigure['better']): BenchmarkFigure => ({
    id: 'N1',
    name,
    value,
    unit,
    ...(bar !== undefined && { bar }),
    ...(better && { better }),
  })
  const none = (name: string, value: number) => figure(name, value, '', 0, 'less')
  const byRoute = [...times]
    .sort(([a], [b]) => a.localeCompare(b))
    .flatMap(([route, all]) => {
      const sorted = all.toSorted((a, b) => a - b)
      return [
        figure(`${route}, p50 of ${sorted.length.toLocaleString('en-US')}`, percentile(sorted, 0.5), 'ms'),
        figure(`${route}, p99`, percentile(sorted, 0.99), 'ms'),
      ]
    })
  return [
    figure('reviews, from the quote to the payment', reviews, '', partOf(REVIEWS)),
    figure('page views', views, '', partOf(PAGE_VIEWS)),
    figure('new clips that were uploaded', clips, '', partOf(CLIPS)),
    figure('duration until the last response', took, 's'),
    figure('reviews per second', reviews / took, '/s'),
    figure('how late a session began, at most', sessions.late, 's'),
    figure('how late a page view began, at most', reading.late, 's'),
    none('errors', errors.length),
    figure('503 responses, each of which was retried', unavailableAnswers()),
    figure("responses older than the reader's own changes", staleAnswers()),
    none('errands that were given up', outbox!.failed),
    none('clips that were refused', refused),
    none('streams that a reader parked', checked.parked),
    none('readers that did not reach the end of the log', checked.behind),
    none('rows of read models that differ from a fold of the log', checked.different),
    figure('lag of a reader of the log, at most', most.readerLag, 's'),
    figure('age of a due errand, at most', most.outboxAge, 's'),
    figure('age of a waiting clip, at most', most.mediaAge, 's'),
    figure('from a clip’s upload to its rendition, p50', percentile(waits, 0.5), 's'),
    figure('from a clip’s upload to its rendition, p99', percentile(waits, 0.99), 's'),
    figure('memory of Node, at most', most.megabytes, 'MB'),
    figure('CPU of Node', cpu.node, 's'),
    figure('CPU of Postgres', cpu.postgres, 's'),
    figure('CPU of the embedded object store', cpu.objectStore, 's'),
    figure('CPU of preparing clips', cpu.media, 's'),
    figure('CPU of the simulated visitors', (visitorsCpu.user + visitorsCpu.system) / 1e6, 's'),
    figure('samples of the server that failed', failed),
    ...byRoute,
  ]
}
