import pino from 'pino'
import type { Sql } from 'postgres'
import { memoryStore } from '../../modules/kernel/stores/memory.ts'
import { mediaWorkQueue } from '../../modules/media/media-work.ts'
import type { TimeAndId } from '../../modules/page-cursor.ts'
import { projectionRunner } from '../../modules/readers/projection-runner.ts'
import { lettersForAdmin, personForAdmin, personRecordsForAdmin } from '../../projections/admin-person.ts'
import { pageOfFoundPeople, searchForAdmin } from '../../projections/admin-search.ts'
import {
  countDeliveredSessions,
  countWaitingSessions,
  pageOfDeliveredSessionRows,
  pageOfWaitingSessionRows,
  sessionDetails,
  sessionsOf,
  sessionsOfFolders,
  sessionsOfInstructor,
  sessionsToDo,
  sessionsToHandBack,
  techniquePositionsOf,
} from '../../projections/assignments.ts'
import { auditEntries, auditedEventTypes } from '../../projections/audit.ts'
import { countFolders, folderOf, pageOfFolders, unfinishedFolders } from '../../projections/folders.ts'
import { ANONYMOUS_VIEWER, findInstructors, ownProfile } from '../../projections/instructors.ts'
import { instructorsByVettingStatus, vettingCounts } from '../../projections/instructors-by-vetting-status.ts'
import { obligationsOf } from '../../projections/obligations.ts'
import { latestPurchases, pageOfPurchases, purchaseOfOwner } from '../../projections/package-purchases.ts'
import {
  countPayments,
  earningsOf,
  latestPayments,
  mustKeepCard,
  pageOfPayments,
  pageOfSettledPayments,
  paymentOfOwner,
  stuckPayments,
  unsettledPaymentState,
} from '../../projections/payments.ts'
import { personalRecordIdsOf } from '../../projections/personal-records.ts'
import { hasDeliveredSession, progressOf } from '../../projections/progress.ts'
import { oldSupportRequests, supportRequestAges, unassignedVideos } from '../../projections/retention.ts'
import { allSupportRequests, pageOfOwnSupportRequests, pageOfSupportRequests } from '../../projections/support.ts'
import { migrate } from '../../src/server/migrate.ts'
import { projections } from '../../src/server/module-registry.ts'
import { connectPostgres } from '../../src/server/postgres-pool.ts'
import { temporaryPostgres } from '../support/postgres.ts'
import type { BenchmarkFigure } from './figure.ts'
import { fillReadModels, HEAVY_FOLDER, HEAVY_INSTRUCTOR, HEAVY_PLAYER, HEAVY_SESSION } from './fill-read-models.ts'
import { median } from './load-generator.ts'

const RUNS = 5
/** A screen's query must not scan a table with more rows than this. */
const MAX_SCANNED_ROWS = 10_000

type Queries = Record<string, (sql: Sql, now: Date) => PromiseLike<unknown>>

async function listOfFolders(sql: Sql, player: string) {
  const [{ rows }] = await Promise.all([pageOfFolders(sql, player, { isArchived: false, limit: 24 }), countFolders(sql, player)])
  const unfinished = await unfinishedFolders(sql, player, rows, new Date('2026-05-18T00:00:00Z'))
  return sessionsOfFolders(
    sql,
    [...rows, ...unfinished].map(row => row.id),
  )
}

/** What a guardian of the player with the most data pays. */
const FAMILY = { payer: HEAVY_PLAYER, players: [HEAVY_PLAYER] }
/** The sort key of a row near the end of lists by time. */
const BEFORE: TimeAndId = ['2025-06-02T00:30:00.000Z', HEAVY_SESSION]

