import { z } from 'zod'
import { defineEndpoints } from '../../modules/endpoint.ts'
import { withDeadline } from '../../modules/kernel/with-deadline.ts'
import { laggingReaders } from '../../modules/readers/lagging-readers.ts'
import type { AppDependencies } from './app-dependencies.ts'
import { readerStatuses } from './reader-status.ts'
import { routesOfContract } from './routing.ts'

const CHECK_TIMEOUT_MS = 2000
const LOG_TRUNCATED_MESSAGE =
  'The log ends before events that its readers have processed, as after a restored backup. These readers stay stopped until you run `npm run rebuild`.'

const Ready = z.object({
  ready: z.boolean(),
  dependencies: z.record(z.string(), z.object({ state: z.enum(['up', 'down']), milliseconds: z.int() })),
  /**
   * How many streams each reader has parked because of an event it cannot process. Anybody may request this, so it does not name the
   * streams: their names contain people's ids. Administrators see them elsewhere, with the reason.
   */
  parked: z.array(z.object({ reader: z.string(), streams: z.int() })),
  /** Readers that are more than a few seconds behind the log. */
  lagging: z.array(z.string()),
  /** Readers whose checkpoint is past the end of the log, for example after a restore. They have stopped. */
  stopped: z.array(z.string()),
  /** What is wrong and what to do about it; set only if readers have stopped. */
  message: z.string().optional(),
})

const contract = defineEndpoints({
  'GET /api/health': { summary: 'The process is alive', access: 'anyone', reply: z.object({ status: z.literal('ok') }) },
  'GET /api/ready': {
    summary:
      'Each dependency and its state; 503 while one is down, or the log ends before events that were processed. Also counts parked streams and lists lagging readers, which do not make a server unready',
    access: 'anyone',
    reply: Ready,
    otherwise: { 503: Ready },
  },
})

export const healthRoutes = routesOfContract(contract, {
  'GET /api/health': () => ({ status: 'ok' as const }),

  'GET /api/ready': async ({ deps }) => {
    const [states, reading] = await Promise.all([
      Promise.all(Object.entries(deps.checks).map(async ([name, check]) => [name, await state(check)] as const)),
      withDeadline(CHECK_TIMEOUT_MS, readers(deps)).catch(() => ({ parked: [], lagging: [], stopped: [] })),
    ])
    const reply: z.infer<typeof Ready> = {
      ready: states.every(([, s]) => s.state === 'up') && !reading.stopped.length,
      dependencies: Object.fromEntries(states),
      ...reading,
      ...(reading.stopped.length && { message: LOG_TRUNCATED_MESSAGE }),
    }
    return reply.ready ? reply : Response.json(reply, { status: 503 })
  },
})

async function state(check: () => Promise<unknown>) {
  const started = performance.now()
  const up = await withDeadline(CHECK_TIMEOUT_MS, check()).then(
    () => true,
    () => false,
  )
  return { state: up ? ('up' as const) : ('down' as const), milliseconds: Math.round(performance.now() - started) }
}

/** The readers that have a problem, grouped by the kind of problem. */
async function readers(deps: AppDependencies) {
  const statuses = await readerStatuses(deps)
  const lagging = await laggingReaders(deps.store, statuses, deps.clock())
  return {
    parked: statuses.filter(({ parked }) => parked.count > 0).map(({ name, parked }) => ({ reader: name, streams: parked.count })),
    lagging: lagging.map(({ name }) => name),
    stopped: statuses.filter(s => s.logEnd !== null).map(({ name }) => name),
  }
}
