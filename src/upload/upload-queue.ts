import { atom } from 'nanostores'
import { v7 } from 'uuid'
import type { NewModelClip } from '../../modules/model-clips/contract.ts'
import type { UploadInProgress } from '../../modules/uploads/contract.ts'
import { ApiError, callApi } from '../client/api.ts'
import { errorMessage } from '../client/use-command.ts'
import { checkFile } from './check-file-size-and-type.ts'
import { containerRefusalMessage } from './container-refusal-messages.ts'
import { discardUpload } from './discard-upload.ts'
import { computeFileFingerprint } from './file-fingerprint.ts'
import { formatVideoProperties } from './format-video-properties.ts'
import { type FileInspection, inspectFile } from './inspect-file.ts'
import { CAMERA_SHAKE_ADVICE, isLargeOrHardToPlay, isLongVideo, mediaAdvice } from './media-advice.ts'
import { readContainerInWorker } from './read-container-in-worker.ts'
import { TransferError, UnreadableFileError } from './transfer-parts.ts'
import { forgetUpload, rememberedUploadsOfFolder } from './unfinished-uploads.ts'
import { type UploadItem, updateUploadsUnderWayCount } from './upload-item.ts'
import { IDLE_UPLOAD_SPEED } from './upload-speed.ts'
import { retryUntilAnswered, waitToRetry } from './upload-transport.ts'
import { uploadVideo, type VideoToUpload } from './upload-video.ts'

const LOST_COPY_TEXT = 'This edited copy was lost when its page was closed. Cancel it here, then choose the original video again.'

interface UploadJob extends VideoToUpload {
  /** Aborts sending the file, or making a smaller copy of it. */
  stop?: AbortController
  /** Resolves when `send` has ended; even after an abort, `send` may still be waiting for a response from the server. */
  sending?: Promise<void>
}

/**
 * Creates the upload queue of a folder, or of a library of model clips, on this page; it sends one file at a time.
 * @param onAdded called when a video has been added
 * @param replaces the id of the video that the new one replaces
 */