/** The queries of screens, each for the person with the most data. */
const SCREENS: Queries = {
  'player with 300 folders: list of folders': (sql, _) => listOfFolders(sql, HEAVY_PLAYER),
  'player: a folder': sql =>
    Promise.all([folderOf(sql, HEAVY_FOLDER), sessionsOf(sql, 'folder', HEAVY_FOLDER), sessionDetails(sql, HEAVY_SESSION)]),
  'player: bills and packages': (sql, now) =>
    Promise.all([latestPayments(sql, { player: HEAVY_PLAYER }, now), latestPurchases(sql, { player: HEAVY_PLAYER })]),
  'player: last packages': sql => pageOfPurchases(sql, { player: HEAVY_PLAYER }, BEFORE),
  'guardian: bills and packages of the family': (sql, now) =>
    Promise.all([latestPayments(sql, FAMILY, now), latestPurchases(sql, FAMILY), pageOfSettledPayments(sql, FAMILY, now, BEFORE)]),
  'guardian: last packages': sql => pageOfPurchases(sql, FAMILY, BEFORE),
  'guardian: a receipt': (sql, now) =>
    Promise.all([paymentOfOwner(sql, HEAVY_SESSION, FAMILY, now), purchaseOfOwner(sql, HEAVY_SESSION, FAMILY)]),
  'player: before an assignment': (sql, now) =>
    Promise.all([unsettledPaymentState(sql, HEAVY_PLAYER, now), mustKeepCard(sql, HEAVY_PLAYER, [HEAVY_PLAYER])]),
  'player: progress': sql =>
    Promise.all([progressOf(sql, HEAVY_PLAYER), techniquePositionsOf(sql, { player: HEAVY_PLAYER, before: null })]),
  'player: account and support': (sql, now) =>
    Promise.all([
      pageOfOwnSupportRequests(sql, HEAVY_PLAYER, { limit: 50 }),
      supportRequestAges(sql, HEAVY_PLAYER),
      obligationsOf(sql, HEAVY_PLAYER),
      unassignedVideos(sql, { before: now, player: HEAVY_PLAYER }),
    ]),
  'instructor with 5,000 sessions: queue': sql =>
    Promise.all([
      sessionsToDo(sql, HEAVY_INSTRUCTOR, 51),
      countWaitingSessions(sql, HEAVY_INSTRUCTOR),
      pageOfDeliveredSessionRows(sql, HEAVY_INSTRUCTOR, { limit: 50 }),
      countDeliveredSessions(sql, HEAVY_INSTRUCTOR),
    ]),
  'instructor: last page of waiting sessions': sql => pageOfWaitingSessionRows(sql, HEAVY_INSTRUCTOR, { after: '60', limit: 50 }),
  'instructor: last page of delivered sessions': sql => pageOfDeliveredSessionRows(sql, HEAVY_INSTRUCTOR, { before: '60', limit: 50 }),
  'instructor: earnings': (sql, now) =>
    Promise.all([
      pageOfPayments(sql, { whose: { instructor: HEAVY_INSTRUCTOR }, kind: 'any' }, now, { limit: 100 }),
      countPayments(sql, { whose: { instructor: HEAVY_INSTRUCTOR }, kind: 'any' }),
      earningsOf(sql, HEAVY_INSTRUCTOR),
    ]),
  'instructor: profile': (sql, now) => Promise.all([ownProfile(sql, HEAVY_INSTRUCTOR, now), hasDeliveredSession(sql, HEAVY_INSTRUCTOR)]),
  'anyone: list of instructors': (sql, now) => findInstructors(sql, ANONYMOUS_VIEWER, now, { limit: 24 }),
  'anyone: last page of instructors': (sql, now) =>
    findInstructors(sql, ANONYMOUS_VIEWER, now, { limit: 24, after: [false, '2025-01-04T10:00:00.000Z', HEAVY_PLAYER] }),
  'anyone: instructors by name': (sql, now) => findInstructors(sql, ANONYMOUS_VIEWER, now, { limit: 24, name: 'first42' }),
  'admin of 100,000 people: log': sql => Promise.all([auditEntries(sql, {}, 50), auditedEventTypes(sql)]),
  'admin: log of one kind': sql => auditEntries(sql, { type: 'FeedbackGiven' }, 50),
  'admin: log of one kind, within a day': sql =>
    auditEntries(sql, { type: 'FeedbackGiven', from: '2026-03-02T00:00:00Z', to: '2026-03-03T00:00:00Z' }, 50),
  'admin: log of a day': sql => auditEntries(sql, { from: '2026-03-02T00:00:00Z', to: '2026-03-03T00:00:00Z' }, 50),
  'admin: log of a folder': sql => auditEntries(sql, { folder: HEAVY_FOLDER }, 50),
  'admin: log of a person': sql => auditEntries(sql, { person: HEAVY_INSTRUCTOR }, 50),
  'admin: log of an actor by address': sql => auditEntries(sql, { actor: 'person42@example.com' }, 50),
  'admin: search for a name': (sql, now) => searchForAdmin(sql, 'First42 Last', now),
  'admin: search that finds 1,400 people': (sql, now) => searchForAdmin(sql, 'Last42', now),
  'admin: last people of that search': sql => pageOfFoundPeople(sql, 'Last42', { after: ['First90', HEAVY_PLAYER], limit: 20 }),
  'admin: search for an address': (sql, now) => searchForAdmin(sql, 'person4242@', now),
  'admin: search for an id': (sql, now) => searchForAdmin(sql, HEAVY_FOLDER, now),
  'admin: a person': async (sql, now) => {
    const person = (await personForAdmin(sql, HEAVY_INSTRUCTOR))!
    return Promise.all([personRecordsForAdmin(sql, person, now), lettersForAdmin(sql, person)])
  },
  'admin: instructors': (sql, now) =>
    Promise.all([instructorsByVettingStatus(sql, 'approved', undefined, now, { limit: 20 }), vettingCounts(sql)]),
  'admin: waiting support requests': sql => pageOfSupportRequests(sql, 'waiting', { limit: 25 }),
  'admin: done support requests': sql => pageOfSupportRequests(sql, 'done', { limit: 25 }),
  'admin: open support requests': sql => allSupportRequests(sql, 'open'),
  'admin: videos being prepared': sql => mediaWorkQueue(sql).queue(50),
  'admin: errands that were given up': sql => sql`select id from errands where failed is not null order by failed desc limit 200`,
  'deletion of an instructor: open sessions': sql => sessionsToHandBack(sql, HEAVY_INSTRUCTOR),
  'export of an instructor: last sessions': sql => sessionsOfInstructor(sql, HEAVY_INSTRUCTOR, { after: '4900', limit: 100 }),
  'deletion of a person: their records': sql =>
    personalRecordIdsOf(sql, HEAVY_PLAYER, { types: ['FolderCreated', 'FeedbackGiven'], ownStreams: ['payout'] }),
}

