import { Conflict, type EventStore, type Recorded, storable } from '../store.ts'

/** A log in memory, for tests. */
export const memoryStore = (now = () => new Date()): EventStore => {
  const log: Recorded[] = []
  const woken = new Set<() => void>()
  return {
    async read(stream) {
      return log.filter(e => e.stream === stream)
    },
    async append(stream, expected, events) {
      storable(stream, expected, events)
      const actual = BigInt(log.filter(e => e.stream === stream).length) - 1n
      if (actual !== expected) throw new Conflict(stream, expected, actual)
      const at = now().toISOString()
      for (const [i, e] of events.entries()) {
        log.push({ ...JSON.parse(JSON.stringify(e)), stream, revision: expected + 1n + BigInt(i), position: BigInt(log.length), at })
      }
      for (const wake of woken) wake()
      return BigInt(log.length) - 1n
    },
    async *follow(after, signal) {
      let next = Number(after + 1n)
      while (!signal.aborted) {
        if (next < log.length) {
          const batch = log.slice(next)
          next = log.length
          yield batch
          continue
        }
        await new Promise<void>(resolve => {
          const wake = () => {
            woken.delete(wake)
            signal.removeEventListener('abort', wake)
            resolve()
          }
          woken.add(wake)
          signal.addEventListener('abort', wake)
        })
      }
    },
  }
}
