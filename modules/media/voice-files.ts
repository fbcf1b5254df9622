import { concurrencyLimit } from '../concurrency-limit.ts'
import type { Voice } from '../reviews/contract.ts'
import { deliveredVoiceKey, draftVoiceKey, uploadedVoiceKey } from './object-keys.ts'
import type { ObjectStore } from './object-store.ts'

/** What a file of each type begins with: bytes from a place on. */
const MAGIC_BYTES: Record<Voice['type'], { at: number; bytes: number[] }> = {
  'audio/webm': { at: 0, bytes: [0x1a, 0x45, 0xdf, 0xa3] },
  'audio/mp4': { at: 4, bytes: [...Buffer.from('ftyp')] },
  'audio/ogg': { at: 0, bytes: [...Buffer.from('OggS')] },
}

/** How many recordings are in memory at once; others wait for their turn. */
const reading = concurrencyLimit(2)

type UploadedVoice = Pick<Voice, 'id' | 'bytes' | 'type'>

/** Where a checked recording is kept: for its instructor while the review is written, and as delivered. */
const CHECKED_VOICE_KEYS = { draft: draftVoiceKey, delivered: deliveredVoiceKey }

/** The recordings of a review on their way from the browser to the object store. */
export const voiceFiles = (objects: ObjectStore) => ({
  /** A URL to PUT exactly this many bytes to. Repeating gives the same key. */
  sign: (assignment: string, { id, type, bytes }: UploadedVoice) => objects.signPut(uploadedVoiceKey(assignment, id), type, bytes),

  /**
   * Keeps what has arrived where no signature reaches, as it is now; what was kept before stays.
   * @returns whether it is there, with the size and of the type that were said
   */
  async keep(assignment: string, { id, bytes, type }: UploadedVoice, as: keyof typeof CHECKED_VOICE_KEYS): Promise<boolean> {
    const kept = CHECKED_VOICE_KEYS[as](assignment, id)
    if ((await objects.head(kept))?.bytes === bytes) return true
    if ((await objects.head(uploadedVoiceKey(assignment, id)))?.bytes !== bytes) return false
    return reading.take(async () => {
      const file = await objects.read(uploadedVoiceKey(assignment, id), 0, bytes + 1)
      const { at, bytes: begin } = MAGIC_BYTES[type]
      if (file?.length !== bytes || !begin.every((byte, i) => file[at + i] === byte)) return false
      await objects.put(kept, type, file)
      return true
    })
  },

  /** Deletes recordings of an ended assignment that were not delivered. */
  async forget(assignment: string) {
    for (const of of [uploadedVoiceKey, draftVoiceKey])
      for await (const { key } of objects.list(of(assignment, ''))) await objects.remove(key)
  },
})
