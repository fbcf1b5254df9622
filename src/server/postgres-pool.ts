import postgres, { type Options, type Sql } from 'postgres'

const asIs = (value: unknown) => value

/**
 * A connection pool, opened at the first query. Types: `timestamptz` becomes an ISO string in UTC, `date` becomes `YYYY-MM-DD`, and
 * `bigint` a bigint.
 */
export const connectPostgres = (url: string, options: Options<Record<string, never>> = {}): Sql =>
  postgres(url, {
    onnotice: () => {},
    // Seconds before a lost connection is tried again, at most 1; the driver's default grows to 20.
    backoff: attempt => Math.min(2 ** attempt / 100, 1),
    ...options,
    // JIT compilation of a plan takes longer than running it (145 ms an append).
    connection: { TimeZone: 'UTC', jit: 'off', ...options.connection } as Options<Record<string, never>>['connection'],
    types: {
      bigint: postgres.BigInt,
      time: {
        to: 1184,
        from: [1114, 1184],
        serialize: (value: Date | string) => new Date(value).toISOString(),
        parse: (value: string) => new Date(value).toISOString(),
      },
      day: { to: 1082, from: [1082], serialize: asIs, parse: asIs },
    },
  }) as unknown as Sql
