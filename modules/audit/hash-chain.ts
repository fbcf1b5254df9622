import { createHash } from 'node:crypto'
import type { EventMetadata, RecordedEvent } from '../kernel/store.ts'
import { type EncryptedTextsOfEvent, rebuildEventDataAsStored, rememberedEncryptedTextsOf } from '../privacy/encrypt-event-texts.ts'

/** The first link has this value in place of a previous hash. */
export const GENESIS_HASH = '0'.repeat(64)

/** The fields of an event, besides its data, that the chain covers, in the format of an export. */
export interface HashedEventFields {
  position: string
  stream: string
  revision: string
  id: string
  type: string
  at: string
  meta: EventMetadata
}

/** The place of one event in the chain; hashes are SHA-256 in hexadecimal. */
export interface ChainLink {
  position: string
  event: string
  asked: string | null
  encrypted: EncryptedTextsOfEvent | null
  dataHash: string
  hash: string
}

/** The proof of an event's place in the chain, to be checked together with the event. */
export type EventChainProof = Omit<ChainLink, 'position' | 'event'> & { previous: string }

/** JSON with sorted keys and without spaces (RFC 8785): equal values have the same JSON, whichever store they went through. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const fields = Object.entries(value).filter(([, v]) => v !== undefined)
  fields.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([key, v]) => `${JSON.stringify(key)}:${canonicalJson(v)}`).join(',')}}`
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/**
 * The hash of an event's data as the log stores it, with personal texts encrypted, so that it stays the same when a person is forgotten.
 * Whatever `data` has in the fields of encrypted texts is ignored.
 */
export const hashOfEventData = (data: unknown, encrypted: EncryptedTextsOfEvent | null) =>
  sha256(canonicalJson(encrypted ? rebuildEventDataAsStored(data, encrypted) : data))

/** The hash of a link. Changing, removing or moving an event changes the hashes of all later links. */
export function hashOfChainLink(previous: string, e: HashedEventFields, dataHash: string): string {
  const { position, stream, revision, id, type, at } = e
  const { command, name, actor, asked = null, cause = null } = e.meta
  return sha256(
    canonicalJson({ previous, position, stream, revision, id, type, at, meta: { command, name, actor, asked, cause }, dataHash }),
  )
}

/** The chain link of an event that was read from the log. `previous`: the hash of the link before it. */
export function chainLinkOf(previous: string, e: RecordedEvent): ChainLink {
  const encrypted = rememberedEncryptedTextsOf(e) ?? null
  const dataHash = hashOfEventData(e.data, encrypted)
  const hash = hashOfChainLink(previous, { ...e, position: `${e.position}`, revision: `${e.revision}` }, dataHash)
  return { position: `${e.position}`, event: e.id, asked: e.meta.asked ?? null, encrypted, dataHash, hash }
}
