import type { Video } from '../../modules/folders/contract.ts'
import { type FrameTable, type FrameTimeline, frameTimeline } from '../../modules/media/frames.ts'

/** The fields of a video that a player needs. */
export type VideoPlayerClip = Pick<Video, 'id' | 'url' | 'media' | 'rendition'>

/** What a <video> plays, and when each of its frames is shown. */
export interface VideoElementSource {
  /** The URL for the <video>. */
  src: string
  /** The whole file, if it is held in memory. */
  blob?: Blob
  /**
   * True for the rendition, in which every browser finds the exact frame; false for the original, which the browser may be unable to play.
   */
  isRendition: boolean
  /** The frame table; null if there is none or it could not be fetched. */
  timeline: FrameTimeline | null
  /** Seconds to add to a time of the <video> to get the time in the frame table. */
  timestampOffset: number
  release(): void
}

/** The limit for all renditions in memory together. A rendition that alone is larger is streamed from its signed URL. */
const MAX_CACHED_BYTES = 150 * 1024 * 1024
/** Recently watched renditions by clip id, so that switching between clips downloads nothing again. */
const renditionCache = new Map<string, Blob>()

/** There is nothing to play: no rendition is ready, and this viewer may not watch the original. */
export class ClipNotPreparedError extends Error {}

/** The object store did not deliver a file, for example because the signed URL has expired or the connection was lost. */
export class MediaFetchError extends Error {}

/**
 * Fetches a media file.
 * @throws MediaFetchError if the store refuses or does not respond; an AbortError if `init.signal` was aborted
 */
export const fetchMedia = async (url: string, init: RequestInit) => {
  const reply = await fetch(url, init).catch((error: unknown) => {
    if (init.signal?.aborted) throw error
    throw new MediaFetchError('The store does not answer.', { cause: error })
  })
  if (!reply.ok) throw new MediaFetchError(`The store answers ${reply.status}.`)
  return reply
}

/** Whether the store delivers the first byte of a file. If it does but playback fails, this browser cannot play the file. */
export const isMediaUrlReachable = (url: string) =>
  // Bypasses the cache: a response that a <video> or <audio> cached without CORS is opaque to scripts.
  fetch(url, { headers: { range: 'bytes=0-0' }, cache: 'no-store' }).then(
    reply => reply.ok,
    () => false,
  )

/** Ids of the clips whose rendition's frame table this page has fetched. */
const clipsWithRenditionTable = new Set<string>()

/**
 * Fetches the frame table at `url`. While preparing a video, the server replaces the uploading browser's table with one that it has made
 * itself, which may have fewer frames. For a while both have the same URL, so the first fetch for a finished rendition makes the browser
 * revalidate its cached copy. @throws MediaFetchError
 */
async function fetchFrameTable({ id, rendition }: VideoPlayerClip, url: string, signal: AbortSignal): Promise<FrameTable> {
  const isCacheOutdated = rendition?.state === 'ready' && !clipsWithRenditionTable.has(id)
  const table = await (await fetchMedia(url, { signal, ...(isCacheOutdated && { cache: 'no-cache' }) })).json()
  if (isCacheOutdated) clipsWithRenditionTable.add(id)
  return table
}

/**
 * The frame table of a clip, or null if there is none.
 * @throws MediaFetchError
 */
export async function fetchTimeline(clip: VideoPlayerClip, signal: AbortSignal): Promise<FrameTimeline | null> {
  const { table } = clip.rendition ?? {}
  return table ? frameTimeline(await fetchFrameTable(clip, table, signal)) : null
}

/**
 * The whole rendition of a clip, or null if there is none or it is too large for memory.
 * @throws MediaFetchError
 */
export const fetchRenditionBlob = async (clip: VideoPlayerClip, signal: AbortSignal): Promise<Blob | null> => {
  const { url, bytes, state } = clip.rendition ?? {}
  return state === 'ready' && url && (bytes ?? 0) <= MAX_CACHED_BYTES ? cachedRendition(clip, url, bytes ?? 0, () => {}, signal) : null
}

