import { createHash } from 'node:crypto'
import type { AuditExportTrailer, ExportedEvent } from './format-export.ts'
import { GENESIS_HASH, hashOfChainLink, hashOfEventData } from './hash-chain.ts'
import { isTextDeletionEvent } from './is-text-deletion-event.ts'

/** The result of checking an export. The export is sound if `faults` is empty. */
export interface AuditExportFindings {
  events: number
  /** Whether the export holds the whole log. Only then does a gap mean that an event is missing; a filtered export skips events. */
  isWhole: boolean
  /**
   * How many events have no data, because a later event deleted it, as in files of releases that deleted more than the texts. The chain
   * still proves their position, but no longer their content.
   */
  deleted: number
  /** `position:hash` of the newest event, to be compared with what an administrator noted; null if there is none. */
  newest: string | null
  faults: string[]
}

/**
 * The server reads the pages of an export one after the other. A deletion in between leaves older events in the file without data, but the
 * event that records the deletion is too new to be in the file.
 */
const EXPORT_AGAIN_AFTER_DELETION =
  'If a person was deleted while the file was being exported, export the log again: the new file has the event that says so.'

const isEmpty = (data: unknown) => typeof data === 'object' && data !== null && Object.keys(data).length === 0

const nameOf = ({ position, type }: ExportedEvent) => `event ${position} (${type})`

/**
 * Reads an export line by line, newest event first, and reports whether anything was changed or moved, or is missing. `known`:
 * `position:hash` values that somebody noted earlier; a forged log with a chain of its own cannot match them.
 */
export async function verifyAuditExport(
  lines: AsyncIterable<string> | Iterable<string>,
  known: readonly string[] = [],
): Promise<AuditExportFindings> {
  const findings: AuditExportFindings = { events: 0, isWhole: false, deleted: 0, newest: null, faults: [] }
  const digest = createHash('sha256')
  const missing = new Set(known)
  /** Ids of events whose texts were deleted by newer events. */
  const deleted = new Set<string>()
  /** Faults that count only if the export's last line says that it holds the whole log. */
  const gaps: string[] = []
  /** Like `gaps`, but about events whose data is missing. */
  const emptied: string[] = []
  let newer: ExportedEvent | undefined
  let newestHash: string | undefined
  let end: AuditExportTrailer | undefined
  let last = ''

  function check(e: ExportedEvent) {
    findings.events++
    if (newer && BigInt(e.position) >= BigInt(newer.position))
      findings.faults.push(`The order was changed: ${nameOf(e)} comes after ${nameOf(newer)}.`)
    if (!e.chain) {
      findings.faults.push(`Not in the chain yet: ${nameOf(e)}. Export the log again a little later.`)
      return
    }
    const { asked, encrypted, dataHash, previous, hash } = e.chain
    const { command: name, commandId: command, actor, cause } = e
    const meta = { command, name, actor, asked: asked ?? undefined, cause: cause ?? undefined }
    if (hashOfChainLink(previous, { ...e, meta }, dataHash) !== hash)
      findings.faults.push(`The person, time or command was changed: ${nameOf(e)}.`)
    if (hashOfEventData(e.data, encrypted) !== dataHash) {
      if (!isEmpty(e.data)) findings.faults.push(`The data of ${nameOf(e)} was changed.`)
      else if (deleted.has(e.id)) findings.deleted++
      else emptied.push(`The data of ${nameOf(e)} is missing, and no event says that it was deleted.`)
    }
    if (isTextDeletionEvent(e)) for (const id of e.data.events) deleted.add(id)
    if (newer?.chain && newer.chain.previous !== hash)
      gaps.push(`Events are missing between event ${newer.position} and event ${e.position}.`)
    findings.newest ??= `${e.position}:${hash}`
    newestHash ??= hash
    missing.delete(`${e.position}:${hash}`)
    newer = e
  }

  for await (const line of lines) {
    if (end) {
      findings.faults.push('There are lines after the last one.')
      break
    }
    try {
      const read = JSON.parse(line) as ExportedEvent | { end: AuditExportTrailer }
      if ('end' in read) {
        end = read.end
        last = line
      } else {
        digest.update(`${line}\n`)
        check(read)
      }
    } catch {
      findings.faults.push(`Line ${findings.events + 1} cannot be read.`)
      break
    }
  }

  if (!end) findings.faults.push('The end of the file is missing.')
  else {
    const { filter, events, head } = end
    const sha256 = digest.update(JSON.stringify({ filter, events, head })).digest('hex')
    if (last !== JSON.stringify({ end: { filter, events, head, sha256 } }) || events !== findings.events)
      findings.faults.push('The file was changed after the export: its checksum differs.')
    findings.isWhole = isEmpty(filter)
    if (findings.isWhole) {
      findings.faults.push(...gaps, ...emptied)
      if (emptied.length) findings.faults.push(EXPORT_AGAIN_AFTER_DELETION)
      if (newer?.chain && newer.chain.previous !== GENESIS_HASH) findings.faults.push('The first events of the log are missing.')
      if (head && newestHash !== head.hash) findings.faults.push('The newest events of the log are missing.')
    }
  }
  for (const link of missing) findings.faults.push(`There is no event ${link.replace(':', ' with the hash ')}.`)
  return findings
}
