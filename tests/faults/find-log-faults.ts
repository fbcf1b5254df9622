import type { RecordedEvent } from '../../modules/kernel/store.ts'

/** An event whose append was confirmed to its writer. */
export interface AcknowledgedEvent {
  id: string
  stream: string
  revision: bigint
  /** The confirmed position, which is that of the last event of an append. */
  position?: bigint
  /** When the append was requested and when it was acknowledged: ns on the machine's monotonic clock. */
  begun: bigint
  answered: bigint
}

export interface LogFaults {
  /** Events that were acknowledged but are missing in the log, or that a follower skipped. */
  lost: number
  /** Events that appear more than once in one reading. */
  doubled: number
  /**
   * Events at another position than acknowledged, out of order in their stream, before a position that was already read, or before an event
   * that was acknowledged earlier.
   */
  reordered: number
}

/**
 * Compares confirmed events with the log. `log` is one reading of the whole log; `live` is what a follower received since before the
 * first append. Knows nothing of the store.
 */
export function findLogFaults(acknowledged: AcknowledgedEvent[], log: RecordedEvent[], live: RecordedEvent[]): LogFaults {
  const faults: LogFaults = { lost: 0, doubled: 0, reordered: 0 }
  const promised = new Map(acknowledged.map(a => [a.id, a]))
  faults.doubled += acknowledged.length - promised.size

  for (const reading of [log, live]) {
    const seen = new Set<string>()
    const revisions = new Map<string, bigint>()
    let position = -1n
    for (const e of reading) {
      if (seen.has(e.id)) faults.doubled++
      else {
        const before = revisions.get(e.stream) ?? -1n
        if (e.position <= position || e.revision !== before + 1n) faults.reordered++
        revisions.set(e.stream, e.revision)
      }
      seen.add(e.id)
      if (e.position > position) position = e.position
      const said = promised.get(e.id)
      if (said && (said.stream !== e.stream || said.revision !== e.revision || (said.position ?? e.position) !== e.position))
        faults.reordered++
    }
    for (const id of promised.keys()) if (!seen.has(id)) faults.lost++
  }

  // An append requested after another one was confirmed must come after it, in any stream.
  let asked = 0n
  for (const e of log) {
    const said = promised.get(e.id)
    if (!said) continue
    if (asked > said.answered) faults.reordered++
    if (said.begun > asked) asked = said.begun
  }
  // Unconfirmed events may exist or not, but equally for every reader.
  const told = new Set(live.map(e => e.id))
  faults.lost += log.filter(e => !promised.has(e.id) && !told.has(e.id)).length
  return faults
}