/** Returns the whole rendition from the cache, or downloads and caches it. `onProgress` gets the fraction that has arrived, 0 to 1. */
async function cachedRendition(
  clip: VideoPlayerClip,
  url: string,
  bytes: number,
  onProgress: (part: number) => void,
  signal: AbortSignal,
): Promise<Blob> {
  const cached = renditionCache.get(clip.id)
  if (cached) return cached
  // On a slow connection the poster should load first, because the viewer sees it immediately.
  const init = { signal, priority: 'low' } as const
  const { body } = await fetchMedia(url, init).catch(error => {
    // No response arrived. The browser may have cached the file for a <video>, without CORS, and scripts cannot read that copy.
    if (!(error instanceof MediaFetchError && error.cause)) throw error
    return fetchMedia(url, { ...init, cache: 'reload' })
  })
  const parts: Uint8Array<ArrayBuffer>[] = []
  let received = 0
  const reader = body!.getReader()
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw new MediaFetchError('The connection was lost.', { cause: error })
    })
    if (done) break
    parts.push(value)
    received += value.length
    onProgress(Math.min(1, received / bytes))
  }
  const blob = new Blob(parts, { type: 'video/mp4' })
  renditionCache.set(clip.id, blob)
  const cachedBytes = () => [...renditionCache.values()].reduce((sum, { size }) => sum + size, 0)
  for (const id of renditionCache.keys()) if (id !== clip.id && cachedBytes() > MAX_CACHED_BYTES) renditionCache.delete(id)
  return blob
}

const originalSource = (src: string, times: FrameTimeline | null): VideoElementSource => ({
  src,
  isRendition: false,
  timeline: times,
  timestampOffset: 0,
  release: () => {},
})

/**
 * Opens the rendition, held in memory if it fits, so that no URL expires while somebody watches. If there is no rendition (yet), opens the
 * original from its URL. Returns the source itself, not a promise, if nothing has to be fetched.
 * @throws MediaFetchError, ClipNotPreparedError
 */
export function openClipSource(
  clip: VideoPlayerClip,
  onProgress: (part: number) => void,
  signal: AbortSignal,
): VideoElementSource | Promise<VideoElementSource> {
  const { state, url, bytes, table } = clip.rendition ?? {}
  if (state === 'ready' && url && table) return renditionSource(clip, { url, bytes: bytes ?? 0, table }, onProgress, signal)
  const { url: original } = clip
  if (original === null) throw new ClipNotPreparedError(`${clip.id} is not prepared for watching`)
  if (!table) return originalSource(original, null)
  // Without its frame table, a video can still be watched.
  return fetchFrameTable(clip, table, signal).then(
    found => originalSource(original, frameTimeline(found)),
    () => originalSource(original, null),
  )
}

async function renditionSource(
  clip: VideoPlayerClip,
  { url, bytes, table }: { url: string; bytes: number; table: string },
  onProgress: (part: number) => void,
  signal: AbortSignal,
): Promise<VideoElementSource> {
  const [found, blob] = await Promise.all([
    fetchFrameTable(clip, table, signal),
    bytes <= MAX_CACHED_BYTES ? cachedRendition(clip, url, bytes, onProgress, signal) : Promise.resolve(null),
  ])
  const src = blob ? URL.createObjectURL(blob) : url
  const times = frameTimeline(found)
  return {
    src,
    ...(blob && { blob }),
    isRendition: true,
    timeline: times,
    timestampOffset: times.start(0),
    release: () => blob && URL.revokeObjectURL(src),
  }
}

/**
 * Guesses the frame times of a video whose frame table is missing or not loaded yet: from the constant frame rate in its container; if the
 * rate varies, by spreading its frames evenly over its length; if its frames were never counted, by assuming 30 per second. Only good
 * enough for navigation.
 */
export function guessTimeline({ media }: VideoPlayerClip, seconds: number): FrameTimeline {
  const [numerator, denominator] = media?.rate ?? (media ? [media.frames * 1000, media.milliseconds] : [30, 1])
  const count = Math.max(1, Math.round((seconds * numerator) / denominator))
  return frameTimeline({ version: 1, scale: numerator, first: 0, runs: [[count, denominator]] })
}
