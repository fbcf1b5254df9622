import type { Logger } from './logger.ts'
import { isStoreUnavailable } from './transient-errors.ts'

/** How long no call may fail before a store counts as back: during the election of a new leader some calls succeed while others fail. */
const QUIET_MS = 1000

export type OutageLogger = ReturnType<typeof createOutageLogger>

/** Logs once that a store is away, with the reason, and once that it is back, however many calls fail in between. `store` is its name. */
export function createOutageLogger(log: Logger, store: string) {
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
    /** Settles as `call` does, and notes whether the store answered: it did unless `isAway` holds for the error. */
    async watch<T>(call: Promise<T>, isAway: (error: unknown) => boolean = isStoreUnavailable): Promise<T> {
      try {
        const result = await call
        answered()
        return result
      } catch (error) {
        if (isAway(error)) failed(error)
        else answered()
        throw error
      }
    },
  }
}
