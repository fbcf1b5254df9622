import type postgres from 'postgres'
import type { Logger } from '../kernel/logger-interface.ts'
import { DATA_EXPORT_DAYS } from '../privacy/policy.ts'
import type { StoredUpload, VideoUploads } from './multipart-video-uploads.ts'
import {
  DATA_EXPORT_PREFIX,
  DOCTOR_PREFIX,
  INCOMING_PREFIX,
  parseVideoKey,
  parseVoiceKey,
  REVIEW_VIDEO_PREFIX,
  videoKeyPrefixes,
  voiceKeyPrefixes,
} from './object-keys.ts'
import type { MultipartUploadReference, ObjectStore } from './object-store.ts'
import { REVIEW_VIDEO_DAYS, UNFINISHED_UPLOAD_HOURS } from './policy.ts'

const HOUR_MS = 3600_000
const KEYS_PER_QUERY = 500
/** If there are more orphans than this, and more than a tenth of the examined objects, the database is probably the wrong one. */
const MAX_PLAUSIBLE_ORPHANS = 50

export interface SweepResult {
  /** How many uploads were discarded, multipart uploads aborted, and orphaned objects of videos and voice-overs deleted. */
  uploads: number
  multiparts: number
  objects: number
}
interface Sweeping {
  sql: postgres.Sql
  objects: ObjectStore
  uploads: VideoUploads
  clock: () => Date
  log: Logger
  /**
   * Whether, according to the log, this video is in this folder, or is a model clip that is still needed (`folder` is then its instructor).
   */
  inFolder(folder: string, video: string): Promise<boolean>
  /**
   * Whether this voice-over belongs to an open assignment or, if it is a `delivered` copy, to a delivered review. True if the assignment is
   * unknown.
   */
  inReview(assignment: string, voice: string, delivered: boolean): Promise<boolean>
}

/**
 * Deletes unfinished uploads, expired review videos and data exports, and objects to which no event refers. Many processes may run it at
 * the same time.
 */
