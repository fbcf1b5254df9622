const SHORTEST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 2000

/** Resolves after this time, or as soon as `signal` is aborted; it never rejects. */
export const abortableSleep = (ms: number, signal: AbortSignal) =>
  new Promise<void>(resolve => {
    const finish = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, ms)
    if (signal.aborted) finish()
    else signal.addEventListener('abort', finish)
  })

/** Creates a function that pauses between the tries of a loop: 50 ms at first, then twice as long each time, up to two seconds. */
export const createBackoffSleep = (signal: AbortSignal) => {
  let ms = SHORTEST_PAUSE_MS / 2
  return () => {
    ms = Math.min(ms * 2, LONGEST_PAUSE_MS)
    return abortableSleep(ms, signal)
  }
}

/** Creates the sleep of a loop between two rounds. A `wake` during a round is not lost: the next sleep ends immediately. */
export function createInterruptibleSleep() {
  let woken = new AbortController()
  return {
    wake: () => woken.abort(),
    /** The loop calls this as a round begins, because the round looks at everything that earlier calls to `wake` announced. */
    reset() {
      if (woken.signal.aborted) woken = new AbortController()
    },
    /** Resolves when `wake` is called or after this time. */
    sleep: (ms: number) => abortableSleep(ms, woken.signal),
  }
}
