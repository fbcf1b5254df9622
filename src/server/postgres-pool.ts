import type { Logger } from 'pino'
import postgres, { type Options, type Sql } from 'postgres'
import { withSchemaLock } from '../../modules/readers/schema-lock.ts'

const bigintAsText = (value: unknown) => value

type ConnectionOptions = Options<Record<string, never>>

/**
 * A connection pool, opened on the first query. Types: `timestamptz` becomes an ISO string in UTC, `date` becomes `YYYY-MM-DD`, and
 * `bigint` a bigint.
 */
export const createPostgresPool = (url: string, options: ConnectionOptions = {}): Sql =>
  postgres(url, {
    onnotice: () => {},
    // Seconds before the driver reconnects, at most 1; the driver's default grows to 20.
    backoff: attempt => Math.min(2 ** attempt / 100, 1),
    ...options,
    // JIT compilation of a query takes longer than running it (145 ms for one append).
    connection: { TimeZone: 'UTC', jit: 'off', ...options.connection } as Options<Record<string, never>>['connection'],
    types: {
      bigint: postgres.BigInt,
      time: {
        to: 1184,
        from: [1114, 1184],
        serialize: (value: Date | string) => new Date(value).toISOString(),
        parse: (value: string) => new Date(value).toISOString(),
      },
      day: { to: 1082, from: [1082], serialize: bigintAsText, parse: bigintAsText },
    },
  }) as unknown as Sql

/**
 * Where a server finds Postgres: `databaseUrl` may lead to a pooler in transaction mode if `databaseDirectUrl` names the database itself.
 */
export interface PostgresAddresses {
  databaseUrl: string
  databaseDirectUrl?: string
}

/**
 * Options for a pooler in transaction mode, which may run each statement on a different connection to Postgres. There are no prepared
 * statements, and no settings that the pooler does not know (`disableJitOfRole` replaces `jit`). Queries are not pipelined: PgBouncer
 * before 1.21 gives a connection to another client as soon as one query has ended, although it has already forwarded the next, and mixes up
 * the responses.
 */
const POOLER_OPTIONS = { prepare: false, max_pipeline: 0, connection: { jit: undefined } as object }

/**
 * The pool of a server, which may have to go through a pooler; `createPostgresPool` connects to a single URL. If `databaseDirectUrl` is
 * set, everything goes through the pooler except `LISTEN`, which needs a session: a pooler in transaction mode ends the session with each
 * transaction.
 */
export function createServerPostgresPool({ databaseUrl, databaseDirectUrl }: PostgresAddresses, options: ConnectionOptions = {}): Sql {
  if (!databaseDirectUrl) return createPostgresPool(databaseUrl, options)
  const pooled = createPostgresPool(databaseUrl, { ...options, ...POOLER_OPTIONS })
  // This pool opens a connection only for LISTEN.
  const direct = createPostgresPool(databaseDirectUrl, options)
  const endPooled = pooled.end
  const end: Sql['end'] = async given => {
    await Promise.all([endPooled(given), direct.end(given)])
  }
  return Object.assign(pooled, { listen: direct.listen, end })
}

/**
 * Turns JIT compilation off for all future connections of the pool's database user. Postgres lets users change their own defaults; if a
 * provider forbids that, the server's log says what to do.
 */
export async function disableJitOfRole(sql: Sql, log: Pick<Logger, 'warn'>): Promise<void> {
  const [row] = await sql<{ jit: string; database: string }[]>`select current_setting('jit') as jit, current_database() as database`
  if (row!.jit === 'off') return
  await withSchemaLock(sql, tx => tx`alter role current_user in database ${tx(row!.database)} set jit = off`).catch(error =>
    log.warn({ err: error }, 'JIT compilation makes appends slow: turn jit off for the database user of the pooler'),
  )
}
