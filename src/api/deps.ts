import type { Logger } from 'pino'
import type { Sql } from 'postgres'
import type { PostErrands } from '../../modules/accounts/recovery.ts'
import type { Sessions } from '../../modules/accounts/sessions.ts'
import type { processRunner } from '../../modules/kernel/process-runner.ts'
import type { projectionRunner } from '../../modules/kernel/projection-runner.ts'
import type { EventStore } from '../../modules/kernel/store.ts'
import type { ObjectStore } from '../../modules/media/object-store.ts'
import type { Gateway } from '../../modules/payments/gateway.ts'
import type { CompleteConfig } from '../config.ts'
import type { Measurements } from './measurements.ts'
import type { RateLimits } from './rate-limits.ts'

/** What handlers, errands and chores work with. Built once, in `src/server/app.ts`. */
export interface Deps {
  config: CompleteConfig
  log: Logger
  /**
   * The business's clock: what is due, over, or how old somebody is goes by it, and tests move it. It is the database's, which stamps the outbox;
   * how long something waits or is kept in memory, and what others check (signatures), goes by the machine's.
   */
  clock: () => Date
  sql: Sql
  store: EventStore
  /** Read models and processes: where they stand, and how to rebuild one. */
  readModels: Omit<ReturnType<typeof projectionRunner>, 'start'>
  processes: Omit<ReturnType<typeof processRunner>, 'start'>
  objects: ObjectStore
  gateway: Gateway
  sessions: Sessions
  limits: RateLimits
  /** Puts errands into the outbox, in the transaction given. */
  post: PostErrands
  /** What must give a sign of life before this server is ready. */
  checks: Record<string, () => Promise<unknown>>
  /** Where what happens is counted, if anybody asks for it. */
  measurements?: Measurements
  /** How long a request may take before it is answered with a 503, ms; and after how long that depends on whether our records are there. */
  requestTimeoutMs?: number
  storeCheckAfterMs?: number
}
