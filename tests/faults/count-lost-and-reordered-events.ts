import type { RecordedEvent } from '../../modules/kernel/store.ts'

/** An event whose append was confirmed to its writer. */
export interface AcknowledgedEvent {
  id: string
  stream: string
  revision: bigint
  /** The confirmed position. A store confirms only the position of an append's last event, so the other events may lack it. */
  position?: bigint
  /** When its append was sent, and when it was confirmed, in ns as `process.hrtime.bigint` counts them. */
  sentAt: bigint
  confirmedAt: bigint
}

export interface LogFaultCounts {
  /**
   * Confirmed events that are missing from the log or from what the follower received, and unconfirmed events that are in the log but that
   * the follower did not receive.
   */
  lost: number
  /** Events that are in the log, were received or were confirmed more than once. */
  doubled: number
  /**
   * Events that are not at their confirmed place, are out of order in their stream or in the log, or come after an event whose append was
   * sent only after theirs had been confirmed.
   */
  reordered: number
}

/**
 * Compares confirmed events with the log of any store.
 * @param log the whole log, read at the end
 * @param live what a follower received; it started before the first append
 */
export function countLostAndReorderedEvents(
  acknowledged: AcknowledgedEvent[],
  log: RecordedEvent[],
  live: RecordedEvent[],
): LogFaultCounts {
  const faults: LogFaultCounts = { lost: 0, doubled: 0, reordered: 0 }
  const confirmed = new Map(acknowledged.map(a => [a.id, a]))
  faults.doubled += acknowledged.length - confirmed.size

  for (const reading of [log, live]) {
    const read = new Set<string>()
    const revisions = new Map<string, bigint>()
    let position = -1n
    for (const e of reading) {
      if (read.has(e.id)) faults.doubled++
      else {
        const before = revisions.get(e.stream) ?? -1n
        if (e.position <= position || e.revision !== before + 1n) faults.reordered++
        revisions.set(e.stream, e.revision)
      }
      read.add(e.id)
      if (e.position > position) position = e.position
      const expected = confirmed.get(e.id)
      if (
        expected &&
        (expected.stream !== e.stream || expected.revision !== e.revision || (expected.position ?? e.position) !== e.position)
      )
        faults.reordered++
    }
    for (const id of confirmed.keys()) if (!read.has(id)) faults.lost++
  }

  // An append that was sent after another one had been confirmed must come after it in the log, even if their streams differ.
  let latestSentAt = 0n
  for (const e of log) {
    const event = confirmed.get(e.id)
    if (!event) continue
    if (latestSentAt > event.confirmedAt) faults.reordered++
    if (event.sentAt > latestSentAt) latestSentAt = event.sentAt
  }
  // An unconfirmed event may exist or not, but if it is in the log, the follower must have received it, too.
  const received = new Set(live.map(e => e.id))
  faults.lost += log.filter(e => !confirmed.has(e.id) && !received.has(e.id)).length
  return faults
}
