import { rm } from 'node:fs/promises'
import type { Sql } from 'postgres'
import type { Lease } from '../jobs/lease-queue.ts'
import type { Logger } from '../kernel/logger.ts'
import {
  type ChildMessage,
  ORIGINAL_FILE_NAME,
  OUTPUT_FILES,
  OUTPUT_FILES_BY_KIND,
  type OutputFile,
  type PreparationOrder,
  type PreparedFiles,
  type UploadUrls,
} from './child/protocol.ts'
import { Refusal, type RefusalCode } from './child/refusal.ts'
import { Media } from './contract.ts'
import { cpuBudgetOfAllTries } from './cpu-budget.ts'
import { isLongWork } from './expected-work.ts'
import { type MediaJob, mediaWork } from './media-work.ts'
import { convertedVoiceKey, filmstripKey, frameTableKey, parseVoiceKey, posterKey, renditionKey } from './object-keys.ts'
import type { ObjectStore } from './object-store.ts'
import { ObjectStoreUnavailable } from './object-store-errors.ts'
import { MAX_CRASHED_TRIES, MAX_KILLED_TRIES, MAX_OUTPUT_BYTES, MAX_TIMED_OUT_TRIES } from './policy.ts'
import { scratchDirectory } from './scratch-directories.ts'
import { PreparationCrash, type SupervisedProcess, supervise } from './supervise.ts'
import { LimitExceeded, type ReadLimits } from './work-meter.ts'

/** Work that this worker has claimed. */
export interface ClaimedPreparation {
  /** Of the video. */
  id: string
  work: MediaJob
  /** 0…1. */
  progress: number
  /** By performance.now(). */
  started: number
  /** Aborted to have it begin again in the lane of long work. */
  moving: AbortController
  child?: SupervisedProcess
}

export interface UploadPreparerOptions {
  sql: Sql
  objects: ObjectStore
  log: Logger
  /** How long after a worker's death another takes over, ms. */
  lease: number
  limits?: Partial<ReadLimits> | undefined
  /** The script that opens a stranger's file, where a test has one of its own. */
  entry?: string | undefined
  /** Makes the videos of reviews; without it they are refused. */
  reviewVideos?: ReviewVideoMaker | undefined
}

/** How the video of a review is made, of which the media module knows nothing but its files. */
export interface ReviewVideoMaker {
  /** The script that makes it, in the sandbox, and what it reads of the program. */
  entry: string
  readable: readonly string[]
  /**
   * The files that the review shows and plays, and the review itself.
   * @throws SourcesPending where some of them are still being prepared; Refusal where there is no such review anymore
   */
  filesOf(work: MediaJob): Promise<Pick<PreparationOrder, 'sources' | 'job'>>
}
/** Files that something is made of are still being prepared. */
export class SourcesPending extends Error {}

/** Pause after the object store did not answer. */
const STORE_AWAY_PAUSE_MS = 5000
/** Pause where files are still being prepared. */
const SOURCES_PENDING_PAUSE_MS = 2000
const keys = { rendition: renditionKey, poster: posterKey, filmstrip: filmstripKey }
/** Where a file that is made of this goes. */
const keyOf = ({ key, folder, video }: MediaJob, file: OutputFile) => {
  if (file === 'review') return key
  return file === 'voice' ? convertedVoiceKey(parseVoiceKey(key)!.assignment, video) : keys[file](folder, video)
}

