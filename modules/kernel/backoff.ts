const SHORTEST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 2000

/** Resolves after this time, or as soon as `signal` is aborted; it never rejects. */
export const abortableSleep = (ms: number, signal: AbortSignal) =>
  new Promise<void>(resolve => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
  })

/** A function that pauses between the tries of a loop: 50 ms at first, twice as long each time, two seconds at most. */
export const backoff = (signal: AbortSignal) => {
  let ms = SHORTEST_PAUSE_MS / 2
  return () => {
    ms = Math.min(ms * 2, LONGEST_PAUSE_MS)
    return abortableSleep(ms, signal)
  }
}
