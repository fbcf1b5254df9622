import type { Logger } from 'pino'
import type { Sql } from 'postgres'
import type { Post } from '../../modules/accounts/recovery.ts'
import type { Sessions } from '../../modules/accounts/sessions.ts'
import type { EventStore } from '../../modules/kernel/store.ts'
import type { Complete } from '../server/config.ts'
import type { Checks } from '../server/health.ts'
import type { Limits } from './limits.ts'

/** What handlers work with. Built once, in `src/server/app.ts`. */
export interface Deps {
  config: Complete
  log: Logger
  /** The only clock. */
  clock: () => Date
  sql: Sql
  store: EventStore
  sessions: Sessions
  limits: Limits
  /** Puts errands into the outbox, in the transaction given. */
  post: Post
  /** What must answer before this server is ready. */
  checks: Checks
  /** Waits until these projections have read up to a position; false if they did not get there within 2 s. */
  caughtUp(projections: readonly string[], position: bigint): Promise<boolean>
}
