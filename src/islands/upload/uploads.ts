import { atom } from 'nanostores'
import { v7 } from 'uuid'
import type { Upload } from '../../../modules/folders/contract.ts'
import type { SeenInside } from '../../../modules/media/contract.ts'
import { ApiError, call } from '../../client/api.ts'
import { sentence } from '../command.ts'
import { type Advice, advise, described } from './advice.ts'
import { check, fingerprint } from './check.ts'
import { type Inspected, inspect } from './inspect.ts'
import { type Pace, pace, transfer, Unsent } from './transfer.ts'
import { noteUpload } from './unfinished.ts'
import { backOff, insist, put, wireOf } from './wire.ts'

/**
 * `unfinished`: begun before this page, its file is not in hand. `refused`: nothing will come of it. `failed`: another try may help.
 * `offline`: waits for the connection by itself.
 */
export type State = 'checking' | 'waiting' | 'sending' | 'offline' | 'paused' | 'finishing' | 'failed' | 'refused' | 'unfinished'

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
}

/** States in which leaving the page would interrupt something. */
export const BUSY: State[] = ['checking', 'waiting', 'sending', 'offline', 'finishing']
const still: Pace = { speed: 0, left: null }

interface Work {
  file: File
  print: string
  type: Upload['type']
  found: Promise<Inspected>
  stop?: AbortController
}

/** The uploads of one folder in this page. `added` is called when a video has come to the folder. */
export function uploadsOf(folder: string, added: () => void) {
  const $items = atom<Item[]>([])
  const works = new Map<string, Work>()
  const prints = new Map<string, string>()
  let turn: Promise<unknown> = Promise.resolve()

  const get = (id: string) => $items.get().find(i => i.id === id)
  const set = (id: string, change: Partial<Item>) => $items.set($items.get().map(i => (i.id === id ? { ...i, ...change } : i)))
  function drop(id: string) {
    const poster = get(id)?.poster
    if (poster) URL.revokeObjectURL(poster)
    works.delete(id)
    noteUpload(id, null)
    $items.set($items.get().filter(i => i.id !== id))
  }

  async function send(id: string) {
    const work = works.get(id)
    const item = get(id)
    if (!work || !item || item.state !== 'waiting') return
    const stop = new AbortController()
    work.stop = stop
    const wait = async (attempt: number, signal: AbortSignal) => {
      set(id, { state: 'offline', pace: still })
      await backOff(attempt, signal)
      set(id, { state: 'sending' })
    }
    const ask = <T>(request: () => Promise<T>) => insist(request, wait, stop.signal)
    set(id, { state: 'sending', message: undefined })
    try {
      const { file, type, print } = work
      const body = { id, folder, name: file.name, type, bytes: file.size, fingerprint: print }
      const upload = await ask(() => call('POST /api/uploads', { body }))
      noteUpload(id, { folder, name: file.name })

      const measure = pace(file.size)
      let told = 0
      await transfer(upload, file, wireOf(id, wait), {
        signal: stop.signal,
        progress: sent => {
          const now = performance.now()
          // What was told last may lie behind what has arrived, or count a part that was cut off.
          if (stop.signal.aborted) return void (get(id)?.state === 'paused' && set(id, { sent }))
          if (now - told < 200 && sent < file.size) return
          told = now
          set(id, { sent, state: 'sending', pace: measure(sent, now) })
        },
      })

      set(id, { state: 'finishing', sent: file.size, pace: still })
      const { probed, inside } = await work.found
      const { poster, brightness: _, ...measured } = probed
      let pictured = false
      if (poster) {
        try {
          const { url } = await ask(() =>
            call('POST /api/uploads/{upload}/poster', { params: { upload: id }, body: { bytes: poster.size } }),
          )
          await put(url, poster, () => {}, stop.signal)
          pictured = true
        } catch (error) {
          // A still is not worth losing the video for.
          if (stop.signal.aborted) throw error
        }
      }
      const complete = (more: { inside?: SeenInside }) =>
        ask(() => call('POST /api/uploads/{upload}/complete', { params: { upload: id }, body: { ...measured, poster: pictured, ...more } }))
      await complete(inside ? { inside } : {}).catch(error => {
        // A container odd enough that the server does not take our word for it: it looks itself.
        if (!inside || !(error instanceof ApiError && error.code === 'invalid')) throw error
        return complete({})
      })
      drop(id)
      added()
    } catch (error) {
      if (stop.signal.aborted) return
      // Signed out, a part that is missing, a folder that is full or with an instructor: another try may help. Any other refusal is final.
      const final = error instanceof ApiError && ![401, 409, 429].includes(error.status)
      const message = error instanceof Unsent ? `${error.message} Try again in a moment; what was sent is kept.` : sentence(error)
      set(id, { state: final ? 'refused' : 'failed', message, pace: still })
    }
  }

  /** Tells beside the file what is inside, while it waits or goes up already. */
  async function inspected(id: string, file: File, type: string): Promise<Inspected> {
    const found = await inspect(file, type)
    const { probed, media } = found
    const poster = probed.poster && get(id) ? URL.createObjectURL(probed.poster) : undefined
    set(id, { advice: advise(media, found), ...(media && { inside: described(media) }), ...(poster && { poster }) })
    return found
  }

  /** One file at a time; each gets the whole line. */
  function queue(id: string) {
    set(id, { state: 'waiting', message: undefined })
    turn = turn.then(() => send(id))
  }

  return {
    $items,

    /** Lists what was begun before this page. */
    async load() {
      const { uploads } = await call('GET /api/uploads', { query: { folder } })
      const fresh = uploads.filter(u => !get(u.id))
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
        works.set(id, { file, print, type: checked.type, found: inspected(id, file, checked.type) })
        queue(id)
      }
    },

    pause(id: string) {
      works.get(id)?.stop?.abort()
      set(id, { state: 'paused', pace: still })
    },
    resume: queue,

    /** Gives up: what was sent is thrown away. */
    async cancel(id: string) {
      works.get(id)?.stop?.abort()
      drop(id)
      await call('DELETE /api/uploads/{upload}', { params: { upload: id } }).catch(() => {
        // Never begun, or gone already; the sweeper takes the rest.
      })
    },
  }
}
export type Uploads = ReturnType<typeof uploadsOf>
