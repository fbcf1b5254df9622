import postgres, { type Options, type Sql } from 'postgres'

const asIs = (value: unknown) => value

/**
 * A pool of connections. What comes back: `timestamptz` as an ISO string in UTC, `date` as `YYYY-MM-DD`, `bigint` as bigint.
 * Nothing is opened before the first query.
 */
export const connectPostgres = (url: string, options: Options<Record<string, never>> = {}): Sql =>
  postgres(url, {
    onnotice: () => {},
    // Seconds before a lost connection is tried again; by itself it would grow to 20.
    backoff: attempt => Math.min(2 ** attempt / 100, 1),
    ...options,
    // Plans are compiled for longer than they run (145 ms an append).
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
