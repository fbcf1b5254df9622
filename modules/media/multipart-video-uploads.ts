import type postgres from 'postgres'
import { createBackoffSleep } from '../kernel/sleep.ts'
import { CommandRefused } from '../kernel/store.ts'
import { validateVideoContainer } from './check-video-type-and-completeness.ts'
import type { BrowserMediaFindings } from './contract.ts'
import { incomingPosterKey, incomingVideoKey, posterKey, videoKey } from './object-keys.ts'
import type { MultipartUploadReference, ObjectStore, UploadedPart } from './object-store.ts'
import { MAX_SINGLE_UPLOAD_BYTES, MAX_UPLOADED_POSTER_BYTES, UPLOAD_PART_BYTES } from './policy.ts'
import { stripJpegMetadata } from './strip-jpeg-metadata.ts'
import { UnplayableFileError } from './unplayable-file-error.ts'

/** A row of the table uploads. */
export interface StoredUpload {
  id: string
  folder: string
  player: string
  /** The video that it replaces, if any. */
  replaces: string | null
  name: string
  type: string
  bytes: number
  fingerprint: string
  partBytes: number
  multipart: string
  /** The key that parts are uploaded to. Null in rows of an earlier version, whose parts go directly to the video's key. */
  uploadKey: string | null
  status: 'uploading' | 'checked' | 'done' | 'sweeping'
  /** The duration of the video, once it has been checked and if the file declares one. */
  milliseconds: number | null
  poster: boolean
  started: string
}
export type DeclaredUpload = Pick<StoredUpload, 'id' | 'folder' | 'player' | 'name' | 'type' | 'bytes' | 'fingerprint'> & {
  replaces?: string | null
}

/** The size in bytes of part `number` (from 1). */
const partLength = (u: StoredUpload, number: number) => Math.min(u.partBytes, u.bytes - (number - 1) * u.partBytes)
export const uploadPartCount = (u: StoredUpload) => Math.ceil(u.bytes / u.partBytes)
const allParts = (u: StoredUpload): UploadedPart[] =>
  Array.from({ length: uploadPartCount(u) }, (_, i) => ({ number: i + 1, etag: '', bytes: partLength(u, i + 1) }))

const columns = (db: postgres.ISql) =>
  db`id, folder, player, replaces, name, type, bytes, fingerprint, part_bytes as "partBytes", multipart, upload_key as "uploadKey", status, milliseconds, poster, started`

/** How long a completion waits for another that is assembling the same parts. The object store's client gives up after the same time. */
const ASSEMBLY_WAIT_MS = 20_000

export const UPLOAD_CANCELED_MESSAGE = 'This upload was canceled. Choose the file again to start over.'
const uploadGone = () => new CommandRefused(UPLOAD_CANCELED_MESSAGE, 'upload-gone')

export type VideoUploads = ReturnType<typeof videoUploads>

/**
 * Uploads of videos from a browser directly to the object store; this server reads only enough of them to validate them. Every step can be
 * repeated, and nothing is lost if the server dies between two steps.
 */
