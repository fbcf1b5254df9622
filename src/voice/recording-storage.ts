import type { Draft } from '../../modules/folders/contract.ts'
import type { Voice } from '../../modules/reviews/contract.ts'
import { createIndexedDbStore } from '../client/indexed-db-store.ts'
import { currentAccountId } from '../client/login-session.ts'

/**
 * A voice-over on this device. `recording`: its sound is stored in one-second chunks, so that a crash loses only the last chunk. `made`:
 * its sound is one finished file. `sent`: the object store has the file.
 */
export interface StoredRecording {
  voice: Voice
  session: string
  state: 'recording' | 'made' | 'sent'
  /** The note that the voice-over belongs to, which may not be in the draft yet; undefined if it is about the whole review. */
  note?: Draft['notes'][number] | undefined
  /** When the recording began, in ms since 1970. */
  began: number
  /** The id of the account that recorded the voice-over; absent in recordings made by older versions. */
  owner?: string
}

export type RecordingStorage = ReturnType<typeof createRecordingStorage>

type Changes = (readonly [key: string, value: StoredRecording | ArrayBuffer | undefined])[]

/** Stores voice-overs in IndexedDB. If the browser stores nothing, as in some private windows, they are in memory until the page closes. */
export function createRecordingStorage() {
  const store = createIndexedDbStore<StoredRecording | ArrayBuffer>('voices')
  /** Entries that IndexedDB rejected. */
  const memory = new Map<string, StoredRecording | ArrayBuffer>()
  const recordingKey = ({ session, voice }: StoredRecording) => `kept ${session} ${voice.id}`
  const soundKey = (id: string, number: number) => `sound ${id} ${String(number).padStart(6, '0')}`

  async function write(changes: Changes) {
    await store.write(changes).catch(() => {
      for (const [key, value] of changes) value === undefined ? memory.delete(key) : memory.set(key, value)
    })
  }
  /** Adds the id of the account that recorded the voice-over, so that a logout deletes only that account's recordings. */
  const withOwner = (recording: StoredRecording): StoredRecording => ({
    ...recording,
    ...(recording.owner === undefined && currentAccountId() && { owner: currentAccountId() }),
  })
  async function all<T>(prefix: string): Promise<[key: string, value: T][]> {
    const storedEntries = await store.all(prefix).catch(() => [])
    return [...storedEntries, ...[...memory].filter(([key]) => key.startsWith(prefix)).sort()] as [string, T][]
  }
  const removalsOf = async (prefix: string): Promise<Changes> => (await all(prefix)).map(([key]) => [key, undefined] as const)

  return {
    /** Stores the recording's state and, if given, the next second of its sound (`chunk`) in one transaction. */
    put: (recording: StoredRecording, chunk?: { number: number; sound: ArrayBuffer }) =>
      write([
        [recordingKey(recording), withOwner(recording)],
        ...(chunk ? [[soundKey(recording.voice.id, chunk.number), chunk.sound] as const] : []),
      ]),

    /** Replaces the chunks of a recording with its finished file. */
    async finish(recording: StoredRecording, file: Blob) {
      const whole = await file.arrayBuffer()
      const { id } = recording.voice
      await write([...(await removalsOf(`sound ${id} `)), [soundKey(id, 0), whole], [recordingKey(recording), withOwner(recording)]])
    },

    /** All recordings of a session, oldest first. */
    all: async (session: string) =>
      (await all<StoredRecording>(`kept ${session} `)).map(([, recording]) => recording).sort((a, b) => a.began - b.began),

    /** The sound of a recording, without the last second if a crash lost it; null if this device has none of the sound. */
    async sound({ id, type }: Pick<Voice, 'id' | 'type'>): Promise<Blob | null> {
      const parts = await all<ArrayBuffer>(`sound ${id} `)
      return parts.length
        ? new Blob(
            parts.map(([, sound]) => sound),
            { type },
          )
        : null
    },

    remove: async (session: string, id: string) => write([[`kept ${session} ${id}`, undefined], ...(await removalsOf(`sound ${id} `))]),
  }
}
