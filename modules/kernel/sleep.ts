const SHORTEST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 2000

/** Resolves after `ms` milliseconds, or as soon as `signal` is aborted; never rejects. */
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

/** Creates a sleep for the pauses between the rounds of a loop. If `wake` is called during a round, the next sleep ends immediately. */
export function createInterruptibleSleep() {
  let woken = new AbortController()
  return {
    wake: () => woken.abort(),
    /** The loop calls this at the start of each round, because that round handles everything that earlier calls to `wake` announced. */
    reset() {
      if (woken.signal.aborted) woken = new AbortController()
    },
    /** Resolves after `ms` milliseconds, or as soon as `wake` is called. */
    sleep: (ms: number) => abortableSleep(ms, woken.signal),
  }
}
