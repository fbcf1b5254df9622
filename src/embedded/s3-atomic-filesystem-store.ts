import { createHash, randomUUID } from 'node:crypto'
import { constants, createReadStream, createWriteStream } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'

// s3rver has no type definitions, so its modules are loaded untyped, by `require`.
const require = createRequire(import.meta.url)
// biome-ignore lint/suspicious/noExplicitAny: s3rver has no type definitions
const FilesystemStore: new (directory: string) => any = require('@20minutes/s3rver/lib/stores/filesystem')
const S3Object = require('@20minutes/s3rver/lib/models/object')
const S3Error = require('@20minutes/s3rver/lib/models/error')

const MIN_PART_BYTES = 5 * 1024 * 1024
/** For `promise.catch`: resolves to null if a file cannot be read. */
export const resolveToNull = () => null

/**
 * A part is stored in its upload's directory as `number-md5-size`. A single rename puts it there, so it is either complete and correctly
 * named, or absent.
 */
const partName = /^(\d+)-([0-9a-f]{32})-(\d+)$/

/** Stores objects and uploads as files. Each appears through a single rename, so that a killed server leaves no partial file. */
export class AtomicFilesystemStore extends FilesystemStore {
  uploadDir(bucket: string, uploadId: string): string {
    if (!/^[0-9a-f]{32}$/.test(uploadId)) throw noSuchUpload()
    return join(this.getResourcePath(bucket, undefined, 'uploads'), uploadId)
  }

  /** The upload's directory appears through a single rename, so that a killed server leaves no partial upload. */
  async initiateUpload(bucket: string, key: string, uploadId: string, metadata: object) {
    const [dir, draft] = [this.uploadDir(bucket, uploadId), await this.draft(bucket)]
    await mkdir(draft)
    await Promise.all([writeFile(join(draft, 'key'), key), writeFile(join(draft, 'metadata'), JSON.stringify(metadata))])
    await mkdir(join(dir, '..'), { recursive: true })
    await rename(draft, dir)
  }

  /** The key of an unfinished upload, and when it began. @throws NoSuchUpload if there is none with this id (and this `key`, if given) */
  async upload(bucket: string, uploadId: string, key?: string) {
    const file = join(this.uploadDir(bucket, uploadId), 'key')
    const [uploadKey, begun] = await Promise.all([readFile(file, 'utf8'), stat(file)]).catch(() => {
      throw noSuchUpload()
    })
    if (key !== undefined && key !== uploadKey) throw noSuchUpload()
    return { key: uploadKey, uploadId, initiated: begun.mtime.toISOString() }
  }

