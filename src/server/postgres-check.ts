import { randomUUID } from 'node:crypto'
import type { DoctorCheckResult } from '../../modules/doctor-check-result.ts'
import { withDeadline } from '../../modules/kernel/with-deadline.ts'
import { createServerPostgresPool, type PostgresAddresses } from './postgres-pool.ts'

const OLDEST_VERSION = 15
/** Connections that `docs/operations.md` plans for each server. */
const CONNECTIONS_PER_SERVER = 12
const NOTIFICATION_WAIT_MS = 3000
const MAX_CLOCK_DIFFERENCE_MS = 2000

/**
 * Checks that a database is fit for the product, and the pooler in front of it if there is one. Leaves nothing behind.
 * @throws if either does not respond
 */
export async function checkPostgres(addresses: PostgresAddresses): Promise<DoctorCheckResult[]> {
  const sql = createServerPostgresPool(addresses, { max: 2, connect_timeout: 10 })
  try {
    const startedAt = Date.now()
    const [row] = await sql<{ version: number; most: number; used: number; now: string; create: boolean }[]>`
      select current_setting('server_version_num')::int / 10000 as version, current_setting('max_connections')::int as most,
        (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used, clock_timestamp() as now,
        has_database_privilege(current_database(), 'create') and has_schema_privilege('public', 'create') as create`
    const { version, most, used, now, create } = row!
    const difference = Math.abs(Date.parse(now) - (startedAt + Date.now()) / 2)
    const channel = `doctor_${randomUUID().replaceAll('-', '')}`
    const heard = new Promise<true>(done => {
      sql
        .listen(channel, () => done(true))
        .then(
          () => sql.notify(channel, ''),
          () => {},
        )
    })
    return [
      {
        check: `Postgres is version ${OLDEST_VERSION} or newer`,
        isTrue: version >= OLDEST_VERSION,
        advice: `It is ${version}. Upgrade it.`,
      },
      {
        check: 'its user may create tables',
        isTrue: create,
        advice: 'Each start runs all pending migrations: give its user the right to create in the database and its schema.',
      },
      {
        check: 'notifications arrive',
        isTrue: await withDeadline(NOTIFICATION_WAIT_MS, heard).catch(() => false),
        advice: 'A pooler in transaction mode drops them. Set DATABASE_DIRECT_URL to the URL of the database itself.',
      },
      {
        check: `it has room for another server (${CONNECTIONS_PER_SERVER} connections)`,
        isTrue: most - used >= CONNECTIONS_PER_SERVER,
        advice: `${used} of ${most} connections are used. Raise max_connections.`,
      },
      {
        check: 'its clock agrees with this machine',
        isTrue: difference <= MAX_CLOCK_DIFFERENCE_MS,
        advice: `They differ by ${(difference / 1000).toFixed(1)} s. Signed addresses and webhooks need correct clocks: run NTP on both.`,
      },
    ]
  } finally {
    await sql.end({ timeout: 1 })
  }
}
