import pino, { type DestinationStream, type Logger } from 'pino'

const secret = ['password', 'token', 'cookie']

/**
 * Structured logs, on stdout if nowhere else. People are ids in them; bodies, cookies and tokens are not logged anywhere. These paths are a
 * second lock: a Postgres error quotes whole rows as its `detail`.
 */
export const createLog = (level: string, to?: DestinationStream): Logger =>
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
