import { rm } from 'node:fs/promises'
import type { Sql } from 'postgres'
import type { JobLeaseHandle } from '../jobs/lease-queue-worker.ts'
import type { Logger } from '../kernel/logger-interface.ts'
import { LimitExceededError, type PreparationLimits } from './check-running-preparation-against-limits.ts'
import { VideoProperties } from './contract.ts'
import { type MediaJob, mediaJobQueue } from './media-job-queue.ts'
import { convertedVoiceKey, filmstripKey, frameTableKey, parseVoiceKey, posterKey, renditionKey } from './object-keys.ts'
import type { ObjectStore } from './object-store.ts'
import { ObjectStoreUnavailableError } from './object-store-errors.ts'
import { MAX_KILLED_TRIES, MAX_PREPARATION_CRASHES, MAX_PREPARATION_OUTPUT_FILE_BYTES, MAX_TIMED_OUT_TRIES } from './policy.ts'
import { isLongPreparation } from './preparation-lane-choice.ts'
import { MediaRefusal, type RefusalCode } from './preparation-process/media-refusal.ts'
import {
  ORIGINAL_FILE_NAME,
  OUTPUT_FILES,
  OUTPUT_FILES_BY_JOB_KIND,
  type OutputFileKind,
  type PreparationMessage,
  type PreparedFiles,
  type SupervisedPreparationOrder,
  type UploadUrls,
} from './preparation-process/protocol.ts'
import { cpuBudgetOfAllTries } from './preparation-time-limits.ts'
import { createScratchDirectory } from './scratch-directories.ts'
import { PreparationCrashError, type SupervisedPreparation, supervisePreparation } from './supervise-preparation.ts'

/** A job that this worker has claimed. */
export interface ClaimedPreparation {
  /** The job's `video`: the id of a video, a voice-over or an assignment. */
  id: string
  work: MediaJob
  /** 0…1. */
  progress: number
  /** The value of `performance.now()` when it was claimed. */
  started: number
  /** Aborting this moves the job to the long lane, where it starts again. */
  moving: AbortController
  child?: SupervisedPreparation
}

export interface MediaJobHandlerOptions {
  sql: Sql
  objects: ObjectStore
  log: Logger
  /** How long a worker holds a job without renewing its lease, ms. After that, another worker may take over the job. */
  lease: number
  limits?: Partial<PreparationLimits> | undefined
  /** The script that opens the untrusted file; tests replace it. */
  entry?: string | undefined
  /** What jobs for review videos need; if absent, such jobs are refused. */
  reviewVideos?: ReviewVideoScriptAndSourceFiles | undefined
}

/** What a job needs to render the video of a review. The media module knows only files, not reviews. */
export interface ReviewVideoScriptAndSourceFiles {
  /** The script that runs in the sandbox, and the files and directories that it may read in addition to the modules. */
  entry: string
  readable: readonly string[]
  /**
   * The files that the review shows and plays, and the review itself.
   * @throws SourceFilesPendingError if some files are still being prepared; MediaRefusal if the review no longer exists
   */
  filesOf(work: MediaJob): Promise<Pick<SupervisedPreparationOrder, 'sources' | 'job'>>
}
/** Source files of a review video are still being prepared. */
export class SourceFilesPendingError extends Error {}

/** Pause before a job is retried because the object store did not respond. */
const STORE_AWAY_PAUSE_MS = 5000
/** Pause while source files are still being prepared. */
const SOURCES_PENDING_PAUSE_MS = 2000
const keys = { rendition: renditionKey, poster: posterKey, filmstrip: filmstripKey }
const keyOf = ({ key, folder, video }: MediaJob, file: OutputFileKind) => {
  if (file === 'review') return key
  return file === 'voice' ? convertedVoiceKey(parseVoiceKey(key)!.assignment, video) : keys[file](folder, video)
}

