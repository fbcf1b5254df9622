import type postgres from 'postgres'
import { DOCTOR, INCOMING, parsed, prefixes, voiceOf, voicePrefixes } from './keys.ts'
import type { Multipart, Objects } from './objects.ts'
import { UNFINISHED_HOURS } from './policy.ts'
import type { Upload, Uploads } from './uploads.ts'

const HOUR = 3600_000
const BATCH = 500
/** More orphans than this, and more than a tenth of all there is, is not a crash but the wrong database. */
const ORPHANS_MOST = 50

export interface Swept {
  /** Uploads given up, multipart uploads aborted, objects deleted. */
  uploads: number
  multiparts: number
  objects: number
}
interface Log {
  info(about: object, what: string): void
  error(about: object, what: string): void
}
interface Sweeping {
  sql: postgres.Sql
  objects: Objects
  uploads: Uploads
  clock: () => Date
  log: Log
  /** By the log itself: is this video in this folder? */
  inFolder(folder: string, video: string): Promise<boolean>
  /** Is this voice-over of an open assignment; `delivered`: in the review? True where nothing is known of the assignment. */
  inReview(assignment: string, voice: string, delivered: boolean): Promise<boolean>
}

/** Cleans up after those who never came back. What the log knows is never touched. May run in many processes at once. */
export function sweeper({ sql, objects, uploads, clock, log, inFolder, inReview }: Sweeping) {
  async function unfinished(before: Date, signal?: AbortSignal): Promise<number> {
    const rows = await sql<Pick<Upload, 'id' | 'folder' | 'status'>[]>`
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

  async function multiparts(before: Date, signal?: AbortSignal): Promise<number> {
    const old: Multipart[] = []
    for await (const { at, ...upload } of objects.multiparts()) {
      signal?.throwIfAborted()
      if (at < before && [INCOMING, 'videos/'].some(prefix => upload.key.startsWith(prefix))) old.push(upload)
    }
    const known = await sql<{ multipart: string }[]>`
      select multipart from uploads where status = 'uploading' and multipart = any(${old.map(u => u.uploadId)})`
    const kept = new Set(known.map(row => row.multipart))
    const orphans = old.filter(u => !kept.has(u.uploadId))
    for (const orphan of orphans) {
      signal?.throwIfAborted()
      await objects.abort(orphan)
    }
    return orphans.length
  }

  async function orphans(before: Date, signal?: AbortSignal): Promise<number> {
    const found: string[] = []
    let seen = 0
    let batch: string[] = []
    const look = async () => {
      const ids = batch.map(key => parsed(key)!.video)
      const known = new Set((await sql<{ id: string }[]>`select id from uploads where id = any(${ids}::uuid[])`).map(row => row.id))
      for (const key of batch) {
        const { folder, video } = parsed(key)!
        if (!known.has(video) && !(await inFolder(folder, video))) found.push(key)
      }
      seen += batch.length
      batch = []
    }
    // What came after its video was done is of no use; what came before was copied.
    for (const prefix of [INCOMING, DOCTOR]) {
      for await (const { key, at } of objects.list(prefix)) {
        signal?.throwIfAborted()
        if (at < before) await objects.remove(key)
      }
    }
    for (const prefix of prefixes) {
      for await (const { key, at } of objects.list(prefix)) {
        signal?.throwIfAborted()
        if (at >= before || !parsed(key)) continue
        batch.push(key)
        if (batch.length === BATCH) await look()
      }
    }
    if (batch.length) await look()
    for (const prefix of voicePrefixes) {
      for await (const { key, at } of objects.list(prefix)) {
        signal?.throwIfAborted()
        const its = at < before && voiceOf(key)
        if (!its) continue
        seen++
        if (!(await inReview(its.assignment, its.voice, its.delivered))) found.push(key)
      }
    }
    if (found.length > ORPHANS_MOST && found.length > seen / 10) {
      log.error({ orphans: found.length, of: seen }, 'too many objects that nobody knows: is this the right database? Nothing was deleted')
      return 0
    }
    for (const key of found) {
      signal?.throwIfAborted()
      await objects.remove(key)
    }
    return found.length
  }

  /** One round. `everything` also looks at each object there is. Aborted, it ends before the next object; the next round goes on. */
  async function sweep(everything: boolean, signal?: AbortSignal): Promise<Swept> {
    const before = new Date(clock().getTime() - UNFINISHED_HOURS * HOUR)
    const swept = {
      uploads: await unfinished(before, signal),
      multiparts: await multiparts(before, signal),
      objects: everything ? await orphans(before, signal) : 0,
    }
    if (swept.uploads + swept.multiparts + swept.objects) log.info(swept, 'swept')
    return swept
  }

  return { sweep }
}
