import type { Draft } from '../../modules/folders/contract.ts'
import type { Voice } from '../../modules/reviews/contract.ts'
import { indexedDbStore } from '../client/indexed-db-store.ts'
import { currentAccountId } from '../client/session.ts'

/**
 * A voice-over on this device: while it is recorded its sound comes second by second, so a crash loses no more; then it is `made`, a file.
 * `sent`: it has arrived in the object store.
 */
export interface Kept {
  voice: Voice
  session: string
  state: 'recording' | 'made' | 'sent'
  /** The note that it is for, as it was or will be; none: it is over the whole review. */
  note?: Draft['notes'][number] | undefined
  /** When it began, ms since 1970. */
  began: number
  /** The account that recorded it. */
  owner?: string
}

export type Device = ReturnType<typeof deviceStore>

type Changes = (readonly [key: string, value: Kept | ArrayBuffer | undefined])[]

/** Voice-overs in this browser's database; where it keeps nothing, as in some private windows, only as long as the page. */
export function deviceStore() {
  const store = indexedDbStore<Kept | ArrayBuffer>('voices')
  /** What the browser would not keep. */
  const memory = new Map<string, Kept | ArrayBuffer>()
  const keptKey = ({ session, voice }: Kept) => `kept ${session} ${voice.id}`
  const soundKey = (id: string, number: number) => `sound ${id} ${String(number).padStart(6, '0')}`

  async function write(changes: Changes) {
    await store.write(changes).catch(() => {
      for (const [key, value] of changes) value === undefined ? memory.delete(key) : memory.set(key, value)
    })
  }
  /** With whose it is, for a logout. */
  const owned = (kept: Kept): Kept => ({ ...kept, ...(kept.owner === undefined && currentAccountId() && { owner: currentAccountId() }) })
  async function all<T>(prefix: string): Promise<[key: string, value: T][]> {
    const here = await store.all(prefix).catch(() => [])
    return [...here, ...[...memory].filter(([key]) => key.startsWith(prefix)).sort()] as [string, T][]
  }
  const without = async (prefix: string): Promise<Changes> => (await all(prefix)).map(([key]) => [key, undefined] as const)

  return {
    /** With `chunk`, the next second of its sound: both or neither. */
    put: (kept: Kept, chunk?: { number: number; sound: ArrayBuffer }) =>
      write([[keptKey(kept), owned(kept)], ...(chunk ? [[soundKey(kept.voice.id, chunk.number), chunk.sound] as const] : [])]),

    /** The recording is over: from here on this is its sound. */
    async finish(kept: Kept, file: Blob) {
      const whole = await file.arrayBuffer()
      const { id } = kept.voice
      await write([...(await without(`sound ${id} `)), [soundKey(id, 0), whole], [keptKey(kept), owned(kept)]])
    },

    /** Those of a session, the oldest first. */
    all: async (session: string) => (await all<Kept>(`kept ${session} `)).map(([, kept]) => kept).sort((a, b) => a.began - b.began),

    /** Its sound, as far as it came; null where nothing of it is here. */
    async sound({ id, type }: Pick<Voice, 'id' | 'type'>): Promise<Blob | null> {
      const parts = await all<ArrayBuffer>(`sound ${id} `)
      return parts.length
        ? new Blob(
            parts.map(([, sound]) => sound),
            { type },
          )
        : null
    },

    remove: async (session: string, id: string) => write([[`kept ${session} ${id}`, undefined], ...(await without(`sound ${id} `))]),
  }
}
