import type { Video } from '../../modules/folders/contract.ts'
import { type FrameTable, type Timeline, timeline } from '../../modules/media/frames.ts'

/** A video as a player needs it. */
export type Clip = Pick<Video, 'id' | 'url' | 'media' | 'rendition'>

/** Where the pictures of a video come from, and when each is shown. */
export interface Source {
  /** For a <video>. */
  src: string
  /** All of it, where it is held. */
  blob?: Blob
  /** The rendition, whose frames every engine finds; otherwise the original, where the browser can play it. */
  prepared: boolean
  /** Null: nobody has counted the frames yet. */
  times: Timeline | null
  /** Seconds that the <video> is behind the frame table. */
  behind: number
  release(): void
}

/** A rendition larger than this is not held in memory, but read in parts from its signed address. */
const HELD_MOST = 150 * 1024 * 1024
/** Renditions of videos looked at lately, so that going back and forth between them fetches nothing. */
const held = new Map<string, Blob>()

/** The signed address has run out, or the store is out of reach. */
export class Unfetched extends Error {}

/** @throws Unfetched, or as `fetch` where it was given up */
export const reach = async (url: string, init: RequestInit) => {
  const reply = await fetch(url, init).catch((error: unknown) => {
    if (init.signal?.aborted) throw error
    throw new Unfetched('The store does not answer.', { cause: error })
  })
  if (!reply.ok) throw new Unfetched(`The store answers ${reply.status}.`)
  return reply
}

/** Whether the store gives the first byte of a file: then it is the browser that cannot take it. */
export const given = (url: string) =>
  // Not from the cache, where what a <video> or an <audio> asked for lies without leave for scripts.
  fetch(url, { headers: { range: 'bytes=0-0' }, cache: 'no-store' }).then(
    reply => reply.ok,
    () => false,
  )

async function tableAt(url: string, signal: AbortSignal): Promise<FrameTable> {
  return (await reach(url, { signal })).json()
}

/** The frame table of a clip; null where there is none. @throws Unfetched */
export async function timesOf({ rendition }: Clip, signal: AbortSignal): Promise<Timeline | null> {
  return rendition?.table ? timeline(await tableAt(rendition.table, signal)) : null
}

/** The rendition of a clip as a whole; null where there is none, or it is too large to be held. @throws Unfetched */
export const heldOf = async (clip: Clip, signal: AbortSignal): Promise<Blob | null> => {
  const { url, bytes, state } = clip.rendition ?? {}
  return state === 'ready' && url && (bytes ?? 0) <= HELD_MOST ? whole(clip, url, bytes ?? 0, () => {}, signal) : null
}

/** The whole rendition, fetched once. `loaded` hears how much is here, 0 to 1. */
async function whole(clip: Clip, url: string, bytes: number, loaded: (part: number) => void, signal: AbortSignal): Promise<Blob> {
  const kept = held.get(clip.id)
  if (kept) return kept
  // What is seen at once, the still, goes first on a slow line.
  const { body } = await reach(url, { signal, priority: 'low' })
  const parts: Uint8Array<ArrayBuffer>[] = []
  let here = 0
  const reader = body!.getReader()
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw new Unfetched('The line broke.', { cause: error })
    })
    if (done) break
    parts.push(value)
    here += value.length
    loaded(Math.min(1, here / bytes))
  }
  const blob = new Blob(parts, { type: 'video/mp4' })
  held.set(clip.id, blob)
  const all = () => [...held.values()].reduce((sum, { size }) => sum + size, 0)
  for (const id of held.keys()) if (id !== clip.id && all() > HELD_MOST) held.delete(id)
  return blob
}

const original = (clip: Clip, times: Timeline | null): Source => ({ src: clip.url, prepared: false, times, behind: 0, release: () => {} })

/**
 * The rendition as a whole, so that no address runs out while it is watched; where there is none (yet), the original as it is. At once
 * where nothing has to be fetched.
 * @throws Unfetched
 */
export function sourceOf(clip: Clip, loaded: (part: number) => void, signal: AbortSignal): Source | Promise<Source> {
  const { state, url, bytes, table } = clip.rendition ?? {}
  if (state === 'ready' && url && table) return prepared(clip, { url, bytes: bytes ?? 0, table }, loaded, signal)
  if (!table) return original(clip, null)
  // Without its table a video is still worth watching.
  return tableAt(table, signal).then(
    found => original(clip, timeline(found)),
    () => original(clip, null),
  )
}

async function prepared(
  clip: Clip,
  { url, bytes, table }: { url: string; bytes: number; table: string },
  loaded: (part: number) => void,
  signal: AbortSignal,
): Promise<Source> {
  const [found, blob] = await Promise.all([
    tableAt(table, signal),
    bytes <= HELD_MOST ? whole(clip, url, bytes, loaded, signal) : Promise.resolve(null),
  ])
  const src = blob ? URL.createObjectURL(blob) : url
  const times = timeline(found)
  return { src, ...(blob && { blob }), prepared: true, times, behind: times.start(0), release: () => blob && URL.revokeObjectURL(src) }
}

/** Frames of a video that nobody has counted: at the rate its container tells, or 30 a second. They only serve to move about. */
export function guessed(clip: Clip, seconds: number): Timeline {
  const [numerator, denominator] = clip.media?.rate ?? [30, 1]
  const count = Math.max(1, Math.round((seconds * numerator) / denominator))
  return timeline({ version: 1, scale: numerator, first: 0, runs: [[count, denominator]] })
}