export function storageSweeper({ sql, objects, uploads, clock, log, inFolder, inReview }: Sweeping) {
  async function discardUnfinished(before: Date, signal?: AbortSignal): Promise<number> {
    const rows = await sql<Pick<StoredUpload, 'id' | 'folder' | 'status'>[]>`
      select id, folder, status from uploads where status <> 'done' and touched < ${before} order by touched limit 1000`
    let swept = 0
    for (const { id, folder, status } of rows) {
      signal?.throwIfAborted()
      if (status === 'checked' && (await inFolder(folder, id))) {
        await sql`update uploads set status = 'done' where id = ${id} and status = 'checked'`
      } else if (await uploads.discard(id, [status], before)) swept++
    }
    return swept
  }

  async function abortOrphanedMultiparts(before: Date, signal?: AbortSignal): Promise<number> {
    const old: MultipartUploadReference[] = []
    for await (const { at, ...upload } of objects.multiparts()) {
      signal?.throwIfAborted()
      if (at < before && [INCOMING_PREFIX, DATA_EXPORT_PREFIX, 'videos/'].some(prefix => upload.key.startsWith(prefix))) old.push(upload)
    }
    const known = await sql<{ multipart: string }[]>`
      select multipart from uploads where status = 'uploading' and multipart = any(${old.map(u => u.uploadId)})`
    const knownUploadIds = new Set(known.map(row => row.multipart))
    const orphans = old.filter(u => !knownUploadIds.has(u.uploadId))
    for (const orphan of orphans) {
      signal?.throwIfAborted()
      await objects.abort(orphan)
    }
    return orphans.length
  }

  /** Deletes expired review videos. They are made again on request. */
  async function deleteExpiredReviewVideos(now: Date) {
    const before = new Date(now.getTime() - REVIEW_VIDEO_DAYS * 24 * HOUR_MS)
    const rows = await sql<{ key: string }[]>`
      delete from media_work where kind = 'review' and state in ('ready', 'refused') and ended < ${before} returning key`
    for (const { key } of rows) await objects.remove(key)
  }

  async function deleteOrphans(before: Date, signal?: AbortSignal): Promise<number> {
    const unusedKeys: string[] = []
    let examinedCount = 0
    let batch: string[] = []
    const examineBatch = async () => {
      const ids = batch.map(key => parseVideoKey(key)!.video)
      const known = new Set((await sql<{ id: string }[]>`select id from uploads where id = any(${ids}::uuid[])`).map(row => row.id))
      for (const key of batch) {
        const { folder, video } = parseVideoKey(key)!
        if (!known.has(video) && !(await inFolder(folder, video))) unusedKeys.push(key)
      }
      examinedCount += batch.length
      batch = []
    }
    // Old objects under `incoming/` are no longer needed: checked files were copied from there, and a still that arrives after its video
    // was completed is not used. Expired exports are deleted here, too, because the errand that deletes an export may be lost in a restore,
    // and the outbox gives it up if the store is down for a long time.
    const expiredExportsBefore = new Date(before.getTime() - DATA_EXPORT_DAYS * 24 * HOUR_MS)
    for (const [prefix, until] of [
      [INCOMING_PREFIX, before],
      [DOCTOR_PREFIX, before],
      [DATA_EXPORT_PREFIX, expiredExportsBefore],
    ] as const) {
      for await (const { key, at } of objects.list(prefix)) {
        signal?.throwIfAborted()
        if (at < until) await objects.remove(key)
      }
    }
    for (const prefix of videoKeyPrefixes) {
      for await (const { key, at } of objects.list(prefix)) {
        signal?.throwIfAborted()
        if (at >= before || !parseVideoKey(key)) continue
        batch.push(key)
        if (batch.length === KEYS_PER_QUERY) await examineBatch()
      }
    }
    if (batch.length) await examineBatch()
    const keptReviewVideos = await sql<{ key: string }[]>`select key from media_work where kind = 'review'`
    const keptKeys = new Set(keptReviewVideos.map(row => row.key))
    for await (const { key, at } of objects.list(REVIEW_VIDEO_PREFIX)) {
      signal?.throwIfAborted()
      if (at < before && !keptKeys.has(key)) await objects.remove(key)
    }
    for (const prefix of voiceKeyPrefixes) {
      for await (const { key, at } of objects.list(prefix)) {
        signal?.throwIfAborted()
        const parsedKey = at < before && parseVoiceKey(key)
        if (!parsedKey) continue
        examinedCount++
        if (!(await inReview(parsedKey.assignment, parsedKey.voice, parsedKey.delivered))) unusedKeys.push(key)
      }
    }
    if (unusedKeys.length > MAX_PLAUSIBLE_ORPHANS && unusedKeys.length > examinedCount / 10) {
      log.error(
        { orphans: unusedKeys.length, of: examinedCount },
        'the database does not know too many of the objects: is it the right one? Nothing was deleted',
      )
      return 0
    }
    for (const key of unusedKeys) {
      signal?.throwIfAborted()
      await objects.remove(key)
    }
    return unusedKeys.length
  }

  /** Sweeps once. `everything`: also check each object in the store. If aborted, it throws at the next object; the next sweep continues. */
  async function sweep(everything: boolean, signal?: AbortSignal): Promise<SweepResult> {
    const now = clock()
    const before = new Date(now.getTime() - UNFINISHED_UPLOAD_HOURS * HOUR_MS)
    await deleteExpiredReviewVideos(now)
    const swept = {
      uploads: await discardUnfinished(before, signal),
      multiparts: await abortOrphanedMultiparts(before, signal),
      objects: everything ? await deleteOrphans(before, signal) : 0,
    }
    if (swept.uploads + swept.multiparts + swept.objects) log.info(swept, 'unfinished uploads and orphaned objects were deleted')
    return swept
  }

  return { sweep }
}
