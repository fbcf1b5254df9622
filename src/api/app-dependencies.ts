import type { Logger } from 'pino'
import type { Sql } from 'postgres'
import type { LoginSessions } from '../../modules/accounts/login-sessions.ts'
import type { EnqueueErrands } from '../../modules/accounts/recovery.ts'
import type { EventStore } from '../../modules/kernel/store.ts'
import type { ObjectStore } from '../../modules/media/object-store.ts'
import type { PaymentGateway } from '../../modules/payments/gateway.ts'
import type { eventProcessRunner } from '../../modules/readers/event-process-runner.ts'
import type { projectionRunner } from '../../modules/readers/projection-runner.ts'
import type { ConfigWithAllServices } from '../config.ts'
import type { RateLimiter } from './rate-limits.ts'
import type { RequestMetricsRecorder } from './request-metrics-recorder-interface.ts'

/** Everything that handlers, errands and scheduled jobs depend on. Built once, in `src/server/app.ts`. */
export interface AppDependencies {
  config: ConfigWithAllServices
  log: Logger
  /**
   * The business clock, used for due dates, deadlines and ages; tests can move it. It follows the database's clock, which also stamps the
   * outbox. Timeouts, caches and signatures that other parties check use the machine's clock instead.
   */
  clock: () => Date
  sql: Sql
  store: EventStore
  /** The runners of read models and of processes: their status, waiting until they have caught up, and repairs. */
  readModels: Omit<ReturnType<typeof projectionRunner>, 'start'>
  processes: Omit<ReturnType<typeof eventProcessRunner>, 'start'>
  objects: ObjectStore
  gateway: PaymentGateway
  sessions: LoginSessions
  limits: RateLimiter
  /** Adds errands to the outbox within the given transaction. */
  post: EnqueueErrands
  /** Checks by name, such as whether Postgres responds. This server is ready only if all of them resolve in time. */
  checks: Record<string, () => Promise<unknown>>
  /** Records metrics; absent if metrics are off. */
  metricsRecorder?: RequestMetricsRecorder
  /**
   * `requestTimeoutMs`: a slower request gets a 503. `storeCheckAfterMs`: after this time the server checks that Postgres and the event log
   * respond, and sends the 503 immediately if they do not.
   */
  requestTimeoutMs?: number
  storeCheckAfterMs?: number
}
