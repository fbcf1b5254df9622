/**
 * The embedded S3 server, a process of its own: s3rver, with what it lacks of S3's manners. Without this it serves unsigned
 * requests, obeys unsigned headers of signed ones, cannot list or abort multipart uploads, completes them without looking at the
 * parts, leaves a broken upload where the whole object was, and gets the ranges `0-0` and `-500` wrong.
 * Runs on plain Node (types are stripped). Its parent's first message is the options; it ends when its parent does.
 */
import { createHash, randomUUID } from 'node:crypto'
import { constants, createReadStream, createWriteStream } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { unsignedHeaders } from './s3-unsigned-headers.ts'

export interface Options {
  directory: string
  port: number
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  /** Where browsers come from. */
  origin: string
}

// s3rver has no types; what we use of it is named here.
const require = createRequire(import.meta.url)
const S3rver = require('@20minutes/s3rver')
// biome-ignore lint/suspicious/noExplicitAny: its methods are called untyped
const FilesystemStore: new (directory: string) => any = require('@20minutes/s3rver/lib/stores/filesystem')
const S3Object = require('@20minutes/s3rver/lib/models/object')
const S3Error = require('@20minutes/s3rver/lib/models/error')
const { DUMMY_ACCOUNT } = require('@20minutes/s3rver/lib/models/account')
const authenticate = require('@20minutes/s3rver/lib/middleware/authentication')()
const cors = require('@20minutes/s3rver/lib/middleware/cors')()
// biome-ignore lint/suspicious/noExplicitAny: Koa's context, which comes without types here
type Context = any
type Next = () => Promise<unknown>

const MIN_PART_BYTES = 5 * 1024 * 1024
const xmlns = { '@': { xmlns: 'http://s3.amazonaws.com/doc/2006-03-01/' } }
const missing = () => null

/** A part lies in its upload's directory as `number-md5-size`, put there by one rename: whole, and true about itself, or absent. */
const partName = /^(\d+)-([0-9a-f]{32})-(\d+)$/

class Store extends FilesystemStore {
  uploadDir(bucket: string, uploadId: string): string {
    if (!/^[0-9a-f]{32}$/.test(uploadId)) throw noSuchUpload()
    return join(this.getResourcePath(bucket, undefined, 'uploads'), uploadId)
  }

  /** Begun by one rename: whole, or not at all where the server is killed meanwhile. */
  async initiateUpload(bucket: string, key: string, uploadId: string, metadata: object) {
    const [dir, draft] = [this.uploadDir(bucket, uploadId), await this.draft(bucket)]
    await mkdir(draft)
    await Promise.all([writeFile(join(draft, 'key'), key), writeFile(join(draft, 'metadata'), JSON.stringify(metadata))])
    await mkdir(join(dir, '..'), { recursive: true })
    await rename(draft, dir)
  }

  /** The key of an upload under way, and when it began. @throws NoSuchUpload */
  async upload(bucket: string, uploadId: string, key?: string) {
    const file = join(this.uploadDir(bucket, uploadId), 'key')
    const [its, begun] = await Promise.all([readFile(file, 'utf8'), stat(file)]).catch(() => {
      throw noSuchUpload()
    })
    if (key !== undefined && key !== its) throw noSuchUpload()
    return { key: its, uploadId, initiated: begun.mtime.toISOString() }
  }