/** The server's scheduled queries. These may scan a whole table, once an hour or less. */
const CHORES: Queries = {
  'hourly: stuck payments': (sql, now) => stuckPayments(sql, now),
  'every 6 hours: expired videos and support requests': (sql, now) =>
    Promise.all([unassignedVideos(sql, { before: now }), oldSupportRequests(sql, now)]),
}

/**
 * Q1: the duration of screens' queries over read models of 100,000 people, and how many rows each scans sequentially, by Postgres' own
 * statistics: none may scan a table with more than 10,000 rows.
 */
export default async function checkQueryPlans(): Promise<BenchmarkFigure[]> {
  const server = await temporaryPostgres()
  await migrate(server.url, pino({ level: 'silent' }))
  // A single connection, so that its statistics belong to the query.
  const sql = connectPostgres(server.url, { max: 1 })
  const ending = new AbortController()
  try {
    const models = connectPostgres(server.url)
    await projectionRunner(models, memoryStore(), projections, { log: pino({ level: 'silent' }) }).start(ending.signal)
    ending.abort()
    await models.end()
    await fillReadModels(sql)
    const figures: BenchmarkFigure[] = []
    const now = new Date('2026-06-01T00:00:00Z')
    for (const [queries, isBarred] of [
      [SCREENS, true],
      [CHORES, false],
    ] as const)
      for (const [name, query] of Object.entries(queries)) {
        // Postgres uses generic plans for prepared statements after five runs; a server that runs for days uses those, so they are
        // measured.
        for (let i = 0; i < 6; i++) await query(sql, now)
        const before = await scannedRows(sql)
        const times: number[] = []
        for (let i = 0; i < RUNS; i++) {
          const start = performance.now()
          await query(sql, now)
          times.push(performance.now() - start)
        }
        const after = await scannedRows(sql)
        figures.push({ id: 'Q1', name, value: median(times), unit: 'ms' })
        for (const [table, rows] of after) {
          const scanned = (rows - (before.get(table) ?? 0)) / RUNS
          if (scanned < MAX_SCANNED_ROWS) continue
          const bar = isBarred ? { bar: MAX_SCANNED_ROWS, better: 'less' as const } : {}
          figures.push({ id: 'Q1', name: `${name}: rows of ${table} scanned sequentially`, value: scanned, unit: 'rows', ...bar })
        }
      }
    return figures
  } finally {
    ending.abort()
    await sql.end({ timeout: 5 })
    await server.stop()
  }
}

/** The rows read by sequential scans so far, by table. */
async function scannedRows(sql: Sql): Promise<Map<string, number>> {
  await sql`select pg_stat_force_next_flush()`
  await sql`select pg_stat_clear_snapshot()`
  const rows = await sql`select relname, seq_tup_read::float8 as rows from pg_stat_user_tables`
  return new Map(rows.map(row => [row.relname as string, row.rows as number]))
}
