import type { BrowserMediaFindings } from '../../modules/media/contract.ts'
import type { NewModelClip } from '../../modules/model-clips/contract.ts'
import type { UploadInProgress } from '../../modules/uploads/contract.ts'
import { ApiError, callApi } from '../client/api.ts'
import type { FileInspection } from './inspect-file.ts'
import { transferParts } from './transfer-parts.ts'
import { rememberUpload } from './unfinished-uploads.ts'
import { createUploadSpeedMeter, IDLE_UPLOAD_SPEED, type UploadSpeedEstimate } from './upload-speed.ts'
import { createUploadTransport, putWithProgress, retryUntilAnswered, waitToRetry } from './upload-transport.ts'

/**
 * A file to upload into a folder, replacing the video `replaces` if given, or into a library of model clips. `id` becomes the id of the new
 * video.
 */
export interface VideoToUpload {
  id: string
  folder: string
  replaces?: string | undefined
  /** What the instructor says about a model clip; undefined for a player's video. */
  modelClip?: NewModelClip | undefined
  file: File
  type: UploadInProgress['type']
  fingerprint: string
  /** Whether this page made the file by trimming or compressing another one. */
  isCopy?: boolean
  inspection: Promise<FileInspection>
}
/** `offline`: waiting to retry after a lost connection or a server error. `finishing`: all bytes have been sent. `sent` is in bytes. */
export type UploadProgress = { state: 'sending' | 'offline' | 'finishing'; sent?: number; speed?: UploadSpeedEstimate }

const REPORT_INTERVAL_MS = 200

/**
 * Begins or resumes an upload: sends the missing parts and the poster, then has the server check them and add the video.
 * @param report called on each change of state and, at most five times a second, with the bytes sent. It is still called after `signal` has
 * aborted, for parts that were in flight; the last call has the bytes that arrived
 * @throws ApiError, TransferError, UnreadableFileError, AbortError
 */
export async function uploadVideo(video: VideoToUpload, report: (progress: UploadProgress) => void, signal: AbortSignal): Promise<void> {
  const { id, folder, replaces, modelClip, file, type, fingerprint, isCopy, inspection } = video
  const waitOffline = async (attempt: number, stop: AbortSignal) => {
    report({ state: 'offline', speed: IDLE_UPLOAD_SPEED })
    await waitToRetry(attempt, stop)
    report({ state: 'sending' })
  }
  const ask = <T>(request: () => Promise<T>) => retryUntilAnswered(request, waitOffline, signal)
  const body = { id, folder, name: file.name, type, bytes: file.size, fingerprint, ...(replaces && { replaces }) }
  const upload = await ask(() => callApi('POST /api/uploads', { body }))
  rememberUpload(id, { folder, name: file.name, ...(replaces && { replaces }), ...(isCopy && { isCopy }) })

  const measure = createUploadSpeedMeter(file.size)
  let reportedAt = 0
  await transferParts(upload, file, createUploadTransport(id, waitOffline), {
    signal,
    progress: sent => {
      const now = performance.now()
      if (!signal.aborted && now - reportedAt < REPORT_INTERVAL_MS && sent < file.size) return
      reportedAt = now
      report({ state: 'sending', sent, speed: measure(sent, now) })
    },
  })

  report({ state: 'finishing', sent: file.size, speed: IDLE_UPLOAD_SPEED })
  const { playback, inside } = await inspection
  const { poster, brightness: _, ...measured } = playback
  const hasPoster = poster !== null && (await sendPoster(poster))
  const complete = (more: { inside?: BrowserMediaFindings }) =>
    ask(() =>
      callApi('POST /api/uploads/{upload}/complete', {
        params: { upload: id },
        body: { ...measured, poster: hasPoster, ...(modelClip && { modelClip }), ...more },
      }),
    )
  await complete(inside ? { inside } : {}).catch(error => {
    // The server rejected the container metadata that we read: without it, the server reads the container itself.
    if (!inside || !(error instanceof ApiError && error.code === 'invalid')) throw error
    return complete({})
  })

  /** Sends the poster. Resolves to false if that fails, because the video is uploaded even without it. @throws only after an abort */
  async function sendPoster(poster: Blob): Promise<boolean> {
    try {
      const { url } = await ask(() =>
        callApi('POST /api/uploads/{upload}/poster', { params: { upload: id }, body: { bytes: poster.size } }),
      )
      await putWithProgress(url, poster, () => {}, signal)
      return true
    } catch (error) {
      if (signal.aborted) throw error
      return false
    }
  }
}
