import type { Upload } from '../../modules/folders/contract.ts'
import type { SeenInside } from '../../modules/media/contract.ts'
import { ApiError, call } from '../client/api.ts'
import type { Inspected } from './inspect.ts'
import { type Pace, pace, transfer } from './transfer.ts'
import { noteUpload } from './unfinished.ts'
import { backOff, insist, put, wireOf } from './wire.ts'

/** A file on its way to a folder, or to the place of a video (`replaces`) there. */
export interface Sending {
  id: string
  folder: string
  replaces?: string | undefined
  file: File
  type: Upload['type']
  print: string
  found: Promise<Inspected>
}
export type Going = { state: 'sending' | 'offline' | 'finishing'; sent?: number; pace?: Pace }
const still: Pace = { speed: 0, left: null }

/**
 * Begins an upload, or finds it again, sends what is missing of it and its still, and has it checked.
 * @param tell how it is getting on, a few times a second at most; also once it is stopped
 * @throws ApiError, Unsent, AbortError
 */
export async function sendVideo(its: Sending, tell: (going: Going) => void, signal: AbortSignal): Promise<void> {
  const { id, folder, replaces, file, type, print, found } = its
  const wait = async (attempt: number, stop: AbortSignal) => {
    tell({ state: 'offline', pace: still })
    await backOff(attempt, stop)
    tell({ state: 'sending' })
  }
  const ask = <T>(request: () => Promise<T>) => insist(request, wait, signal)
  const body = { id, folder, name: file.name, type, bytes: file.size, fingerprint: print, ...(replaces && { replaces }) }
  const upload = await ask(() => call('POST /api/uploads', { body }))
  noteUpload(id, { folder, name: file.name })

  const measure = pace(file.size)
  let told = 0
  await transfer(upload, file, wireOf(id, wait), {
    signal,
    progress: sent => {
      const now = performance.now()
      if (!signal.aborted && now - told < 200 && sent < file.size) return
      told = now
      tell({ state: 'sending', sent, pace: measure(sent, now) })
    },
  })

  tell({ state: 'finishing', sent: file.size, pace: still })
  const { probed, inside } = await found
  const { poster, brightness: _, ...measured } = probed
  const pictured = poster !== null && (await keepStill(poster))
  const complete = (more: { inside?: SeenInside }) =>
    ask(() => call('POST /api/uploads/{upload}/complete', { params: { upload: id }, body: { ...measured, poster: pictured, ...more } }))
  await complete(inside ? { inside } : {}).catch(error => {
    // A container odd enough that the server does not take our word for it: it looks itself.
    if (!inside || !(error instanceof ApiError && error.code === 'invalid')) throw error
    return complete({})
  })

  async function keepStill(still: Blob): Promise<boolean> {
    try {
      const { url } = await ask(() => call('POST /api/uploads/{upload}/poster', { params: { upload: id }, body: { bytes: still.size } }))
      await put(url, still, () => {}, signal)
      return true
    } catch (error) {
      // A still is not worth losing the video for.
      if (signal.aborted) throw error
      return false
    }
  }
}
