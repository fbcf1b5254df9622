import { atom } from 'nanostores'
import { v7 } from 'uuid'
import type { Upload } from '../../modules/folders/contract.ts'
import { ApiError, call } from '../client/api.ts'
import { errorMessage } from '../client/command.ts'
import { type Advice, advise, described, isLong, isRare } from './advice.ts'
import { check, fingerprint } from './check.ts'
import { type Inspected, inspect } from './inspect.ts'
import { look } from './look.ts'
import { type Sending, sendVideo } from './sending.ts'
import { type Pace, Unsent } from './transfer.ts'
import { noteUpload } from './unfinished.ts'

/**
 * `asking`: longer than a swing needs, and nothing was sent yet. `unfinished`: begun before this page, its file is not in hand. `refused`:
 * nothing will come of it. `failed`: another try may help. `offline`: waits for the connection by itself. `shrinking`: a smaller copy is made.
 */
export type State =
  | 'checking'
  | 'asking'
  | 'waiting'
  | 'sending'
  | 'offline'
  | 'paused'
  | 'shrinking'
  | 'finishing'
  | 'failed'
  | 'refused'
  | 'unfinished'

export interface Item {
  /** Of the upload, and of the video that it becomes. */
  id: string
  name: string
  bytes: number
  sent: number
  state: State
  pace: Pace
  message?: string
  /** Object URL of the still. */
  poster?: string
  /** What is inside, in one line, and what is worth knowing about it. */
  inside?: string
  advice?: Advice[]
  /** What was done to the file here, and what that left in it. */
  edited?: string
  /** It can be cut; a smaller copy of it can be made. */
  cuttable?: boolean
  shrinkable?: boolean
  /** How much of the smaller copy is made, 0 to 1. */
  made?: number
}

/** States in which leaving the page would interrupt something. */
export const BUSY: State[] = ['checking', 'waiting', 'sending', 'offline', 'shrinking', 'finishing']
/** On the way, or in line for it: may be paused. */
export const GOING: State[] = ['waiting', 'sending', 'offline']
const still: Pace = { speed: 0, left: null }

interface Work extends Sending {
  stop?: AbortController
}

