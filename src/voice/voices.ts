import { atom, type ReadableAtom } from 'nanostores'
import type { Draft } from '../../modules/folders/contract.ts'
import type { Spoken, Voice } from '../../modules/reviews/contract.ts'
import { ApiError, call } from '../client/api.ts'
import { withTimeout } from '../client/with-timeout.ts'
import type { DraftStore } from '../draft/draft-store.ts'
import { wanted } from '../folders/urls.ts'
import { type Device, deviceStore, type Kept } from './device.ts'
import { made } from './made.ts'

/** Where a voice-over is: on this device alone, on its way, in the store; `refused`: the server will not take it. */
export type Where = 'here' | 'sending' | 'saved' | 'refused'

const AGAIN = 5000
/** How long an answer may take, ms, … */
const PATIENCE = 30_000
/** … and how slow a line may be, bytes a second. */
const SLOWEST = 5000

/** A draft with this voice-over, for its note, or over the whole; what it was recorded instead of is out. */
export function placed(draft: Draft, { voice, note }: Pick<Kept, 'voice' | 'note'>, instead?: string): Draft {
  const known = note && draft.notes.find(n => n.id === note.id)
  const out = [voice.id, instead, known?.voice]
  const voices = [...(draft.voices ?? []).filter(v => !out.includes(v.id)), voice]
  if (!note) return { ...draft, voices }
  const spoken = { ...(known ?? note), voice: voice.id }
  return { ...draft, voices, notes: known ? draft.notes.map(n => (n.id === note.id ? spoken : n)) : [...draft.notes, spoken] }
}

/** A draft without a voice-over; a note that says nothing else goes with it. */
export function without(draft: Draft, id: string): Draft {
  const voices = (draft.voices ?? []).filter(v => v.id !== id)
  const notes = draft.notes.flatMap(n => {
    if (n.voice !== id) return [n]
    const { voice: _, ...rest } = n
    return rest.text.trim() || rest.shapes?.length ? [rest] : []
  })
  return { ...draft, notes, voices }
}