/** Returns a function that prepares one video, voice-over or review video in a separate process and stores the result. */
export function mediaJobHandler({ sql, objects, log, lease, limits, entry, reviewVideos }: MediaJobHandlerOptions) {
  const queue = mediaJobQueue(sql)

  async function orderOf(work: MediaJob, dir: string): Promise<SupervisedPreparationOrder> {
    const { kind, type, key, bytes, media } = work
    if (kind !== 'review') return { kind, type, dir, sources: [{ url: await objects.signFetch(key), file: ORIGINAL_FILE_NAME, bytes }] }
    if (!reviewVideos) throw new MediaRefusal('no-encoder')
    return { kind, type, dir, ...(await reviewVideos.filesOf(work)), promised: media ?? undefined }
  }

  return async function prepare(preparation: ClaimedPreparation, { lost }: JobLeaseHandle, ending: AbortSignal) {
    const { work, moving } = preparation
    const { folder, video } = work
    // Refuse a file that killed too many workers, or whose tries used too much CPU time in total.
    if (work.losses >= MAX_KILLED_TRIES) return refuse(work, 'crashed', work.error)
    if (work.cpuSeconds >= cpuBudgetOfAllTries(work.kind, work.media))
      return refuse(work, 'too-much', `work: ${Math.round(work.cpuSeconds)} CPU seconds over all tries. ${work.error ?? ''}`)
    const dir = await createScratchDirectory()
    let preparedFiles: PreparedFiles | undefined
    const sizeOf = (file: OutputFileKind) =>
      (preparedFiles as Partial<Record<OutputFileKind, { bytes: number }>> | undefined)?.[file]?.bytes ?? 0
    const uploadUrlOf = (file: OutputFileKind) => {
      const bytes = sizeOf(file)
      if (!Number.isInteger(bytes) || bytes < 1 || bytes > MAX_PREPARATION_OUTPUT_FILE_BYTES)
        throw new PreparationCrashError(`A ${file} of ${bytes} bytes`)
      return objects.signStore(keyOf(work, file), OUTPUT_FILES[file].type, bytes)
    }
    const handleMessage = async (message: PreparationMessage): Promise<UploadUrls | undefined> => {
      if (message.is === 'progress') preparation.progress = message.part
      if (message.is === 'probed') {
        // The API returns this with the folder, so it must match the contract.
        const media = VideoProperties.safeParse(message.media)
        if (!media.success) throw new MediaRefusal('damaged', media.error)
        await objects.put(frameTableKey(folder, video), 'application/json', Buffer.from(JSON.stringify(message.table)))
        await queue.recordProbe(work, media.data)
        if (!work.long && isLongPreparation({ ...work, media: media.data })) moving.abort()
      }
      if (message.is === 'made') {
        preparedFiles = message.made
        return Object.fromEntries(await Promise.all(OUTPUT_FILES_BY_JOB_KIND[work.kind].map(async file => [file, await uploadUrlOf(file)])))
      }
    }
    const stopping = AbortSignal.any([ending, moving.signal, lost])
    const kill = () => preparation.child?.kill()
    stopping.addEventListener('abort', kill)
    try {
      const order = await orderOf(work, dir)
      const script = work.kind === 'review' ? reviewVideos : { entry }
      preparation.child = supervisePreparation(order, handleMessage, { limits, long: work.long, ...script })
      if (stopping.aborted) kill()
      const outcome = await preparation.child.outcome
      if (lost.aborted) return
      if (outcome.is === 'unavailable') throw new ObjectStoreUnavailableError('the object store does not answer')
      if (outcome.is === 'refused') return await refuse(work, outcome.code, outcome.why)
      const [main] = OUTPUT_FILES_BY_JOB_KIND[work.kind]
      if ((await objects.head(keyOf(work, main)))?.bytes !== sizeOf(main)) throw new Error(`The ${main} was not stored completely`)
      if (await queue.finish(work, preparedFiles!)) log.info({ video, tries: work.tries }, 'a video was prepared')
    } catch (error) {
      if (!lost.aborted) await recordFailure(preparation, error, ending)
    } finally {
      stopping.removeEventListener('abort', kill)
      await rm(dir, { recursive: true, force: true })
      await removeFilesOfDeletedVideo(work)
    }
  }

  /** Records the outcome of an attempt that ended without a result. */
  async function recordFailure({ work, progress, moving, child }: ClaimedPreparation, error: unknown, ending: AbortSignal) {
    const { video, tries, losses } = work
    // The CPU time of this attempt counts toward the total of the file, whatever the outcome.
    await queue.renewLease(work, progress, lease, child?.cpuSeconds())
    if (ending.aborted) return queue.giveBack(work, null, 0)
    if (moving.signal.aborted) {
      log.info({ video }, 'a preparation takes longer than expected and moves to the long lane')
      return queue.moveToLongLane(work)
    }
    if (error instanceof MediaRefusal) return refuse(work, error.code, error.causeText)
    if (error instanceof SourceFilesPendingError) return queue.giveBack(work, null, SOURCES_PENDING_PAUSE_MS)
    if (error instanceof ObjectStoreUnavailableError) return queue.giveBack(work, `${error.message}`, STORE_AWAY_PAUSE_MS)
    const message = error instanceof Error ? error.message : `${error}`
    log.error({ err: error, video, tries, losses }, 'a preparation failed')
    await removePartialFiles(work)
    if (error instanceof LimitExceededError) return queue.recordFailure(work, message, 'too-much', error.clock ? MAX_TIMED_OUT_TRIES : 1)
    return error instanceof PreparationCrashError
      ? queue.recordFailure(work, message, 'crashed', MAX_PREPARATION_CRASHES)
      : queue.recordLoss(work, message)
  }

  async function refuse(work: MediaJob, code: RefusalCode, why?: string | null) {
    log.info({ video: work.video, code, why }, 'a video was refused')
    await removePartialFiles(work)
    await queue.refuse(work, code, why)
  }

  /**
   * Deletes the files of a failed attempt, unless it was a remake, whose files may be the existing rendition. Deletes them only while this
   * worker holds the lease, because otherwise they may be another worker's.
   */
  async function removePartialFiles(work: MediaJob) {
    if (!work.remaking && (await queue.renewLease(work, 0, lease))) await removeOutputFiles(work)
  }

  async function removeOutputFiles(work: MediaJob) {
    // Keep the poster that the browser has uploaded.
    const [hasBrowserStill] = await sql`select 1 from uploads where id = ${work.video} and poster`
    for (const file of OUTPUT_FILES_BY_JOB_KIND[work.kind])
      if (file !== 'poster' || !hasBrowserStill) await objects.remove(keyOf(work, file))
  }

  /**
   * Deletes the files that this worker has stored for a video that was removed, or refused by an administrator, in the meantime. In any
   * other case the files stay, because they may be another worker's.
   */
  async function removeFilesOfDeletedVideo(work: MediaJob) {
    const { folder, video, kind } = work
    const now = (await queue.of([video], kind)).get(video)
    // An administrator refused it while this worker held the lease, so no other worker cleans up.
    if (now?.code === 'by-administrator' && now.taken === work.taken) return removeOutputFiles(work)
    if (now) return
    for (const file of OUTPUT_FILES_BY_JOB_KIND[kind]) await objects.remove(keyOf(work, file))
    if (kind === 'rendition') await objects.remove(frameTableKey(folder, video))
  }
}
