import type { Writable } from 'node:stream'
import pino, { type DestinationStream, type Logger } from 'pino'
import type { Config } from '../config.ts'

const secret = ['password', 'token', 'cookie']

/**
 * Structured logs, on stdout if nowhere else. People are ids in them; bodies, cookies and tokens are not logged anywhere. These paths are a
 * second lock: a Postgres error quotes whole rows as its `detail`.
 */
export const createLogger = (level: string, to?: DestinationStream): Logger =>
  pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: [...secret, ...[...secret, 'authorization', 'parameters', 'args', 'detail'].map(name => `*.${name}`)],
        remove: true,
      },
    },
    to ?? pino.destination(1),
  )

/**
 * Lines for people, where somebody reads along: in a terminal, and with the database that comes with it. Undefined elsewhere, where programs
 * read JSON.
 */
export async function prettyLines(out: Writable & { isTTY?: boolean }, { databaseUrl }: Pick<Config, 'databaseUrl'>) {
  if (!out.isTTY || databaseUrl) return undefined
  const { default: pretty } = await import('pino-pretty')
  return pretty({ destination: out, translateTime: 'SYS:HH:MM:ss', singleLine: true, sync: true })
}
