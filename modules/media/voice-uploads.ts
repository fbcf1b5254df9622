import { concurrencyLimit } from '../concurrency-limit.ts'
import type { Voice } from '../reviews/contract.ts'
import { deliveredVoiceKey, draftVoiceKey, uploadedVoiceKey } from './object-keys.ts'
import type { ObjectStore } from './object-store.ts'

/** The signature of each file type: bytes at an offset. */
const MAGIC_BYTES: Record<Voice['type'], { at: number; bytes: number[] }> = {
  'audio/webm': { at: 0, bytes: [0x1a, 0x45, 0xdf, 0xa3] },
  'audio/mp4': { at: 4, bytes: [...Buffer.from('ftyp')] },
  'audio/ogg': { at: 0, bytes: [...Buffer.from('OggS')] },
}

/** Limits how many recordings are in memory at the same time; the others wait for their turn. */
const reading = concurrencyLimit(2)

type UploadedVoice = Pick<Voice, 'id' | 'bytes' | 'type'>

/** The key of a checked recording's copy: `draft` during the review, `delivered` after the delivery. */
const CHECKED_VOICE_KEYS = { draft: draftVoiceKey, delivered: deliveredVoiceKey }

/** Uploads of a review's recordings from the browser to the object store. */
export const voiceUploads = (objects: ObjectStore) => ({
  /** A URL that accepts a PUT of exactly this type and length. It may be used repeatedly. */
  sign: (assignment: string, { id, type, bytes }: UploadedVoice) => objects.signPut(uploadedVoiceKey(assignment, id), type, bytes),

  /**
   * Copies an uploaded recording to a key for which no upload URL is ever signed, unless it was copied before.
   * @returns whether it has arrived with the declared size and type
   */
  async keep(assignment: string, { id, bytes, type }: UploadedVoice, as: keyof typeof CHECKED_VOICE_KEYS): Promise<boolean> {
    const checkedKey = CHECKED_VOICE_KEYS[as](assignment, id)
    if ((await objects.head(checkedKey))?.bytes === bytes) return true
    if ((await objects.head(uploadedVoiceKey(assignment, id)))?.bytes !== bytes) return false
    return reading.run(async () => {
      const file = await objects.read(uploadedVoiceKey(assignment, id), 0, bytes + 1)
      const { at, bytes: begin } = MAGIC_BYTES[type]
      if (file?.length !== bytes || !begin.every((byte, i) => file[at + i] === byte)) return false
      await objects.put(checkedKey, type, file)
      return true
    })
  },

  /** Deletes the uploads and draft copies of an ended assignment's recordings. Delivered copies stay. */
  async forget(assignment: string) {
    for (const voiceKey of [uploadedVoiceKey, draftVoiceKey])
      for await (const { key } of objects.list(voiceKey(assignment, ''))) await objects.remove(key)
  },
})