/** Prepares one video or voice-over in a separate process and stores the result. */
export function uploadPreparer({ sql, objects, log, lease, limits, entry, reviewVideos }: UploadPreparerOptions) {
  const queue = mediaWork(sql)

  async function orderOf(work: MediaJob, dir: string): Promise<PreparationOrder> {
    const { kind, type, key, bytes, media } = work
    if (kind !== 'review') return { kind, type, dir, sources: [{ url: await objects.signFetch(key), file: ORIGINAL_FILE_NAME, bytes }] }
    if (!reviewVideos) throw new Refusal('no-encoder')
    return { kind, type, dir, ...(await reviewVideos.filesOf(work)), promised: media ?? undefined }
  }

  return async function prepare(preparation: ClaimedPreparation, { lost }: Lease, ending: AbortSignal) {
    const { work, moving } = preparation
    const { folder, video } = work
    // Refused where its workers have died of it so often, or its tries together have cost so much.
    if (work.losses >= MAX_KILLED_TRIES) return refuse(work, 'crashed', work.error)
    if (work.cpuSeconds >= cpuBudgetOfAllTries(work.kind, work.media))
      return refuse(work, 'too-much', `work: ${Math.round(work.cpuSeconds)} seconds of a core over all tries. ${work.error ?? ''}`)
    const dir = await scratchDirectory()
    let made: PreparedFiles | undefined
    const sizeOf = (file: OutputFile) => (made as Partial<Record<OutputFile, { bytes: number }>> | undefined)?.[file]?.bytes ?? 0
    const place = (file: OutputFile) => {
      const bytes = sizeOf(file)
      if (!Number.isInteger(bytes) || bytes < 1 || bytes > MAX_OUTPUT_BYTES) throw new PreparationCrash(`A ${file} of ${bytes} bytes`)
      return objects.signStore(keyOf(work, file), OUTPUT_FILES[file].type, bytes)
    }
    const onWord = async (word: ChildMessage): Promise<UploadUrls | undefined> => {
      if (word.is === 'progress') preparation.progress = word.part
      if (word.is === 'looked') {
        // Every look at its folder answers with it.
        const media = Media.safeParse(word.media)
        if (!media.success) throw new Refusal('damaged', media.error)
        await objects.put(frameTableKey(folder, video), 'application/json', Buffer.from(JSON.stringify(word.table)))
        await queue.looked(work, media.data)
        if (!work.long && isLongWork({ ...work, media: media.data })) moving.abort()
      }
      if (word.is === 'made') {
        made = word.made
        return Object.fromEntries(await Promise.all(OUTPUT_FILES_BY_KIND[work.kind].map(async file => [file, await place(file)])))
      }
    }
    const stopping = AbortSignal.any([ending, moving.signal, lost])
    const kill = () => preparation.child?.kill()
    stopping.addEventListener('abort', kill)
    try {
      const order = await orderOf(work, dir)
      const script = work.kind === 'review' ? reviewVideos : { entry }
      preparation.child = supervise(order, onWord, { limits, long: work.long, ...script })
      if (stopping.aborted) kill()
      const outcome = await preparation.child.outcome
      if (lost.aborted) return
      if (outcome.is === 'away') throw new ObjectStoreUnavailable('the object store does not answer')
      if (outcome.is === 'refused') return await refuse(work, outcome.code, outcome.why)
      const [main] = OUTPUT_FILES_BY_KIND[work.kind]
      if ((await objects.head(keyOf(work, main)))?.bytes !== sizeOf(main)) throw new Error(`The ${main} did not arrive whole`)
      if (await queue.ready(work, made!)) log.info({ video, tries: work.tries }, 'a video is prepared')
    } catch (error) {
      if (!lost.aborted) await writeDown(preparation, error, ending)
    } finally {
      stopping.removeEventListener('abort', kill)
      await rm(dir, { recursive: true, force: true })
      await forgetGone(work)
    }
  }

  /** Records the outcome of a preparation that made nothing. */
  async function writeDown({ work, progress, moving, child }: ClaimedPreparation, error: unknown, ending: AbortSignal) {
    const { video, tries, losses } = work
    // The CPU time of this attempt counts, however it ended.
    await queue.beat(work, progress, lease, child?.cpuSeconds())
    if (ending.aborted) return queue.giveBack(work, null, 0)
    if (moving.signal.aborted) {
      log.info({ video }, 'a preparation takes longer than expected and moves to the lane of long work')
      return queue.moveToLongLane(work)
    }
    if (error instanceof Refusal) return refuse(work, error.code, `${error.cause}`)
    if (error instanceof SourcesPending) return queue.giveBack(work, null, SOURCES_PENDING_PAUSE_MS)
    if (error instanceof ObjectStoreUnavailable) return queue.giveBack(work, `${error.message}`, STORE_AWAY_PAUSE_MS)
    const about = error instanceof Error ? error.message : `${error}`
    log.error({ err: error, video, tries, losses }, 'a preparation failed')
    await clear(work)
    if (error instanceof LimitExceeded) return queue.failed(work, about, 'too-much', error.clock ? MAX_TIMED_OUT_TRIES : 1)
    return error instanceof PreparationCrash ? queue.failed(work, about, 'crashed', MAX_CRASHED_TRIES) : queue.lost(work, about)
  }

  async function refuse(work: MediaJob, code: RefusalCode, why?: string | null) {
    log.info({ video: work.video, code, why }, 'a video is refused')
    await clear(work)
    await queue.refuse(work, code, why)
  }

  /** Of what failed nothing half made stays, unless it is the rendition from before. Only while it is ours: what lies there otherwise is another worker's. */
  async function clear(work: MediaJob) {
    if (!work.remaking && (await queue.beat(work, 0, lease))) await removeMade(work)
  }

  async function removeMade(work: MediaJob) {
    // The still from the browser stays.
    const [pictured] = await sql`select 1 from uploads where id = ${work.video} and poster`
    for (const file of OUTPUT_FILES_BY_KIND[work.kind]) if (file !== 'poster' || !pictured) await objects.remove(keyOf(work, file))
  }

  /** What was stored for a video that left meanwhile goes; where another worker has it, it is theirs. */
  async function forgetGone(work: MediaJob) {
    const { folder, video, kind } = work
    const now = (await queue.of([video], kind)).get(video)
    // An administrator refused it while we held it, so nobody else cleans up.
    if (now?.code === 'by-administrator' && now.taken === work.taken) return removeMade(work)
    if (now) return
    for (const file of OUTPUT_FILES_BY_KIND[kind]) await objects.remove(keyOf(work, file))
    if (kind === 'rendition') await objects.remove(frameTableKey(folder, video))
  }
}
