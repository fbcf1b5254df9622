/**
 * The embedded S3 server, in a separate process: s3rver, with corrections where it deviates from S3. Without them, s3rver serves unsigned
 * requests, obeys unsigned headers of signed ones, cannot list or abort multipart uploads, completes them without checking the parts,
 * replaces a complete object with a broken upload, and gets the ranges `0-0` and `-500` wrong. This file runs on plain Node, which strips
 * the types. The parent's first message contains the options; the process exits when its parent does.
 */
import { mkdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { AtomicFilesystemStore, resolveToNull } from './s3-atomic-filesystem-store.ts'
import { unsignedHeaders } from './s3-find-unsigned-amz-headers.ts'

export interface S3ServerOptions {
  directory: string
  port: number
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  /** The origin whose pages may call this server from a browser (CORS). */
  origin: string
}

// s3rver has no type definitions, so its modules are loaded untyped, by `require`.
const require = createRequire(import.meta.url)
const S3rver = require('@20minutes/s3rver')
const S3Error = require('@20minutes/s3rver/lib/models/error')
const { DUMMY_ACCOUNT } = require('@20minutes/s3rver/lib/models/account')
const authenticate = require('@20minutes/s3rver/lib/middleware/authentication')()
const cors = require('@20minutes/s3rver/lib/middleware/cors')()
// biome-ignore lint/suspicious/noExplicitAny: Koa's context, which comes without types here
type Context = any
type Next = () => Promise<unknown>

const xmlns = { '@': { xmlns: 'http://s3.amazonaws.com/doc/2006-03-01/' } }

/**
 * Requires a signature on every request except CORS preflights. s3rver's own check drops a trailing slash, which the SDK sends after a bare
 * bucket name; so the check runs here with the full path, and s3rver's later check has nothing left to do.
 */
async function requireSignature(ctx: Context) {
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

/** Adds the multipart operations that s3rver lacks, requires signatures, and handles ranges by S3's rules. */
const withS3Semantics = (store: AtomicFilesystemStore) => async (ctx: Context, next: Next) => {
  const [, bucket = '', key = ''] = /^\/([^/]*)\/?(.*)$/s.exec(decodeURIComponent(ctx.path))!
  ctx.params = { bucket, key }
  if (ctx.method === 'OPTIONS') return next()
  await cors(ctx, () => requireSignature(ctx))

  // Health checks send HEAD for the bucket often, and s3rver would read the whole directory each time.
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
        Bucket: bucket,
        Key: key,
        UploadId: uploadId,
        PartNumberMarker: after,
        MaxParts: most,
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
        Bucket: bucket,
        Prefix: ctx.query.prefix ?? '',
        KeyMarker: afterKey,
        UploadIdMarker: afterId,
        MaxUploads: most,
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

/** Rewrites a range such as `bytes=-500` to `bytes=a-`, because s3rver needs a start. Removes a header that is not a single range. */
async function plainRange(ctx: Context, store: AtomicFilesystemStore) {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(ctx.headers.range) ?? []
  if (from) return
  const metadata = to && (await store.getMetadata(ctx.params.bucket, ctx.params.key).catch(resolveToNull))
  if (metadata) ctx.headers.range = `bytes=${Math.max(0, metadata['content-length'] - Number(to))}-`
  else delete ctx.headers.range
}

const corsRules = (origin: string) => `<CORSConfiguration><CORSRule>
${[...new Set([origin, origin.replace('//127.0.0.1', '//localhost')])].map(o => `<AllowedOrigin>${o}</AllowedOrigin>`).join('')}
<AllowedMethod>GET</AllowedMethod><AllowedMethod>HEAD</AllowedMethod><AllowedMethod>PUT</AllowedMethod>
<AllowedHeader>*</AllowedHeader><ExposeHeader>ETag</ExposeHeader><ExposeHeader>Content-Range</ExposeHeader>
<MaxAgeSeconds>3600</MaxAgeSeconds></CORSRule></CORSConfiguration>`

async function serve(options: S3ServerOptions) {
  const { directory, bucket, origin } = options
  await mkdir(directory, { recursive: true })
  DUMMY_ACCOUNT.revokeAccessKey('S3RVER')
  DUMMY_ACCOUNT.createKeyPair(options.accessKeyId, options.secretAccessKey)
  const configureBuckets = [{ name: bucket, configs: [corsRules(origin)] }]
  const app = new S3rver({ directory, silent: true, vhostBuckets: false, configureBuckets })
  const store = new AtomicFilesystemStore(directory)
  app.store = app.context.store = store
  await app.configureBuckets()
  await rm(store.getResourcePath(bucket, undefined, 'drafts'), { recursive: true, force: true })
  // This middleware has to run before s3rver's router but after its XML writer.
  app.middleware.splice(-1, 0, withS3Semantics(store))
  app.on('error', (error: Error & { expose?: boolean; code?: string }) => {
    if (!error.expose && error.code !== 'ERR_STREAM_PREMATURE_CLOSE' && error.code !== 'ECONNRESET') console.error(error.message)
  })
  const server = createServer(app.callback())
  // Uploading a part over a slow connection may take long, so there is no time limit.
  server.requestTimeout = 0
  server.listen(options.port, '127.0.0.1', () => process.send?.('ready'))
  server.once('error', (error: Error) => {
    console.error(error.message)
    process.exit(1)
  })
}

process.once('disconnect', () => process.exit())
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit())
process.once('message', (options: S3ServerOptions) => serve(options))
