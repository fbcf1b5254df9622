import type { Sql } from 'postgres'
import { createPostgresPool } from '../../src/server/postgres-pool.ts'
import { startTemporaryPostgres } from '../support/postgres.ts'
import type { BenchmarkFigure } from './benchmark-figure.ts'
import { fillInstallation } from './fill-installation.ts'
import { median } from './http-load-and-cpu-time-helpers.ts'
import { BENCHMARK_NOW } from './large-installation-constants.ts'
import { adminQueries } from './measured-queries/admin.ts'
import { backgroundJobQueries, fullScanQueries } from './measured-queries/background-jobs.ts'
import { guardianQueries } from './measured-queries/guardian.ts'
import { instructorQueries } from './measured-queries/instructor.ts'
import { playerQueries } from './measured-queries/player.ts'
import type { QueryMap } from './measured-queries/query-map-type.ts'
import { visitorAndAccountQueries } from './measured-queries/visitor-and-account.ts'
import { connectWithAutoExplain } from './sequential-scan-profiler.ts'

const RUNS = 5
/**
 * Postgres may use a generic plan for a prepared statement after five runs. A server that runs for days uses such plans, so the benchmark
 * measures them.
 */
const RUNS_UNTIL_GENERIC_PLAN = 6
/** Only `fullScanQueries` may sequentially scan a table with more rows than this. */
const MAX_SCANNED_ROWS = 10_000

const SCREENS: QueryMap = {
  ...playerQueries,
  ...guardianQueries,
  ...instructorQueries,
  ...visitorAndAccountQueries,
  ...adminQueries,
  ...backgroundJobQueries,
}

async function repeat(times: number, run: () => PromiseLike<unknown>) {
  for (let i = 0; i < times; i++) await run()
}

async function medianDuration(sql: Sql, query: QueryMap[string]) {
  await repeat(RUNS_UNTIL_GENERIC_PLAN, () => query(sql, BENCHMARK_NOW))
  const times: number[] = []
  await repeat(RUNS, async () => {
    const start = performance.now()
    await query(sql, BENCHMARK_NOW)
    times.push(performance.now() - start)
  })
  return median(times)
}

/**
 * Q1: measures how long queries take in an installation of 100,000 people and a million events, and finds the tables that they scan
 * sequentially in the plan of every statement. Except for `fullScanQueries`, no query may scan a table of more than 10,000 rows.
 */
export default async function checkQueryPlans(): Promise<BenchmarkFigure[]> {
  const server = await startTemporaryPostgres()
  const sql = createPostgresPool(server.url, { max: 1 })
  let scanCollector: Awaited<ReturnType<typeof connectWithAutoExplain>> | undefined
  try {
    await fillInstallation(server.url, sql)
    const figures: BenchmarkFigure[] = []
    let [largeScans, largestScan] = [0, 0]
    scanCollector = await connectWithAutoExplain(server.url)
    for (const [name, query] of Object.entries({ ...SCREENS, ...fullScanQueries })) {
      figures.push({ id: 'Q1', name, value: await medianDuration(sql, query), unit: 'ms' })
      const scans = await scanCollector.collect(planned => repeat(RUNS_UNTIL_GENERIC_PLAN + 1, () => query(planned, BENCHMARK_NOW)))
      for (const [table, rows] of scans) {
        if (name in SCREENS) largestScan = Math.max(largestScan, rows)
        if (rows <= MAX_SCANNED_ROWS) continue
        if (name in SCREENS) largeScans++
        figures.push({ id: 'Q1', name: `${name}: rows of ${table} scanned sequentially`, value: rows, unit: 'rows' })
      }
    }
    return [
      {
        id: 'Q1',
        name: 'sequential scans of more than 10,000 rows by queries of screens',
        value: largeScans,
        unit: '',
        bar: 0,
        better: 'less',
      },
      { id: 'Q1', name: 'rows of the largest sequential scan by a query of a screen', value: largestScan, unit: 'rows' },
      ...figures,
    ]
  } finally {
    await Promise.all([sql.end({ timeout: 5 }), scanCollector?.sql.end({ timeout: 5 })])
    await server.stop()
  }
}
