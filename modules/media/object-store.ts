import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListPartsCommand,
  type ListPartsCommandOutput,
  PutObjectCommand,
  paginateListObjectsV2,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { type Logger, silentLogger } from '../kernel/logger-interface.ts'
import { createOutageLogger } from '../kernel/outage-logger.ts'
import { createS3Client } from './create-s3-client.ts'
import { MISSING_OBJECT_ERRORS, ObjectStoreUnavailableError, translateObjectStoreErrors } from './object-store-errors.ts'
import { playbackUrlSigner } from './playback-url-signer.ts'
import { PLAYBACK_URL_REUSE_SECONDS, TRANSFER_URL_SECONDS } from './policy.ts'

/** A bucket and how to reach it. `publicEndpoint` is where browsers find it, if that differs. */
export interface BucketConfig {
  endpoint?: string
  publicEndpoint?: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  pathStyle: boolean
  /** Keys that sign browsers' uploads and may only put objects under `incoming/` and `voices/`. If absent, the other keys are used. */
  uploadAccessKeyId?: string
  uploadSecretAccessKey?: string
}

export interface UploadedPart {
  /** From 1. */
  number: number
  etag: string
  bytes: number
}
/** A multipart upload in progress. */
export interface MultipartUploadReference {
  key: string
  /** The store's id for the upload. */
  uploadId: string
}

/** A store on one disk needs several seconds to copy half a gigabyte, so copies may take longer than other calls. */
const COPY_TIMEOUT_MS = 120_000

/** A hanging store must not delay a request for longer than a browser waits. */
const REQUEST_TIMEOUT_MS = 20_000
/** S3 accepts 10,000 parts, which is 80 GB with parts of this size. */
const STREAM_PART_BYTES = 8 * 2 ** 20

export type ObjectStore = ReturnType<typeof objectStore>

