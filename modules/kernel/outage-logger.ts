import type { Logger } from './logger-interface.ts'
import { isStoreUnavailable } from './transient-errors.ts'

/** A store counts as available again after this long without a failure: during a leader election, some calls succeed and others fail. */
const QUIET_MS = 1000

export type OutageLogger = ReturnType<typeof createOutageLogger>

/**
 * Logs once when a store becomes unavailable, with the error, and once when it is available again, however many calls fail in between.
 * @param store its name in log messages
 */
export function createOutageLogger(log: Logger, store: string) {
  let since: number | undefined
  let quiet: NodeJS.Timeout | undefined
  const recordFailure = (error: unknown) => {
    clearTimeout(quiet)
    quiet = undefined
    if (since === undefined) log.error({ err: error, store }, `${store} is unavailable`)
    since ??= performance.now()
  }
  const recordAnswer = () => {
    if (since === undefined || quiet) return
    quiet = setTimeout(() => {
      log.info({ store, seconds: Math.round((performance.now() - since!) / 1000) }, `${store} is available again`)
      since = quiet = undefined
    }, QUIET_MS)
    quiet.unref()
  }
  return {
    recordFailure,
    recordAnswer,
    /** Settles like `call`, and records whether the store answered: with a result, or with an error for which `isUnavailable` is false. */
    async watch<T>(call: Promise<T>, isUnavailable: (error: unknown) => boolean = isStoreUnavailable): Promise<T> {
      try {
        const result = await call
        recordAnswer()
        return result
      } catch (error) {
        if (isUnavailable(error)) recordFailure(error)
        else recordAnswer()
        throw error
      }
    },
  }
}
