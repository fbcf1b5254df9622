import { createHash } from 'node:crypto'
import type { ChainHead } from './audit-chain-table.ts'
import type { AdminEventLogEntry } from './contract.ts'
import type { EventChainProof } from './hash-chain.ts'

/** A line of an export: the event as an administrator reads it, and its place in the chain. `chain` is null until the event is chained. */
export type ExportedEvent = AdminEventLogEntry & { chain: EventChainProof | null }

/** The last line of an export. */
export interface AuditExportTrailer {
  /** The filter of the export; empty if it contains the whole log. */
  filter: Record<string, string>
  events: number
  /**
   * The last link of the chain when the export began. In an export of the whole log, it is the last link up to the newest exported event,
   * because the chain may already hold newer ones.
   */
  head: ChainHead | null
  /** SHA-256 (hexadecimal) of all earlier lines and, after them, the JSON of this object without this field. */
  sha256: string
}

/** Formats the lines of an export, newest event first, and collects what its last line reports. */
export function createAuditExportFormatter() {
  const hash = createHash('sha256')
  let events = 0
  return {
    of(entries: readonly ExportedEvent[]): string {
      const lines = entries.map(entry => `${JSON.stringify(entry)}\n`).join('')
      hash.update(lines)
      events += entries.length
      return lines
    },
    end(filter: Record<string, string>, head: ChainHead | null): string {
      const end = { filter, events, head }
      return `${JSON.stringify({ end: { ...end, sha256: hash.update(JSON.stringify(end)).digest('hex') } })}\n`
    },
  }
}
