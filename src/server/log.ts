import pino, { type Logger } from 'pino'

/** Structured logs on stdout. Bodies, cookies and tokens are not logged anywhere; these paths are a second lock. */
export const createLog = (level: string): Logger =>
  pino({
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: ['password', 'token', 'cookie', '*.password', '*.token', '*.cookie', '*.authorization', '*.parameters', '*.args'],
      remove: true,
    },
  })
