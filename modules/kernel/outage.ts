import { isAway } from './passing.ts'

/** What of pino the kernel uses. */
export interface Log {
  info(about: object, what: string): void
  error(about: object, what: string): void
}

/** How long nothing may fail before a store counts as back, ms: in an election some calls succeed while others fail. */
const QUIET_MS = 1000

export type Outage = ReturnType<typeof outageLog>

/** Says in the log once that a store is away, with the reason, and once that it is back, however many calls fail meanwhile. */
export function outageLog(log: Log, store: string) {
  let since: number | undefined
  let quiet: NodeJS.Timeout | undefined
  const failed = (error: unknown) => {
    clearTimeout(quiet)
    quiet = undefined
    if (since === undefined) log.error({ err: error, store }, `${store} is away`)
    since ??= performance.now()
  }
  const answered = () => {
    if (since === undefined || quiet) return
    quiet = setTimeout(() => {
      log.info({ store, seconds: Math.round((performance.now() - since!) / 1000) }, `${store} is back`)
      since = quiet = undefined
    }, QUIET_MS)
    quiet.unref()
  }
  return {
    failed,
    answered,
    /** The outcome of a call to the store, which is noted. An error that is not `away` is an answer, too. */
    async watch<T>(call: Promise<T>, away: (error: unknown) => boolean = isAway): Promise<T> {
      try {
        const result = await call
        answered()
        return result
      } catch (error) {
        if (away(error)) failed(error)
        else answered()
        throw error
      }
    },
  }
}

/** A log that nobody keeps. */
export const silent: Log = { info() {}, error() {} }