/** The uploads of one folder in this page; with `replaces`, to the place of that video. `added` is called when one has come to the folder. */
export function uploadsOf(folder: string, added: () => void, replaces?: string) {
  const $items = atom<Item[]>([])
  const works = new Map<string, Work>()
  const prints = new Map<string, string>()
  let turn: Promise<unknown> = Promise.resolve()

  const get = (id: string) => $items.get().find(i => i.id === id)
  const set = (id: string, change: Partial<Item>) => $items.set($items.get().map(i => (i.id === id ? { ...i, ...change } : i)))
  function release(id: string) {
    const poster = get(id)?.poster
    if (poster) URL.revokeObjectURL(poster)
    works.delete(id)
    noteUpload(id, null)
  }
  function drop(id: string) {
    release(id)
    $items.set($items.get().filter(i => i.id !== id))
  }

  async function send(id: string) {
    const work = works.get(id)
    if (!work || get(id)?.state !== 'waiting') return
    const stop = new AbortController()
    work.stop = stop
    set(id, { state: 'sending', message: undefined })
    try {
      await sendVideo(
        work,
        ({ state, ...going }) => {
          if (!stop.signal.aborted) set(id, { state, ...going })
          // What was told last may lie behind what has arrived, or count a part that was cut off.
          else if (get(id)?.state === 'paused' && going.sent !== undefined) set(id, { sent: going.sent })
        },
        stop.signal,
      )
      drop(id)
      added()
    } catch (error) {
      if (stop.signal.aborted) return
      // Signed out, a part that is missing, a folder that is full or with an instructor: another try may help. Any other refusal is final.
      const final = error instanceof ApiError && ![401, 409, 429].includes(error.status)
      const message = error instanceof Unsent ? `${error.message} Try again in a moment; what was sent is kept.` : errorMessage(error)
      set(id, { state: final ? 'refused' : 'failed', message, pace: still })
    }
  }

  /** Tells beside the file what is inside, while it waits or goes up already. */
  async function inspected(id: string, file: File, type: string, looking = look(file, type)): Promise<Inspected> {
    const found = await inspect(file, type, looking)
    const { probed, media } = found
    const poster = probed.poster && get(id) ? URL.createObjectURL(probed.poster) : undefined
    set(id, {
      advice: advise(media, found),
      cuttable: media !== null,
      ...(media && { inside: described(media) }),
      ...(poster && { poster }),
    })
    if (media && isRare(media, file.size)) void offerSmaller(id, file, type)
    return found
  }

  /** Only where this browser can make one. */
  async function offerSmaller(id: string, file: File, type: string) {
    const { canShrink } = await import('./edit.ts')
    const able = await canShrink(file, type).catch(() => false)
    if (able && works.get(id)?.file === file) set(id, { shrinkable: true })
  }

  /** One file at a time; each gets the whole line. */
  function queue(id: string) {
    if (!works.has(id)) return
    set(id, { state: 'waiting', message: undefined })
    turn = turn.then(() => send(id))
  }

  function pause(id: string) {
    works.get(id)?.stop?.abort()
    set(id, { state: 'paused', pace: still })
  }

  const giveUp = (id: string) =>
    call('DELETE /api/uploads/{upload}', { params: { upload: id } }).catch(() => {
      // Never begun, or gone already; the sweeper takes the rest.
    })

  /** Another file takes the place of one that was not sent to its end; what was sent of it is thrown away. */
  async function exchange(before: string, file: File, type: Upload['type'], edited: string) {
    const id = v7()
    const begun = works.get(before)?.stop !== undefined
    const item: Item = { id, name: file.name, bytes: file.size, sent: 0, state: 'checking', pace: still, edited }
    release(before)
    $items.set($items.get().map(i => (i.id === before ? item : i)))
    const print = await fingerprint(file).catch(() => '')
    if (begun) await giveUp(before)
    works.set(id, { id, folder, replaces, file, print, type, found: inspected(id, file, type) })
    queue(id)
  }

  return {
    $items,

    /** Lists what was begun before this page. */
    async load() {
      const { uploads } = await call('GET /api/uploads', { query: { folder } })
      const fresh = uploads.filter(u => !get(u.id) && u.replaces === (replaces ?? null))
      for (const u of fresh) prints.set(u.id, u.fingerprint)
      const items = fresh.map(
        (u): Item => ({
          id: u.id,
          name: u.name,
          bytes: u.bytes,
          sent: u.arrived.reduce((sum, part) => sum + part.bytes, 0),
          state: 'unfinished',
          pace: still,
        }),
      )
      $items.set([...items, ...$items.get()])
    },

    /** Takes files in; a file that was begun before goes on where it stopped. `videos`: how many this session has already. */
    async add(files: Iterable<File>, videos: number) {
      for (const file of files) {
        const print = await fingerprint(file).catch(() => '')
        const before = $items.get().find(i => i.state === 'unfinished' && prints.get(i.id) === print)
        const id = before?.id ?? v7()
        const taken = videos + $items.get().filter(i => i.state !== 'refused' && i.id !== id).length
        if (!before) $items.set([...$items.get(), { id, name: file.name, bytes: file.size, sent: 0, state: 'checking', pace: still }])
        const checked = await check(file, taken)
        if ('refused' in checked) {
          set(id, { state: 'refused', message: checked.refused })
          continue
        }
        const { type } = checked
        const looking = look(file, type)
        works.set(id, { id, folder, replaces, file, print, type, found: inspected(id, file, type, looking) })
        if (before || !(await looking.then(inside => inside && isLong(inside.media)))) queue(id)
        else set(id, { state: 'asking' })
      }
    },

    pause,
    resume: queue,
    exchange,

    /** The file of an item in hand, and what was found inside it. */
    held: (id: string): Pick<Work, 'file' | 'type' | 'found'> | undefined => works.get(id),

    /** Makes a smaller copy and sends that; where none can be made, the original waits to go on. */
    async shrink(id: string) {
      const work = works.get(id)
      if (!work) return
      work.stop?.abort()
      const stop = new AbortController()
      work.stop = stop
      set(id, { state: 'shrinking', made: 0, pace: still })
      try {
        const { smallerCopy } = await import('./edit.ts')
        const copy = await smallerCopy(work.file, work.type, made => set(id, { made }), stop.signal)
        await exchange(id, copy, 'video/mp4', 'A smaller copy, with every frame of the original.')
      } catch {
        if (!get(id)) return
        const message = stop.signal.aborted
          ? undefined
          : 'A smaller copy with every frame could not be made here. The original can go up as it is.'
        set(id, { state: 'paused', shrinkable: stop.signal.aborted, message })
      }
    },
    /** Stops making a smaller copy. */
    stopShrinking: (id: string) => works.get(id)?.stop?.abort(),

    /** Gives up: what was sent is thrown away. */
    async cancel(id: string) {
      works.get(id)?.stop?.abort()
      drop(id)
      await giveUp(id)
    },
  }
}
export type Uploads = ReturnType<typeof uploadsOf>
