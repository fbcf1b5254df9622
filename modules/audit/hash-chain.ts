import { createHash } from 'node:crypto'
import type { Meta, Recorded } from '../kernel/store.ts'
import { type EncryptedTexts, encryptedTextsOfEvent, storedData } from '../privacy/encrypted-texts.ts'

/** What the first event of a log follows. */
export const CHAIN_START = '0'.repeat(64)

/** What the chain covers of an event beside its data, as an export of the audit spells it. */
export interface ChainedEvent {
  position: string
  stream: string
  revision: string
  id: string
  type: string
  at: string
  meta: Meta
}

/** The place of one event in the chain; hashes are SHA-256 in hexadecimal. */
export interface ChainLink {
  position: string
  event: string
  asked: string | null
  encrypted: EncryptedTexts | null
  dataHash: string
  hash: string
}

/** What proves an event's place in the chain, beside the event itself. */
export type ChainProof = Omit<ChainLink, 'position' | 'event'> & { previous: string }

/** JSON with sorted keys and without spaces (RFC 8785): the same value has one spelling, whichever store it went through. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const fields = Object.entries(value).filter(([, v]) => v !== undefined)
  fields.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([key, v]) => `${JSON.stringify(key)}:${canonicalJson(v)}`).join(',')}}`
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/**
 * The hash of an event's data as the log holds it, with the words of people encrypted: it stays the same when a person is forgotten. `data` may
 * have any text in their places.
 */
export const hashOfData = (data: unknown, encrypted: EncryptedTexts | null) =>
  sha256(canonicalJson(encrypted ? storedData(data, encrypted) : data))

/** The hash of an event in its place: whoever changes, removes or moves an event changes the hashes of all that follow. */
export function hashOfLink(previous: string, e: ChainedEvent, dataHash: string): string {
  const { position, stream, revision, id, type, at } = e
  const { command, name, actor, asked = null, cause = null } = e.meta
  return sha256(
    canonicalJson({ previous, position, stream, revision, id, type, at, meta: { command, name, actor, asked, cause }, dataHash }),
  )
}

/** The link of an event that a reader of the log was given. */
export function linkOf(previous: string, e: Recorded): ChainLink {
  const encrypted = encryptedTextsOfEvent(e) ?? null
  const dataHash = hashOfData(e.data, encrypted)
  const hash = hashOfLink(previous, { ...e, position: `${e.position}`, revision: `${e.revision}` }, dataHash)
  return { position: `${e.position}`, event: e.id, asked: e.meta.asked ?? null, encrypted, dataHash, hash }
}
