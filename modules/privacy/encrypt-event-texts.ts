import { personalTextsByPath, setPersonalTextsInPlace } from './get-and-set-texts-by-path.ts'
import type { PersonKey } from './person-keys.ts'
import { encryptText } from './text-cipher.ts'

/**
 * The field `encrypted` of an event whose texts are encrypted. In the event's data, each text is replaced with null. `texts` is missing if
 * the person's key was destroyed before the event was written, because such texts are never stored.
 */
export interface EncryptedTextsOfEvent {
  person: string
  /** Where the texts belong in the data. */
  paths: string[]
  /** JSON list of the texts, encrypted with the person's key. */
  texts?: string
}
export type EventDataWithEncryptedTexts = Record<string, unknown> & { encrypted: EncryptedTextsOfEvent }

export const encryptedTextsOfData = (data: unknown) => (data as Partial<EventDataWithEncryptedTexts> | null)?.encrypted

/** The event with its texts encrypted; the same object if it has none. */
export function encryptTexts<E extends { id: string; data: unknown }>(e: E, paths: readonly string[], person: string, key: PersonKey): E {
  const texts = personalTextsByPath(e.data, paths)
  const places = Object.keys(texts)
  if (!places.length) return e
  const data = structuredClone(e.data) as EventDataWithEncryptedTexts
  setPersonalTextsInPlace(data, places, () => null)
  data.encrypted = {
    person,
    paths: places,
    ...(key !== 'destroyed' && { texts: encryptText(JSON.stringify(Object.values(texts)), key, e.id) }),
  }
  return { ...e, data }
}

/** The data as the log stores it: null in place of each encrypted text, whatever `data` has there. */
export function rebuildEventDataAsStored(data: unknown, encrypted: EncryptedTextsOfEvent): EventDataWithEncryptedTexts {
  const stored = structuredClone(data) as EventDataWithEncryptedTexts
  setPersonalTextsInPlace(stored, encrypted.paths, () => null)
  return { ...stored, encrypted }
}

const encryptedTexts = new WeakMap<object, EncryptedTextsOfEvent>()

/** Remembers the encrypted form of a decrypted event outside of the event's fields, so that no read model stores it by accident. */
export function rememberEncryptedTexts<E extends object>(e: E, its: EncryptedTextsOfEvent): E {
  encryptedTexts.set(e, its)
  return e
}

/** The encrypted form of a decrypted event's texts; undefined if it had none. */
export const rememberedEncryptedTextsOf = (e: object) => encryptedTexts.get(e)
