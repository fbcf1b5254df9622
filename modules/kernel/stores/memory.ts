import {
  assertEventsStorable,
  type EventStore,
  LogTruncatedError,
  lowercaseIdsInJson,
  type RecordedEvent,
  RevisionConflict,
  readStreamInEitherCase,
} from '../store.ts'

/** A log in memory, for tests. @param log the events that it begins with; appends are added to this array */
export const memoryStore = (now = () => new Date(), log: RecordedEvent[] = []): EventStore => {
  const asRead = (e: RecordedEvent): RecordedEvent => ({ ...e, data: JSON.parse(lowercaseIdsInJson(JSON.stringify(e.data))) })
  const wakes = new Set<() => void>()
  return {
    read: stream => readStreamInEitherCase(stream, async name => log.filter(e => e.stream === name).map(asRead)),
    async append(stream, expected, events) {
      assertEventsStorable(stream, expected, events)
      const actual = BigInt(log.filter(e => e.stream === stream).length) - 1n
      if (actual !== expected) throw new RevisionConflict(stream, expected, actual)
      const at = now().toISOString()
      for (const [i, e] of events.entries()) {
        log.push({ ...JSON.parse(JSON.stringify(e)), stream, revision: expected + 1n + BigInt(i), position: BigInt(log.length), at })
      }
      for (const wake of wakes) wake()
      return BigInt(log.length) - 1n
    },
    async *follow(after, signal) {
      let next = Number(after + 1n)
      if (next > log.length) throw new LogTruncatedError(after, BigInt(log.length) - 1n)
      while (!signal.aborted) {
        if (next < log.length) {
          const batch = log.slice(next)
          next = log.length
          yield batch.map(asRead)
          continue
        }
        await new Promise<void>(resolve => {
          const wake = () => {
            wakes.delete(wake)
            signal.removeEventListener('abort', wake)
            resolve()
          }
          wakes.add(wake)
          signal.addEventListener('abort', wake)
        })
      }
    },
  }
}
