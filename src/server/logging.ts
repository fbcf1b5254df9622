import type { Writable } from 'node:stream'
import pino, { type DestinationStream, type Logger } from 'pino'
import { currentTraceId } from '../../modules/kernel/trace.ts'
import type { Config } from '../config.ts'

const secret = ['password', 'token', 'cookie']

/**
 * Structured logs, on stdout unless `to` is given. Log lines about a request, and about work that it caused, carry its trace id. People
 * appear only as ids, and no code logs bodies, cookies or tokens. The redacted paths are a second line of defense: a Postgres error, for
 * example, quotes whole rows in its `detail`.
 */
export const createLogger = (level: string, to?: DestinationStream): Logger =>
  pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin() {
        const trace = currentTraceId()
        return trace ? { trace } : {}
      },
      redact: {
        paths: [...secret, ...[...secret, 'authorization', 'parameters', 'args', 'detail'].map(name => `*.${name}`)],
        remove: true,
      },
    },
    to ?? pino.destination(1),
  )

/**
 * A stream that formats logs for people; undefined unless the output is a terminal and the database is embedded, because otherwise programs
 * read the logs, as JSON.
 */
export async function prettyLogStream(out: Writable & { isTTY?: boolean }, { databaseUrl }: Pick<Config, 'databaseUrl'>) {
  if (!out.isTTY || databaseUrl) return undefined
  const { default: pretty } = await import('pino-pretty')
  return pretty({ destination: out, translateTime: 'SYS:HH:MM:ss', singleLine: true, sync: true })
}