/** Object storage over the S3 API. Every call but `list` throws `ObjectStoreUnavailableError` if the store is unavailable. */
export function objectStore(config: BucketConfig, log: Logger = silentLogger) {
  const Bucket = config.bucket
  const outage = createOutageLogger(log, 'the object store')
  const watched = <T>(call: Promise<T>) =>
    outage.watch(translateObjectStoreErrors(call), error => error instanceof ObjectStoreUnavailableError)
  /** The response, or null if the object or upload does not exist. */
  const nullIfMissing = <T>(call: Promise<T>, names = MISSING_OBJECT_ERRORS): Promise<T | null> =>
    watched(call).catch(error => {
      if (error instanceof S3ServiceException && names.has(error.name)) return null
      throw error
    })
  const clientAt = (endpoint?: string, keys: Pick<BucketConfig, 'accessKeyId' | 'secretAccessKey'> = config) =>
    createS3Client({ ...config, endpoint, accessKeyId: keys.accessKeyId, secretAccessKey: keys.secretAccessKey }, REQUEST_TIMEOUT_MS)
  const client = clientAt(config.endpoint)
  /** Signs URLs for browsers, which may reach the store at another endpoint. */
  const publicClient = config.publicEndpoint && config.publicEndpoint !== config.endpoint ? clientAt(config.publicEndpoint) : client
  const signPlayback = playbackUrlSigner((key, signingDate) =>
    getSignedUrl(
      publicClient,
      new GetObjectCommand({ Bucket, Key: key, ResponseCacheControl: `private, max-age=${2 * PLAYBACK_URL_REUSE_SECONDS}, immutable` }),
      { signingDate, expiresIn: 2 * PLAYBACK_URL_REUSE_SECONDS },
    ),
  )

  const { uploadAccessKeyId, uploadSecretAccessKey } = config
  const uploadClient =
    uploadAccessKeyId && uploadSecretAccessKey
      ? clientAt(config.publicEndpoint ?? config.endpoint, { accessKeyId: uploadAccessKeyId, secretAccessKey: uploadSecretAccessKey })
      : publicClient

  return {
    /** Checks that the store responds and accepts our keys. */
    ready: () => watched(client.send(new HeadBucketCommand({ Bucket }))).then(() => {}),

    /** Begins a multipart upload of an object with this content type. @returns the store's id for it */
    async begin(key: string, type: string): Promise<string> {
      const begun = await watched(client.send(new CreateMultipartUploadCommand({ Bucket, Key: key, ContentType: type })))
      return begun.UploadId!
    },

    /** A URL that accepts a PUT of exactly `bytes` bytes, as this part. */
    signPart: ({ key, uploadId }: MultipartUploadReference, number: number, bytes: number) =>
      getSignedUrl(
        uploadClient,
        new UploadPartCommand({ Bucket, Key: key, UploadId: uploadId, PartNumber: number, ContentLength: bytes }),
        {
          expiresIn: TRANSFER_URL_SECONDS,
        },
      ),

    /** The parts that have arrived, in order; null if there is no such upload (anymore). */
    async parts({ key, uploadId }: MultipartUploadReference): Promise<UploadedPart[] | null> {
      const list = async () => {
        const parts: UploadedPart[] = []
        // The library's paginator never ends if a store names a next marker on its last page.
        for (let PartNumberMarker: string | undefined, hasMore = true; hasMore; ) {
          const page: ListPartsCommandOutput = await client.send(
            new ListPartsCommand({ Bucket, Key: key, UploadId: uploadId, PartNumberMarker }),
          )
          for (const p of page.Parts ?? []) parts.push({ number: p.PartNumber!, etag: p.ETag!, bytes: p.Size! })
          hasMore = page.IsTruncated === true
          PartNumberMarker = page.NextPartNumberMarker
        }
        return parts
      }
      return nullIfMissing(list())
    },

    /** Assembles the object from its parts. @returns false if the upload no longer exists or does not have these parts */
    async complete({ key, uploadId }: MultipartUploadReference, parts: UploadedPart[]): Promise<boolean> {
      const Parts = parts.map(p => ({ PartNumber: p.number, ETag: p.etag }))
      const done = client.send(new CompleteMultipartUploadCommand({ Bucket, Key: key, UploadId: uploadId, MultipartUpload: { Parts } }))
      return (await nullIfMissing(done, new Set([...MISSING_OBJECT_ERRORS, 'InvalidPart']))) !== null
    },

    async abort({ key, uploadId }: MultipartUploadReference) {
      await nullIfMissing(client.send(new AbortMultipartUploadCommand({ Bucket, Key: key, UploadId: uploadId })))
    },

    /** A URL that accepts a PUT of a whole object of exactly this type and length. */
    signPut: (key: string, type: string, bytes: number) =>
      getSignedUrl(uploadClient, new PutObjectCommand({ Bucket, Key: key, ContentType: type, ContentLength: bytes }), {
        expiresIn: TRANSFER_URL_SECONDS,
        signableHeaders: new Set(['content-type', 'content-length']),
      }),

    /** A URL with which another process of this program fetches an object without having the access keys. */
    signFetch: (key: string) => getSignedUrl(client, new GetObjectCommand({ Bucket, Key: key }), { expiresIn: TRANSFER_URL_SECONDS }),
    /** A URL with which another process of this program stores an object of exactly this type and length without having the access keys. */
    signStore: (key: string, type: string, bytes: number) =>
      getSignedUrl(client, new PutObjectCommand({ Bucket, Key: key, ContentType: type, ContentLength: bytes }), {
        expiresIn: TRANSFER_URL_SECONDS,
        signableHeaders: new Set(['content-type', 'content-length']),
      }),

    /** A URL that downloads an object as a file of this name. */
    signDownload: (key: string, name: string) =>
      getSignedUrl(publicClient, new GetObjectCommand({ Bucket, Key: key, ResponseContentDisposition: attachment(name) }), {
        expiresIn: PLAYBACK_URL_REUSE_SECONDS,
      }),

    /** A URL for watching an object. The same URL is returned for a quarter of an hour. */
    signPlayback,

    /** The origin of signed URLs. In the virtual-hosted style it includes the bucket. */
    async origin(): Promise<string> {
      return new URL(await getSignedUrl(publicClient, new GetObjectCommand({ Bucket, Key: 'any' }))).origin
    },

    /** Size and type of an object; null if there is none. */
    async head(key: string): Promise<{ bytes: number; type: string } | null> {
      const response = await nullIfMissing(client.send(new HeadObjectCommand({ Bucket, Key: key })))
      return response && { bytes: response.ContentLength!, type: response.ContentType ?? '' }
    },

    /** Bytes `start` up to, not including, `end`; fewer at the end of the object. Null if there is no such object. */
    async read(key: string, start: number, end: number): Promise<Uint8Array | null> {
      const response = await nullIfMissing(client.send(new GetObjectCommand({ Bucket, Key: key, Range: `bytes=${start}-${end - 1}` })))
      return response && watched(response.Body!.transformToByteArray())
    },

    /** A whole object as a stream, for objects too large to hold in memory. Null if there is no such object. */
    async stream(key: string): Promise<ReadableStream<Uint8Array> | null> {
      const response = await nullIfMissing(client.send(new GetObjectCommand({ Bucket, Key: key })))
      return response && (response.Body!.transformToWebStream() as ReadableStream<Uint8Array>)
    },

    /** Stores a stream of any length, holding one part in memory at a time. @returns the number of bytes */
    async putStream(key: string, type: string, body: ReadableStream<Uint8Array>): Promise<number> {
      const uploadId = await this.begin(key, type)
      const parts: UploadedPart[] = []
      try {
        for await (const part of inParts(body, STREAM_PART_BYTES)) {
          const number = parts.length + 1
          const sent = await watched(
            client.send(new UploadPartCommand({ Bucket, Key: key, UploadId: uploadId, PartNumber: number, Body: part })),
          )
          parts.push({ number, etag: sent.ETag!, bytes: part.length })
        }
        if (!(await this.complete({ key, uploadId }, parts)))
          throw new ObjectStoreUnavailableError('the object store lost an upload under way')
      } catch (error) {
        await this.abort({ key, uploadId }).catch(() => {})
        throw error
      }
      return parts.reduce((sum, part) => sum + part.bytes, 0)
    },

    /** Stores bytes that this server holds, replacing any object with this key. */
    async put(key: string, type: string, body: Uint8Array) {
      await watched(client.send(new PutObjectCommand({ Bucket, Key: key, ContentType: type, Body: body })))
    },

    /** Copies an object with its type inside the store, replacing any object at `to`. */
    async copy(from: string, to: string) {
      const CopySource = `${Bucket}/${from.split('/').map(encodeURIComponent).join('/')}`
      await watched(client.send(new CopyObjectCommand({ Bucket, Key: to, CopySource }), { requestTimeout: COPY_TIMEOUT_MS }))
    },

    /** Deletes an object. A missing one counts as deleted. */
    async remove(key: string) {
      await watched(client.send(new DeleteObjectCommand({ Bucket, Key: key })))
    },

    /** Every object whose key begins with this prefix. */
    async *list(prefix: string): AsyncGenerator<{ key: string; at: Date }> {
      const pages = paginateListObjectsV2({ client }, { Bucket, Prefix: prefix })
      for (;;) {
        const { value: page, done } = await watched(pages.next())
        if (done) return
        for (const o of page.Contents ?? []) yield { key: o.Key!, at: o.LastModified! }
      }
    },

    /** Every multipart upload that was begun and neither completed nor aborted. */
    async *multiparts(): AsyncGenerator<MultipartUploadReference & { at: Date }> {
      let KeyMarker: string | undefined
      let UploadIdMarker: string | undefined
      for (;;) {
        const page: ListMultipartUploadsCommandOutput = await watched(
          client.send(new ListMultipartUploadsCommand({ Bucket, KeyMarker, UploadIdMarker })),
        )
        for (const u of page.Uploads ?? []) yield { key: u.Key!, uploadId: u.UploadId!, at: u.Initiated! }
        if (!page.IsTruncated) return
        ;[KeyMarker, UploadIdMarker] = [page.NextKeyMarker, page.NextUploadIdMarker]
      }
    },

    close: () => {
      for (const s3Client of new Set([client, publicClient, uploadClient])) s3Client.destroy()
    },
  }
}

/** Cuts a stream into pieces of `bytes` bytes; the last one may be shorter. */
async function* inParts(body: ReadableStream<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  let part = new Uint8Array(bytes)
  let filled = 0
  for await (const chunk of body) {
    for (let from = 0; from < chunk.length; ) {
      const taken = Math.min(bytes - filled, chunk.length - from)
      part.set(chunk.subarray(from, from + taken), filled)
      from += taken
      filled += taken
      if (filled < bytes) continue
      yield part
      part = new Uint8Array(bytes)
      filled = 0
    }
  }
  if (filled) yield part.subarray(0, filled)
}

/** A content-disposition header with a file name in characters that every store accepts in a signed URL. */
const attachment = (name: string) => {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\w .-]/g, '_')
  return `attachment; filename="${plain}"`
}