/** The voice-overs of a review that is being written: kept on this device, taken into the draft, and uploaded whenever that is possible. */
export function createVoices({
  folder,
  session,
  draftStore,
  addresses,
  device = deviceStore(),
}: {
  folder: string
  session: string
  draftStore: Pick<DraftStore, '$draft' | '$saveState' | 'change'>
  /** Where what others recorded is heard, as the screen knows it. */
  addresses: () => readonly Spoken[]
  device?: Device
}) {
  const $where = atom<Readonly<Record<string, Where>>>({})
  /** Recordings that broke off, or never came into the draft. */
  const $found = atom<readonly Kept[]>([])
  const urls = new Map<string, string>()
  const busy = new Set<string>()
  let waiting: ReturnType<typeof setTimeout> | undefined
  let over = false

  const tell = (id: string, where: Where) => $where.set({ ...$where.get(), [id]: where })
  const inDraft = (id: string) => (draftStore.$draft.get().voices ?? []).some(v => v.id === id)

  /** Puts it into the object store; where that does not work now, it is tried again by itself. */
  async function send(kept: Kept) {
    const { id, bytes, type } = kept.voice
    if (busy.has(id) || over) return
    busy.add(id)
    // Tried again, it is said to go up once there is a line.
    if ($where.get()[id] !== 'here') tell(id, 'sending')
    try {
      const file = await device.sound(kept.voice)
      if (!file) throw new Error('not on this device')
      const about = { ...wanted(folder, session), body: { id, bytes, type } }
      const { url } = await withTimeout(PATIENCE, signal => call('POST /api/folders/{folder}/voices', about, { signal }))
      tell(id, 'sending')
      const limit = PATIENCE + (file.size / SLOWEST) * 1000
      const reply = await withTimeout(limit, signal => fetch(url, { method: 'PUT', body: file, headers: { 'content-type': type }, signal }))
      if (!reply.ok) throw new Error(`The store answers ${reply.status}.`)
      await device.put({ ...kept, state: 'sent' })
      tell(id, 'saved')
    } catch (error) {
      const final = error instanceof ApiError && [403, 404, 409, 422].includes(error.status)
      tell(id, final ? 'refused' : 'here')
      if (!final) later()
    } finally {
      busy.delete(id)
    }
  }
  function later() {
    clearTimeout(waiting)
    if (!over) waiting = setTimeout(sendAll, AGAIN)
  }
  async function sendAll() {
    for (const kept of await device.all(session)) if (kept.state === 'made' && inDraft(kept.voice.id)) await send(kept)
  }

  /** Takes a recording into the draft, and uploads it. @returns false where there is no sound in it */
  async function keep(kept: Kept, instead?: string): Promise<boolean> {
    const whole = kept.state === 'recording' ? await made(device, kept) : kept
    $found.set($found.get().filter(f => f.voice.id !== kept.voice.id))
    if (!whole) {
      await device.remove(session, kept.voice.id)
      return false
    }
    const before = whole.note && draftStore.$draft.get().notes.find(n => n.id === whole.note!.id)?.voice
    draftStore.change(draft => placed(draft, whole, instead))
    for (const id of [instead, before]) if (id) await device.remove(session, id)
    void send(whole)
    return true
  }

  async function drop(id: string) {
    $found.set($found.get().filter(f => f.voice.id !== id))
    if (inDraft(id)) draftStore.change(draft => without(draft, id))
    const url = urls.get(id)
    if (url) URL.revokeObjectURL(url)
    urls.delete(id)
    await device.remove(session, id)
  }

  /** Once the draft is here: what this device still has of it. */
  async function load() {
    const held = new Set((await navigator.locks?.query())?.held?.map(lock => lock.name))
    const found: Kept[] = []
    for (const kept of await device.all(session)) {
      const { id } = kept.voice
      // Another tab is recording it right now.
      if (held.has(`voice:${id}`)) continue
      if (inDraft(id)) tell(id, kept.state === 'sent' ? 'saved' : 'here')
      else if (kept.state === 'sent') await device.remove(session, id)
      else found.push(kept)
    }
    $found.set(found)
    await sendAll()
  }

  const online = () => void sendAll()
  return {
    $where: $where as ReadableAtom<Readonly<Record<string, Where>>>,
    $found: $found as ReadableAtom<readonly Kept[]>,
    ...{ device, load, keep, drop },

    /** Where a voice-over is heard: from this device, else from the store. @throws with what to do */
    async sound(voice: Voice): Promise<string> {
      const known = urls.get(voice.id)
      if (known) return known
      const here = await device.sound(voice)
      if (here) {
        const url = URL.createObjectURL(here)
        urls.set(voice.id, url)
        return url
      }
      const told = addresses().find(s => s.id === voice.id)
      if (told?.url) return told.url
      const fresh = await call('GET /api/folders/{folder}', wanted(folder, session))
      const its = fresh.session?.voices.find(s => s.id === voice.id)
      if (!its?.url)
        throw new Error('This voice-over is on the device where it was recorded. Open the review there once, and it goes online.')
      return its.url
    },

    /** It is over the whole review from now on, or for this note. */
    pin: (voice: Voice, note: Draft['notes'][number] | undefined) =>
      draftStore.change(draft => placed(withoutNote(draft, voice.id), { voice, note })),

    /** Uploads what is left. @returns what is not online, if anything */
    async settled(): Promise<Voice | undefined> {
      clearTimeout(waiting)
      await sendAll()
      const where = $where.get()
      return (draftStore.$draft.get().voices ?? []).find(v => where[v.id] === 'here' || where[v.id] === 'sending')
    },

    /** Delivered: nothing of it stays on this device. */
    async forget() {
      over = true
      clearTimeout(waiting)
      for (const kept of await device.all(session)) await device.remove(session, kept.voice.id)
    },

    /** Starts trying again when the line is back. Answers how to stop. */
    watch() {
      over = false
      addEventListener('online', online)
      return () => {
        over = true
        clearTimeout(waiting)
        removeEventListener('online', online)
        for (const url of urls.values()) URL.revokeObjectURL(url)
        urls.clear()
      }
    },
  }
}
export type Voices = ReturnType<typeof createVoices>

/** Off its note, which stays if it says something else. */
const withoutNote = (draft: Draft, id: string): Draft => ({ ...without(draft, id), voices: draft.voices })
