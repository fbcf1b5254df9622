import { setTimeout } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { chainHead, chainProofsOf } from '../../modules/audit/audit-chain-table.ts'
import { type AdminEventLogEntry, auditContract as contract } from '../../modules/audit/contract.ts'
import { createAuditExportFormatter, type ExportedEvent } from '../../modules/audit/format-export.ts'
import { utcDayOf } from '../../modules/dates.ts'
import { retryErrand } from '../../modules/jobs/outbox.ts'
import { withDeadline } from '../../modules/kernel/with-deadline.ts'
import { eventTypesInAuditLog, pageOfAuditEntries } from '../../projections/audit.ts'
import { assertFound } from './problem.ts'
import { readerStatuses } from './reader-status.ts'
import { routesOfContract, withCaughtUpReadModels } from './routing.ts'
import { systemFigures } from './system-figures.ts'

/** The read models of the audit pages: the log itself, and those that record who owns each folder, payment, package and support request. */
const AUDIT_READ_MODELS = ['audit', 'folders', 'payments', 'purchases', 'requests']
/** Maximum number of failed errands in the list. */
const MAX_LISTED_ERRANDS = 200
const EVENTS_PER_EXPORT_PAGE = 500
/**
 * How long a retry request waits for the outcome, in ms. Retrying the parked streams of a read model rebuilds it, which takes longer if the
 * log is long, but an administrator should not have to wait for that.
 */
const RETRY_WAIT_MS = 5000

async function withProofs(sql: Sql, events: AdminEventLogEntry[]): Promise<ExportedEvent[]> {
  const positions = events.map(e => e.position)
  const proofs = await chainProofsOf(sql, positions)
  return events.map(entry => ({ ...entry, chain: proofs.get(entry.position) ?? null }))
}

export const auditRoutes = routesOfContract(contract, {
  'GET /api/admin/events': withCaughtUpReadModels(AUDIT_READ_MODELS, async ({ deps, query: { limit, ...filter } }) => ({
    ...(await pageOfAuditEntries(deps.sql, filter, limit)),
    types: await eventTypesInAuditLog(deps.sql),
    chain: await chainHead(deps.sql),
  })),

  'GET /api/admin/events/export': withCaughtUpReadModels(AUDIT_READ_MODELS, async ({ deps, query: filter }) => {
    const encoder = new TextEncoder()
    const lines = createAuditExportFormatter()
    const pageBefore = (sql: Sql, before?: string | null) =>
      pageOfAuditEntries(sql, { ...filter, ...(before && { before }) }, EVENTS_PER_EXPORT_PAGE)
    const [first, head] = await deps.sql.begin('isolation level repeatable read read only', async tx => {
      const snapshot = tx as unknown as Sql
      const newestEvents = await pageBefore(snapshot)
      // The hash chain may already contain events that the read model lacks. An unfiltered export therefore ends with the chain link of its
      // own newest event, not with the newest link of the chain.
      const isWhole = Object.keys(filter).length === 0
      return [newestEvents, await chainHead(snapshot, isWhole ? newestEvents.events[0]?.position : undefined)] as const
    })
    let page = first
    const body = new ReadableStream<Uint8Array>({
      // Loads a page only when the client is ready for more: memory use stays flat, and a slow client holds no database connection.
      async pull(controller) {
        const { events, next } = page
        if (events.length) controller.enqueue(encoder.encode(lines.of(await withProofs(deps.sql, events))))
        if (next !== null) {
          page = await pageBefore(deps.sql, next)
          return
        }
        controller.enqueue(encoder.encode(lines.end(filter as Record<string, string>, head)))
        controller.close()
      },
    })
    const day = utcDayOf(deps.clock())
    return new Response(body, {
      headers: { 'content-type': 'application/jsonl', 'content-disposition': `attachment; filename="events-${day}.jsonl"` },
    })
  }),

  'GET /api/admin/state': async ({ deps }) => {
    const followers = (await readerStatuses(deps)).map(({ position, rebuilding, logEnd, ...rest }) => ({
      ...rest,
      position: String(position),
      rebuilding: rebuilding === null ? null : String(rebuilding),
      logEnd: logEnd === null ? null : String(logEnd),
    }))
    const errands = await deps.sql<{ id: string; kind: string; attempts: number; error: string | null; at: string }[]>`
      select id, kind, attempt as attempts, error, failed as at from errands
      where failed is not null order by failed desc limit ${MAX_LISTED_ERRANDS}`
    return { followers, errands }
  },

  'GET /api/admin/system': ({ deps }) => systemFigures(deps),

  'POST /api/admin/followers/{follower}/retry': async ({ deps, params: { follower }, user }) => {
    const parked = async () => (await readerStatuses(deps)).find(f => f.name === follower)?.parked.count
    assertFound((await parked()) !== undefined)
    deps.log.info({ follower, by: user.id }, 'retrying parked streams')
    const isReadModel = (await deps.readModels.status()).some(f => f.name === follower)
    const trying = isReadModel ? deps.readModels.rebuild(follower) : deps.processes.retry(follower)
    const end = trying.catch(error => deps.log.error({ err: error, follower }, 'parked streams could not be retried'))
    const done = await withDeadline(
      RETRY_WAIT_MS,
      end.then(() => true),
    ).catch(() => false)
    return { done, parked: (await parked()) ?? 0 }
  },

  'POST /api/admin/errands/{errand}/retry': async ({ deps, params: { errand }, user }) => {
    assertFound(await retryErrand(deps.sql, errand))
    deps.log.info({ errand, by: user.id }, 'an errand that was given up is tried again')
    // Another process may perform the errand, so poll the outbox for the outcome.
    for (const from = performance.now(); ; await setTimeout(50)) {
      const [row] = await deps.sql<{ done: string | null; failed: string | null; error: string | null }[]>`
        select done, failed, error from errands where id = ${errand}`
      const { done, failed, error } = row!
      const state = done ? ('done' as const) : failed ? ('failed' as const) : ('waiting' as const)
      if (state !== 'waiting' || error !== null || performance.now() - from > RETRY_WAIT_MS) return { state }
    }
  },
})