export function createUploadQueue(folder: string, onAdded: () => void, replaces?: string) {
  const $items = atom<UploadItem[]>([])
  // A replacement is not counted, because its upload may continue while the folder is with the instructor.
  if (!replaces) $items.listen(items => updateUploadsUnderWayCount(folder, items))
  const jobs = new Map<string, UploadJob>()
  const fingerprints = new Map<string, string>()
  /** Resolves when the uploads from earlier visits have been listed, or listing them has failed. */
  let listing: Promise<void> | undefined
  let sendingChain: Promise<unknown> = Promise.resolve()
  /** How many uploads on this page have become videos. */
  let addedVideos = 0

  const get = (id: string) => $items.get().find(i => i.id === id)
  const set = (id: string, change: Partial<UploadItem>) => $items.set($items.get().map(i => (i.id === id ? { ...i, ...change } : i)))
  function release(id: string) {
    const poster = get(id)?.poster
    if (poster) URL.revokeObjectURL(poster)
    jobs.delete(id)
    forgetUpload(id)
  }
  function removeItem(id: string) {
    release(id)
    $items.set($items.get().filter(i => i.id !== id))
  }

  async function send(id: string) {
    const job = jobs.get(id)
    if (!job || get(id)?.state !== 'waiting') return
    const stop = new AbortController()
    job.stop = stop
    set(id, { state: 'sending', message: undefined })
    try {
      await uploadVideo(
        job,
        ({ state, ...progress }) => {
          if (!stop.signal.aborted) set(id, { state, ...progress })
          // The last report of a paused upload has the bytes that really arrived; earlier ones may include a part that was aborted.
          else if (get(id)?.state === 'paused' && progress.sent !== undefined) set(id, { sent: progress.sent })
        },
        stop.signal,
      )
      removeItem(id)
      addedVideos++
      onAdded()
    } catch (error) {
      if (stop.signal.aborted) return
      if (error instanceof UnreadableFileError) {
        // What has arrived is kept: if the player chooses the same file again, only the rest is sent.
        fingerprints.set(id, job.fingerprint)
        jobs.delete(id)
        set(id, { state: 'unfinished', message: error.message, speed: IDLE_UPLOAD_SPEED })
        return
      }
      // 401: signed out. 409: a part is missing, or the folder is full or assigned. 429: too many requests. A retry may help with these.
      const isFinal = error instanceof ApiError && (![401, 409, 429].includes(error.status) || error.code === 'upload-gone')
      const message =
        error instanceof TransferError ? `${error.message} Try again in a moment. What you uploaded so far is saved.` : errorMessage(error)
      set(id, { state: isFinal ? 'refused' : 'failed', message, speed: IDLE_UPLOAD_SPEED })
    }
  }

  /** Inspects the file while it is queued or already being sent, and shows the result in its row. */
  async function showInspection(
    id: string,
    file: File,
    type: string,
    container = readContainerInWorker(file, type),
  ): Promise<FileInspection> {
    const inspection = await inspectFile(file, type, container)
    const { playback, media } = inspection
    const poster = playback.poster && get(id) ? URL.createObjectURL(playback.poster) : undefined
    set(id, {
      advice: mediaAdvice(media, inspection),
      trimmable: media !== null,
      ...(media && { media: formatVideoProperties(media) }),
      ...(poster && { poster }),
    })
    if (media && isLargeOrHardToPlay(media, file.size)) void offerSmallerCopy(id, file, type)
    if (inspection.plays) void adviseOnMotion(id, file)
    return inspection
  }

  /** Samples frames from the video's first second, without delaying the upload, and adds advice if the camera was shaky. */
  async function adviseOnMotion(id: string, file: File) {
    const { isCameraShaking } = await import('./detect-camera-shake.ts')
    if (await isCameraShaking(file).catch(() => false)) set(id, { advice: [...(get(id)?.advice ?? []), CAMERA_SHAKE_ADVICE] })
  }

  /** Offers a smaller copy if this browser can make one. */
  async function offerSmallerCopy(id: string, file: File, type: string) {
    const { canCompressVideo } = await import('./trim-and-compress.ts')
    const able = await canCompressVideo(file, type).catch(() => false)
    if (able && jobs.get(id)?.file === file) set(id, { compressible: true })
  }

  /** Files are sent one at a time, so that each gets the full bandwidth. */
  function enqueue(id: string) {
    if (!jobs.has(id)) return
    set(id, { state: 'waiting', message: undefined })
    sendingChain = sendingChain.then(() => {
      const sending = send(id)
      const job = jobs.get(id)
      if (job) job.sending = sending
      return sending
    })
  }

  function pause(id: string) {
    jobs.get(id)?.stop?.abort()
    set(id, { state: 'paused', speed: IDLE_UPLOAD_SPEED })
  }

  /** Uploads an edited copy in place of a file whose upload is not complete, and deletes the parts that were already sent. */
  async function replaceFile(before: string, file: File, type: UploadInProgress['type'], edited: string) {
    const id = v7()
    const { stop, sending, modelClip } = jobs.get(before) ?? {}
    const item: UploadItem = { id, name: file.name, bytes: file.size, sent: 0, state: 'checking', speed: IDLE_UPLOAD_SPEED, edited }
    release(before)
    $items.set($items.get().map(i => (i.id === before ? item : i)))
    const print = await computeFileFingerprint(file).catch(() => '')
    // An upload from an earlier visit has parts in the store even if this page has not sent any yet.
    if (stop || fingerprints.has(before)) {
      await sending
      await discardUpload(before)
    }
    jobs.set(id, {
      id,
      folder,
      replaces,
      modelClip,
      file,
      fingerprint: print,
      type,
      isCopy: true,
      inspection: showInspection(id, file, type),
    })
    enqueue(id)
  }

  async function listEarlierUploads() {
    // Read before the request: an upload that starts during it may be missing from the server's list, but must not be forgotten.
    const remembered = new Map(rememberedUploadsOfFolder(folder))
    const request = () => callApi('GET /api/uploads', { query: { folder } })
    const { uploads } = await retryUntilAnswered(request, waitToRetry, new AbortController().signal)
    // An upload that is not listed became a video, was refused or canceled, or expired while no page on this device was watching.
    for (const id of remembered.keys()) if (!uploads.some(u => u.id === id)) forgetUpload(id)
    const fresh = uploads.filter(u => !get(u.id) && u.replaces === (replaces ?? null))
    for (const u of fresh) fingerprints.set(u.id, u.fingerprint)
    const items = fresh.map(
      (u): UploadItem => ({
        id: u.id,
        name: u.name,
        bytes: u.bytes,
        sent: u.arrived.reduce((sum, part) => sum + part.bytes, 0),
        state: 'unfinished',
        ...(remembered.get(u.id)?.isCopy && { message: LOST_COPY_TEXT }),
        speed: IDLE_UPLOAD_SPEED,
      }),
    )
    $items.set([...items, ...$items.get()])
  }

  return {
    $items,

    /** Lists the uploads started on an earlier visit, once the server can be reached. @throws ApiError, TransferError */
    load() {
      const loading = listEarlierUploads()
      listing = loading.catch(() => {})
      return loading
    },

    /**
     * Adds files, and resumes the upload of a file that was started on an earlier visit. `videos`: how many videos this session already
     * has. `modelClip`: the details of the clip if the file is for a library; the server limits the number of clips in a library.
     */
    async add(files: Iterable<File>, videos: number, modelClip?: NewModelClip) {
      const addedBefore = addedVideos
      for (const file of files) {
        const print = await computeFileFingerprint(file).catch(() => '')
        const findEarlierUpload = () => $items.get().find(i => i.state === 'unfinished' && fingerprints.get(i.id) === print)
        let before = findEarlierUpload()
        let id = before?.id ?? v7()
        if (!before)
          $items.set([...$items.get(), { id, name: file.name, bytes: file.size, sent: 0, state: 'checking', speed: IDLE_UPLOAD_SPEED }])
        const otherUploads = $items.get().filter(i => i.state !== 'refused' && i.id !== id).length
        // An upload that completed while the previous files were being read is no longer in the list, but its video counts.
        const videosSoFar = videos + addedVideos - addedBefore + otherUploads
        const checked = await checkFile(file, modelClip ? 0 : videosSoFar)
        if ('refused' in checked) {
          set(id, { state: 'refused', message: checked.refused })
          continue
        }
        if (!before) {
          // Whether this file resumes an earlier upload is known only once the earlier uploads have been listed.
          await listing
          if (!get(id)) continue
          before = findEarlierUpload()
          if (before) {
            removeItem(id)
            id = before.id
          }
        }
        const { type } = checked
        const container = readContainerInWorker(file, type)
        const inspection = showInspection(id, file, type, container)
        jobs.set(id, { id, folder, replaces, modelClip, file, fingerprint: print, type, inspection })
        if (before) {
          enqueue(id)
          continue
        }
        const { inside, refused } = await container
        const refusal = containerRefusalMessage(refused)
        if (refusal) {
          jobs.delete(id)
          set(id, { state: 'refused', message: refusal })
        } else if (inside && isLongVideo(inside.media)) set(id, { state: 'asking' })
        else enqueue(id)
      }
    },

    pause,
    resume: enqueue,
    exchange: replaceFile,

    /** An item's file with its inspection; for an unfinished upload, undefined until the player has chosen the file again. */
    sourceOf: (id: string): Pick<UploadJob, 'file' | 'type' | 'inspection'> | undefined => jobs.get(id),

    /** Makes a smaller copy and sends it. If that fails or is stopped, the upload of the original is paused. */
    async compress(id: string) {
      const job = jobs.get(id)
      if (!job) return
      job.stop?.abort()
      const stop = new AbortController()
      job.stop = stop
      set(id, { state: 'compressing', compressedShare: 0, speed: IDLE_UPLOAD_SPEED })
      try {
        const { compressVideo } = await import('./trim-and-compress.ts')
        const copy = await compressVideo(job.file, job.type, compressedShare => set(id, { compressedShare }), stop.signal)
        await replaceFile(id, copy, 'video/mp4', 'A smaller copy, with every frame of the original.')
      } catch {
        if (!get(id)) return
        const message = stop.signal.aborted
          ? undefined
          : 'This browser could not make a smaller copy with every frame. You can upload the original.'
        set(id, { state: 'paused', compressible: stop.signal.aborted, message })
      }
    },
    stopCompressing: (id: string) => jobs.get(id)?.stop?.abort(),

    /** Removes the item and deletes its uploaded parts. If it has become a video meanwhile, the page shows that video. */
    async cancel(id: string) {
      const { stop, sending } = jobs.get(id) ?? {}
      stop?.abort()
      removeItem(id)
      // The request that starts the upload may be in flight; wait for it, so that the server has an upload to discard.
      await sending
      if (await discardUpload(id)) onAdded()
    },
  }
}
export type UploadQueue = ReturnType<typeof createUploadQueue>