  async uploads(bucket: string, prefix: string) {
    const ids: string[] = await readdir(this.getResourcePath(bucket, undefined, 'uploads')).catch(() => [])
    const all = await Promise.all(ids.map(id => this.upload(bucket, id).catch(missing)))
    return all
      .filter(u => u !== null)
      .filter(u => u.key.startsWith(prefix))
      .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.initiated < b.initiated ? -1 : 1))
  }

  async parts(bucket: string, uploadId: string) {
    const dir = this.uploadDir(bucket, uploadId)
    const parts = await Promise.all(
      (await readdir(dir)).map(async name => {
        const [, number, md5, size] = partName.exec(name) ?? []
        const its = md5 && (await stat(join(dir, name)).catch(missing))
        return its ? { number: Number(number), md5: md5!, size: Number(size), file: join(dir, name), at: its.mtime.toISOString() } : null
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
      // Aborted meanwhile, and its directory with it.
      throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? noSuchUpload() : error
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
    const metadata = JSON.parse(await readFile(join(dir, 'metadata'), 'utf8'))
    const there = await this.parts(bucket, uploadId)
    const parts = chosen.map(({ number, etag }, i) => {
      if (i > 0 && number <= chosen[i - 1]!.number)
        throw new S3Error('InvalidPartOrder', 'The list of parts was not in ascending order. Parts must be ordered by part number.')
      const part = there.find(p => p.number === number && p.md5 === etag)
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
      throw error
    }
    const sums = Buffer.concat(parts.map(p => Buffer.from(p.md5, 'hex')))
    const md5 = `${createHash('md5').update(sums).digest('hex')}-${parts.length}`
    await this.publish(bucket, key, draft, md5, metadata)
    await rm(dir, { recursive: true, force: true })
    return { size: parts.reduce((sum, p) => sum + p.size, 0), md5 }
  }

  /** A copy appears by one rename, like everything here: a server that is killed meanwhile leaves no half of one. */
  async copyObject(fromBucket: string, fromKey: string, bucket: string, key: string, replacement: object | null) {
    const metadata = await this.getMetadata(fromBucket, fromKey)
    const draft = await this.draft(bucket)
    await copyFile(this.getResourcePath(fromBucket, fromKey, 'object'), draft, constants.COPYFILE_FICLONE)
    await this.publish(bucket, key, draft, JSON.parse(metadata.etag), replacement ?? metadata)
    return this.getMetadata(bucket, key)
  }

  /** A file on the same disk that nothing lists yet. */
  async draft(bucket: string) {
    const dir = this.getResourcePath(bucket, undefined, 'drafts')
    await mkdir(dir, { recursive: true })
    return join(dir, randomUUID())
  }

  async publish(bucket: string, key: string, draft: string, md5: string, metadata: object) {
    const file: string = this.getResourcePath(bucket, key, 'object')
    await mkdir(join(file, '..'), { recursive: true })
    // Without its checksum an object's is computed afresh, so a stale one never describes new bytes.
    await rm(`${file}.md5`, { force: true })
    await rename(draft, file)
    await this.putMetadata(bucket, key, metadata, md5)
  }

  async getObject(bucket: string, key: string, range?: { start?: number; end?: number }) {
    const metadata = await this.getMetadata(bucket, key).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
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

/** Writes a stream to a new file; nothing is left of a stream that breaks off. */
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

const noSuchUpload = () =>
  new S3Error('NoSuchUpload', 'The specified upload does not exist. It may have been aborted or completed, or the upload ID is invalid.')

/**
 * Every request but a preflight is signed. s3rver forgets a slash at the end when it checks, which the SDK sends after a bare
 * bucket; so it is given the whole path here, and finds nothing left to check later.
 */
async function signed(ctx: Context) {
  const { params } = ctx
  const unsigned = unsignedHeaders(ctx.headers, ctx.query)
  if (unsigned.length)
    throw new S3Error('AccessDenied', 'There were headers present in the request which were not signed', {
      HeadersNotSigned: unsigned.join(', '),
    })
  ctx.params = { bucket: decodeURIComponent(ctx.path).slice(1) }
  await authenticate(ctx, async () => {})
  if (!ctx.state.account) throw new S3Error('AccessDenied', 'Access Denied')
  ctx.params = params
  delete ctx.headers.authorization
  ctx.query = Object.fromEntries(Object.entries(ctx.query).filter(([name]) => !name.startsWith('X-Amz-')))
}

/** The multipart operations that s3rver has no answer to, and ranges by S3's rules. */
const manners = (store: Store) => async (ctx: Context, next: Next) => {
  const [, bucket = '', key = ''] = /^\/([^/]*)\/?(.*)$/s.exec(decodeURIComponent(ctx.path))!
  ctx.params = { bucket, key }
  if (ctx.method === 'OPTIONS') return next()
  await cors(ctx, () => signed(ctx))

  // Asked often, as a sign of life; s3rver would read the whole directory for it.
  if (ctx.method === 'HEAD' && !key) {
    ctx.status = (await store.getBucket(bucket)) ? 200 : 404
    return
  }
  const { uploadId } = ctx.query
  if (typeof uploadId === 'string') await store.upload(bucket, uploadId, key)
  if (ctx.method === 'GET' && key && uploadId) {
    const after = Number(ctx.query['part-number-marker'] ?? 0)
    const most = Math.min(Number(ctx.query['max-parts'] ?? 1000), 1000)
    const parts = (await store.parts(bucket, uploadId)).filter(p => p.number > after)
    const page = parts.slice(0, most)
    ctx.body = {
      ListPartsResult: {
        ...xmlns,
        ...{ Bucket: bucket, Key: key, UploadId: uploadId, PartNumberMarker: after, MaxParts: most },
        NextPartNumberMarker: page.at(-1)?.number ?? after,
        IsTruncated: parts.length > page.length,
        Part: page.map(p => ({ PartNumber: p.number, LastModified: p.at, ETag: `"${p.md5}"`, Size: p.size })),
      },
    }
  } else if (ctx.method === 'GET' && !key && 'uploads' in ctx.query) {
    const most = Math.min(Number(ctx.query['max-uploads'] ?? 1000), 1000)
    const [afterKey, afterId] = [ctx.query['key-marker'] ?? '', ctx.query['upload-id-marker'] ?? '']
    const all = await store.uploads(bucket, ctx.query.prefix ?? '')
    const begin = all.findIndex(u => u.key === afterKey && u.uploadId === afterId) + 1
    const page = all.slice(begin, begin + most)
    const last = page.at(-1)
    ctx.body = {
      ListMultipartUploadsResult: {
        ...xmlns,
        ...{ Bucket: bucket, Prefix: ctx.query.prefix ?? '', KeyMarker: afterKey, UploadIdMarker: afterId, MaxUploads: most },
        ...(last && { NextKeyMarker: last.key, NextUploadIdMarker: last.uploadId }),
        IsTruncated: all.length > begin + page.length,
        Upload: page.map(u => ({ Key: u.key, UploadId: u.uploadId, Initiated: u.initiated, StorageClass: 'STANDARD' })),
      },
    }
  } else if (ctx.method === 'DELETE' && key && uploadId) {
    await rm(store.uploadDir(bucket, uploadId), { recursive: true, force: true })
    ctx.status = 204
  } else {
    if (ctx.method === 'PUT' && key && !ctx.get('content-length') && !ctx.get('x-amz-copy-source'))
      throw new S3Error('MissingContentLength', 'You must provide the Content-Length HTTP header.')
    if (ctx.method === 'PUT' && uploadId && !/^([1-9]\d{0,3}|10000)$/.test(ctx.query.partNumber ?? ''))
      throw new S3Error('InvalidArgument', 'Part number must be an integer between 1 and 10000, inclusive')
    if (ctx.headers.range) await plainRange(ctx, store)
    await next()
  }
}

/** s3rver reads `bytes=a-b` alone: writes the other forms so; what is not one range is no range. */
async function plainRange(ctx: Context, store: Store) {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(ctx.headers.range) ?? []
  if (from) return
  const its = to && (await store.getMetadata(ctx.params.bucket, ctx.params.key).catch(missing))
  if (its) ctx.headers.range = `bytes=${Math.max(0, its['content-length'] - Number(to))}-`
  else delete ctx.headers.range
}

const corsRules = (origin: string) => `<CORSConfiguration><CORSRule>
${[...new Set([origin, origin.replace('//127.0.0.1', '//localhost')])].map(o => `<AllowedOrigin>${o}</AllowedOrigin>`).join('')}
<AllowedMethod>GET</AllowedMethod><AllowedMethod>HEAD</AllowedMethod><AllowedMethod>PUT</AllowedMethod>
<AllowedHeader>*</AllowedHeader><ExposeHeader>ETag</ExposeHeader><ExposeHeader>Content-Range</ExposeHeader>
<MaxAgeSeconds>3600</MaxAgeSeconds></CORSRule></CORSConfiguration>`

async function serve(options: Options) {
  const { directory, bucket, origin } = options
  await mkdir(directory, { recursive: true })
  DUMMY_ACCOUNT.revokeAccessKey('S3RVER')
  DUMMY_ACCOUNT.createKeyPair(options.accessKeyId, options.secretAccessKey)
  const configureBuckets = [{ name: bucket, configs: [corsRules(origin)] }]
  const app = new S3rver({ directory, silent: true, vhostBuckets: false, configureBuckets })
  const store = new Store(directory)
  app.store = app.context.store = store
  await app.configureBuckets()
  await rm(store.getResourcePath(bucket, undefined, 'drafts'), { recursive: true, force: true })
  // Before its router, after its XML writer.
  app.middleware.splice(-1, 0, manners(store))
  app.on('error', (error: Error & { expose?: boolean; code?: string }) => {
    if (!error.expose && error.code !== 'ERR_STREAM_PREMATURE_CLOSE' && error.code !== 'ECONNRESET') console.error(error.message)
  })
  const server = createServer(app.callback())
  // A part over a slow line may take long.
  server.requestTimeout = 0
  server.listen(options.port, '127.0.0.1', () => process.send?.('ready'))
  server.once('error', (error: Error) => {
    console.error(error.message)
    process.exit(1)
  })
}

process.once('disconnect', () => process.exit())
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit())
process.once('message', (options: Options) => serve(options))