  async uploads(bucket: string, prefix: string) {
    const ids: string[] = await readdir(this.getResourcePath(bucket, undefined, 'uploads')).catch(() => [])
    const all = await Promise.all(ids.map(id => this.upload(bucket, id).catch(resolveToNull)))
    return all
      .filter(u => u !== null)
      .filter(u => u.key.startsWith(prefix))
      .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.initiated < b.initiated ? -1 : 1))
  }

  async parts(bucket: string, uploadId: string) {
    const dir = this.uploadDir(bucket, uploadId)
    const parts = await Promise.all(
      (await readdir(dir).catch(throwAsNoSuchUpload)).map(async name => {
        const [, number, md5, size] = partName.exec(name) ?? []
        const stats = md5 && (await stat(join(dir, name)).catch(resolveToNull))
        return stats
          ? { number: Number(number), md5: md5!, size: Number(size), file: join(dir, name), at: stats.mtime.toISOString() }
          : null
      }),
    )
    return parts.filter(p => p !== null).sort((a, b) => a.number - b.number)
  }

  async putPart(bucket: string, uploadId: string, partNumber: string, content: Readable) {
    const dir = this.uploadDir(bucket, uploadId)
    const draft = join(dir, `draft-${randomUUID()}`)
    try {
      const { size, md5 } = await save(content, draft)
      const before = (await this.parts(bucket, uploadId)).filter(p => p.number === Number(partNumber))
      const file = join(dir, `${Number(partNumber)}-${md5}-${size}`)
      await rename(draft, file)
      await Promise.all(before.filter(p => p.file !== file).map(p => rm(p.file, { force: true })))
      return { size, md5 }
    } catch (error) {
      // If the upload has been aborted or completed in the meantime, its directory is gone.
      throwAsNoSuchUpload(error)
    }
  }

  async putObject(object: { bucket: string; key: string; content: Readable; metadata: object }) {
    const draft = await this.draft(object.bucket)
    const { size, md5 } = await save(object.content, draft)
    await this.publish(object.bucket, object.key, draft, md5, object.metadata)
    return { size, md5 }
  }

  async putObjectMultipart(bucket: string, uploadId: string, chosen: { number: number; etag: string }[]) {
    const { key } = await this.upload(bucket, uploadId)
    const dir = this.uploadDir(bucket, uploadId)
    const metadata = JSON.parse(await readFile(join(dir, 'metadata'), 'utf8').catch(throwAsNoSuchUpload))
    const storedParts = await this.parts(bucket, uploadId)
    const parts = chosen.map(({ number, etag }, i) => {
      if (i > 0 && number <= chosen[i - 1]!.number)
        throw new S3Error('InvalidPartOrder', 'The list of parts was not in ascending order. Parts must be ordered by part number.')
      const part = storedParts.find(p => p.number === number && p.md5 === etag)
      if (!part) throw new S3Error('InvalidPart', 'One or more of the specified parts could not be found.', { PartNumber: number })
      return part
    })
    if (parts.slice(0, -1).some(p => p.size < MIN_PART_BYTES))
      throw new S3Error('EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed size')
    const draft = await this.draft(bucket)
    try {
      for (const part of parts) await pipeline(createReadStream(part.file), createWriteStream(draft, { flags: 'a' }))
    } catch (error) {
      await rm(draft, { force: true })
      // If another request has completed or aborted the upload in the meantime, its parts are gone.
      throwAsNoSuchUpload(error)
    }
    const sums = Buffer.concat(parts.map(p => Buffer.from(p.md5, 'hex')))
    const md5 = `${createHash('md5').update(sums).digest('hex')}-${parts.length}`
    await this.publish(bucket, key, draft, md5, metadata)
    await rm(dir, { recursive: true, force: true })
    return { size: parts.reduce((sum, p) => sum + p.size, 0), md5 }
  }

  /** Like every file here, a copy appears through a single rename, so that a killed server leaves no partial copy. */
  async copyObject(fromBucket: string, fromKey: string, bucket: string, key: string, replacement: object | null) {
    const metadata = await this.getMetadata(fromBucket, fromKey)
    const draft = await this.draft(bucket)
    await copyFile(this.getResourcePath(fromBucket, fromKey, 'object'), draft, constants.COPYFILE_FICLONE)
    await this.publish(bucket, key, draft, JSON.parse(metadata.etag), replacement ?? metadata)
    return this.getMetadata(bucket, key)
  }

  /** The path of a new temporary file on the same disk. No listing includes it. */
  async draft(bucket: string) {
    const dir = this.getResourcePath(bucket, undefined, 'drafts')
    await mkdir(dir, { recursive: true })
    return join(dir, randomUUID())
  }

  async publish(bucket: string, key: string, draft: string, md5: string, metadata: object) {
    const file: string = this.getResourcePath(bucket, key, 'object')
    await mkdir(join(file, '..'), { recursive: true })
    // The stored checksum is deleted first, so that a stale one never describes new bytes; without it, the checksum is computed again.
    await rm(`${file}.md5`, { force: true })
    await rename(draft, file)
    await this.putMetadata(bucket, key, metadata, md5)
  }

  /**
   * Each file appears through a single rename. s3rver's own version truncates the file before writing it, so a concurrent reader would get
   * an error.
   */
  async putMetadata(bucket: string, key: string, metadata: object, md5?: string) {
    const isKept = (name: string) => S3Object.ALLOWED_METADATA.includes(name) || name.startsWith('x-amz-meta-')
    const kept = Object.fromEntries(Object.entries(metadata).filter(([name]) => isKept(name)))
    if (md5) await this.replaceFile(bucket, this.getResourcePath(bucket, key, 'object.md5'), md5)
    await this.replaceFile(bucket, this.getResourcePath(bucket, key, 'metadata.json'), JSON.stringify(kept))
  }

  async replaceFile(bucket: string, file: string, text: string) {
    const draft = await this.draft(bucket)
    await writeFile(draft, text)
    await rename(draft, file)
  }

  async getObject(bucket: string, key: string, range?: { start?: number; end?: number }) {
    const metadata = await this.getMetadata(bucket, key).catch((error: NodeJS.ErrnoException) => {
      if (isMissingFile(error)) return null
      throw error
    })
    if (!metadata) return null
    const last = Number(metadata['content-length']) - 1
    const start = range?.start ?? 0
    const end = Math.min(range?.end ?? last, last)
    const ranged = range?.start !== undefined
    if (ranged && start > end) return Object.assign(new S3Object(bucket, key, null, metadata), { range: { start, end } })
    const file = this.getResourcePath(bucket, key, 'object')
    const content = createReadStream(file, last < 0 ? undefined : { start, end })
    await new Promise((done, fail) => content.once('open', done).once('error', fail))
    return Object.assign(new S3Object(bucket, key, content, metadata), ranged && { range: { start, end } })
  }
}

/** Writes a stream to a new file, and deletes the file if the stream fails. */
async function save(content: Readable, file: string) {
  const sum = createHash('md5')
  let size = 0
  const count = new Transform({
    transform(chunk: Buffer, _, done) {
      sum.update(chunk)
      size += chunk.length
      done(null, chunk)
    },
  })
  try {
    await pipeline(content, count, createWriteStream(file))
  } catch (error) {
    await rm(file, { force: true })
    throw error
  }
  return { size, md5: sum.digest('hex') }
}

const isMissingFile = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

/**
 * Rethrows an error from reading or writing in an upload's directory, or throws NoSuchUpload if the file is missing, because another
 * request has deleted it.
 */
function throwAsNoSuchUpload(error: unknown): never {
  throw isMissingFile(error) ? noSuchUpload() : error
}

/** S3's error for an upload that does not exist, or no longer does. */
const noSuchUpload = () =>
  new S3Error('NoSuchUpload', 'The specified upload does not exist. It may have been aborted or completed, or the upload ID is invalid.')
