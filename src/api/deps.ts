import type { Logger } from 'pino'
import type { Sql } from 'postgres'
import type { EventStore } from '../../modules/kernel/store.ts'
import type { Complete } from '../server/config.ts'
import type { SignedIn } from './session.ts'

/** What handlers work with. Built once, in `src/server/app.ts`. */
export interface Deps {
  config: Complete
  log: Logger
  /** The only clock. */
  clock: () => Date
  sql: Sql
  store: EventStore
  /** Who a session token belongs to; null if it is unknown or over. */
  sessions: { find(token: string): Promise<SignedIn | null> | SignedIn | null }
  /** Waits until these projections have read up to a position; false if they did not get there within 2 s. */
  caughtUp(projections: readonly string[], position: bigint): Promise<boolean>
}