export function videoUploads(sql: postgres.Sql, objects: ObjectStore, clock: () => Date, assemblyWaitMs = ASSEMBLY_WAIT_MS) {
  const objectKeyOf = (u: StoredUpload) => u.uploadKey ?? videoKey(u.folder, u.id)
  const multipartOf = (u: StoredUpload): MultipartUploadReference => ({ key: objectKeyOf(u), uploadId: u.multipart })

  /** The upload; null if it does not exist, belongs to another player or is being discarded. */
  async function find(id: string, player: string): Promise<StoredUpload | null> {
    const [row] = await sql<
      StoredUpload[]
    >`select ${columns(sql)} from uploads where id = ${id} and player = ${player} and status <> 'sweeping'`
    return row ?? null
  }

  /** Returns the parts that have arrived. If the store has neither the multipart upload nor the assembled object, begins a new upload. */
  async function arrivedParts(u: StoredUpload): Promise<UploadedPart[]> {
    if (u.status !== 'uploading') return allParts(u)
    const parts = await objects.parts(multipartOf(u))
    if (parts) return parts
    if (await objects.head(objectKeyOf(u))) return allParts(u)
    const multipart = await objects.begin(objectKeyOf(u), u.type)
    const renewed = await sql`
      update uploads set multipart = ${multipart} where id = ${u.id} and multipart = ${u.multipart} and status = 'uploading' returning id`
    if (renewed.length) return []
    await objects.abort({ ...multipartOf(u), uploadId: multipart })
    const now = await find(u.id, u.player)
    return now && now.status !== 'uploading' ? allParts(now) : []
  }

  /**
   * Starts an upload, or finds it again. `assertRoom` receives the number of other uploads that will add a video to the folder, and throws
   * if the folder has no room.
   * @throws CommandRefused
   */
  async function start(declared: DeclaredUpload, assertRoom: (otherUploads: number) => void): Promise<StoredUpload> {
    const { id, folder, player, replaces = null, name, type, bytes, fingerprint } = declared
    const findExisting = async () => {
      const [row] = await sql<StoredUpload[]>`select ${columns(sql)} from uploads where id = ${id}`
      if (!row) return undefined
      if (row.status === 'sweeping') throw uploadGone()
      if (row.player !== player || row.folder !== folder || row.bytes !== bytes || row.type !== type) {
        throw new CommandRefused('This upload was started with another file. Choose the file again.', 'upload-differs')
      }
      return row
    }
    const existing = await findExisting()
    if (existing) return existing
    assertRoom(0)
    const partBytes = bytes < MAX_SINGLE_UPLOAD_BYTES ? bytes : UPLOAD_PART_BYTES
    const uploadKey = incomingVideoKey(folder, id)
    const multipart = await objects.begin(uploadKey, type)
    const now = clock()
    try {
      const [row] = await sql.begin(async tx => {
        await tx`select pg_advisory_xact_lock(hashtextextended(${folder}, 0))`
        const [others] = await tx<{ count: number }[]>`
          select count(*)::int as count from uploads
          where folder = ${folder} and status in ('uploading', 'checked') and replaces is null and id <> ${id}`
        assertRoom(others!.count)
        return tx<StoredUpload[]>`
          insert into uploads (id, folder, player, replaces, name, type, bytes, fingerprint, part_bytes, multipart, upload_key, started, touched)
          values (${id}, ${folder}, ${player}, ${replaces}, ${name}, ${type}, ${bytes}, ${fingerprint}, ${partBytes}, ${multipart}, ${uploadKey}, ${now}, ${now})
          on conflict do nothing returning ${columns(tx)}`
      })
      if (row) return row
    } catch (error) {
      await objects.abort({ key: uploadKey, uploadId: multipart })
      throw error
    }
    await objects.abort({ key: uploadKey, uploadId: multipart })
    return (await findExisting())!
  }

  /**
   * Assembles the parts of an upload and returns the object; null if the store has neither the parts nor the object.
   * @throws CommandRefused if a part is missing
   */
  async function assemble(u: StoredUpload): Promise<{ bytes: number } | null> {
    const parts = await objects.parts(multipartOf(u))
    const missing = parts && allParts(u).find(p => !parts.some(a => a.number === p.number && a.bytes === p.bytes))
    if (parts && !missing) await objects.complete(multipartOf(u), parts.slice(0, uploadPartCount(u)))
    const object = await objects.head(objectKeyOf(u))
    // If the object exists, another completion has assembled it, and the store is deleting the parts.
    if (missing && !object) {
      throw new CommandRefused(
        `Part ${missing.number} of ${uploadPartCount(u)} has not arrived. Choose the file again, and the upload continues where it stopped.`,
        'part-missing',
      )
    }
    return object
  }

  /** Like `assemble`, but waits if another request to complete this upload, on this server or another, may be assembling the parts. */
  async function assembledObject(u: StoredUpload): Promise<{ bytes: number }> {
    const deadline = AbortSignal.timeout(assemblyWaitMs)
    const pause = createBackoffSleep(deadline)
    for (let now: StoredUpload | null = u; now?.status === 'uploading'; now = await find(u.id, u.player)) {
      const isLastTry = deadline.aborted
      const object = await assemble(now)
      if (object) return object
      if (isLastTry) break
      await pause()
    }
    throw new CommandRefused('This video was not uploaded completely. Choose the file again.', 'part-missing')
  }

  /**
   * Assembles the parts, validates the file, and copies the checked bytes to a key for which the uploader has no signed URL.
   * @returns null if another completion of the same upload was faster
   * @throws CommandRefused, UnplayableFileError
   */
  async function check(u: StoredUpload, poster: boolean): Promise<{ milliseconds: number | null; poster: boolean } | null> {
    const [key, readable] = [objectKeyOf(u), videoKey(u.folder, u.id)]
    try {
      const object = await assembledObject(u)
      if (object.bytes !== u.bytes) {
        throw new UnplayableFileError(`This file should have ${u.bytes} bytes, but ${object.bytes} arrived. Choose it again.`, 'wrong-size')
      }
      const read = async (start: number, end: number) => (await objects.read(key, start, end)) ?? new Uint8Array()
      const { milliseconds } = await validateVideoContainer({ bytes: object.bytes, read }, u.type)
      if (key !== readable) await objects.copy(key, readable)
      return { milliseconds, poster: poster && (await copyPoster(u)) }
    } catch (error) {
      // If the upload was discarded during this check, its bytes were deleted, so the error is not the file's fault.
      const now = await find(u.id, u.player)
      if (!now) throw uploadGone()
      if (now.status !== 'uploading') return null
      if (error instanceof UnplayableFileError) await discard(u.id, ['uploading'])
      throw error
    }
  }

  /** Copies the uploaded poster without its metadata. @returns false if it is not a JPEG of at most `MAX_UPLOADED_POSTER_BYTES` */
  async function copyPoster(u: StoredUpload): Promise<boolean> {
    const still = await objects.read(incomingPosterKey(u.folder, u.id), 0, MAX_UPLOADED_POSTER_BYTES + 1)
    const picture = still && still.length <= MAX_UPLOADED_POSTER_BYTES ? stripJpegMetadata(still) : null
    if (!picture) return false
    await objects.put(posterKey(u.folder, u.id), 'image/jpeg', picture)
    return true
  }

  async function removeAll(folder: string, video: string) {
    for (const key of [videoKey, posterKey, incomingPosterKey, incomingVideoKey]) await objects.remove(key(folder, video))
  }

  /**
   * Discards an upload if its status is one of `from` or already `sweeping`, and if it has not been touched since `untouchedSince`: first
   * its bytes, then its row. After a crash in between, the sweeper does the rest.
   */
  async function discard(id: string, from: StoredUpload['status'][], untouchedSince?: Date): Promise<boolean> {
    const allowedStates: string[] = [...from, 'sweeping']
    const [row] = await sql<StoredUpload[]>`
      update uploads set status = 'sweeping' where id = ${id} and status in ${sql(allowedStates)}
      ${untouchedSince ? sql`and touched < ${untouchedSince}` : sql``} returning ${columns(sql)}`
    if (!row) return false
    await objects.abort(multipartOf(row))
    await removeAll(row.folder, row.id)
    await sql`delete from uploads where id = ${id} and status = 'sweeping'`
    return true
  }

  return {
    find,
    start,
    arrivedParts,
    discard,

    /** Pending uploads to a folder, oldest first. */
    unfinished: (folder: string) => sql<StoredUpload[]>`
      select ${columns(sql)} from uploads where folder = ${folder} and status in ('uploading', 'checked') order by started, id`,

    /** URLs to PUT these parts to. @throws CommandRefused for an unknown part */
    async sign(u: StoredUpload, numbers: number[]): Promise<{ number: number; url: string; bytes: number }[]> {
      const count = uploadPartCount(u)
      if (numbers.some(n => n > count))
        throw new CommandRefused(`This upload has ${count} ${count === 1 ? 'part' : 'parts'}.`, 'no-part', 'numbers')
      await sql`update uploads set touched = ${clock()} where id = ${u.id}`
      return Promise.all(
        numbers.map(async number => {
          const bytes = partLength(u, number)
          return { number, url: await objects.signPart(multipartOf(u), number, bytes), bytes }
        }),
      )
    },

    signPoster: (u: StoredUpload, bytes: number) => objects.signPut(incomingPosterKey(u.folder, u.id), 'image/jpeg', bytes),

    /**
     * Completes an upload: checks the bytes, then calls `add`. It can be repeated after any crash.
     * @throws CommandRefused for a missing part or canceled upload; UnplayableFileError for an invalid file, which is deleted; errors of
     * `add`
     */
    async complete<T>(
      id: string,
      player: string,
      { poster, inside }: { poster: boolean; inside?: BrowserMediaFindings | undefined },
      add: (u: StoredUpload) => Promise<T>,
    ): Promise<T> {
      let u = await find(id, player)
      if (!u) throw uploadGone()
      if (u.status === 'uploading') {
        const checked = await check(u, poster)
        if (checked) {
          await sql`
            update uploads set status = 'checked', milliseconds = ${checked.milliseconds}, poster = ${checked.poster},
              inside = ${inside ? sql.json(inside) : null}
            where id = ${id} and status = 'uploading'`
        }
        for (const key of [incomingPosterKey, incomingVideoKey]) await objects.remove(key(u.folder, id))
      }
      // Renewing `touched` keeps the sweeper from discarding the upload while `add` runs.
      const [checked] = await sql<StoredUpload[]>`
        update uploads set touched = ${clock()} where id = ${id} and status in ('checked', 'done') returning ${columns(sql)}`
      if (!checked) throw uploadGone()
      u = checked
      const added = await add(u)
      await sql`update uploads set status = 'done' where id = ${id} and status = 'checked'`
      return added
    },

    /** What the uploading browser read from the video; null if it could not read it. */
    async browserFindings(video: string): Promise<BrowserMediaFindings | null> {
      const [row] = await sql<{ inside: BrowserMediaFindings | null }[]>`select inside from uploads where id = ${video}`
      return row?.inside ?? null
    },

    /** Deletes the bytes of a video that was removed from its folder, and of unfinished uploads that would have replaced it. */
    async forget(folder: string, video: string) {
      // An upload that has already replaced the video is no longer `uploading`, so it stays.
      const replacements = await sql<{ id: string }[]>`
        select id from uploads where folder = ${folder} and replaces = ${video} and status = 'uploading'`
      for (const { id } of replacements) await discard(id, ['uploading'])
      await removeAll(folder, video)
      await sql`delete from uploads where id = ${video}`
    },
  }
}
