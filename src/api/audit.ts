import { audit as contract } from '../../modules/audit/contract.ts'
import { eventsOf, typesOf } from '../../projections/audit.ts'
import { query, serve } from './route.ts'

/** Errands that gave up, most listed. */
const ERRANDS_MOST = 200
const EXPORT_PAGE = 500

export const audit = serve(contract, {
  'GET /api/admin/events': query(['audit'], async ({ deps, query: { limit, ...filter } }) => ({
    ...(await eventsOf(deps.sql, filter, limit)),
    types: await typesOf(deps.sql),
  })),

  'GET /api/admin/events/export': query(['audit'], ({ deps, query: filter }) => {
    const encoder = new TextEncoder()
    let before: string | null | undefined
    const body = new ReadableStream<Uint8Array>({
      // A page when the reader wants one: memory stays flat, and no connection waits for a slow reader.
      async pull(controller) {
        const { events, next } = await eventsOf(deps.sql, { ...filter, ...(before && { before }) }, EXPORT_PAGE)
        if (events.length) controller.enqueue(encoder.encode(events.map(entry => `${JSON.stringify(entry)}\n`).join('')))
        before = next
        if (next === null) controller.close()
      },
    })
    const day = deps.clock().toISOString().slice(0, 10)
    return new Response(body, {
      headers: { 'content-type': 'application/jsonl', 'content-disposition': `attachment; filename="events-${day}.jsonl"` },
    })
  }),

  'GET /api/admin/state': async ({ deps }) => {
    const [readModels, processes] = await Promise.all([deps.readModels.status(), deps.processes.status()])
    const followers = [...readModels, ...processes].map(({ name, position, poison }) => ({
      name,
      position: String(position),
      poison: poison && { event: poison.id, error: poison.error },
    }))
    const errands = await deps.sql<{ id: string; kind: string; attempts: number; error: string | null; at: string }[]>`
      select id, kind, attempt as attempts, error, failed as at from errands
      where failed is not null order by failed desc limit ${ERRANDS_MOST}`
    return { followers, errands }
  },
})
