import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
  ListObjectsV2Command,
  ListPartsCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { S3Config } from '../../src/config.ts'
import { startS3 } from '../../src/embedded/start-s3.ts'

const origin = 'http://127.0.0.1:4321'
const MB = 1024 * 1024
let dataDir: string
let server: Awaited<ReturnType<typeof startS3>>
let client: S3Client
const Bucket = 'diamondlink'

const clientOf = (config: S3Config) =>
  new S3Client({
    endpoint: config.endpoint,
    region: config.region,
    forcePathStyle: config.pathStyle,
    credentials: config,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 1,
  })
const start = async () => {
  server = await startS3({ dataDir, log: pino({ level: 'silent' }), origin })
  client = clientOf(server.config)
}
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'diamondlink-s3-'))
  await start()
})
afterAll(async () => {
  await server.stop()
  await rm(dataDir, { recursive: true })
})

const bytes = (size: number, fill: number) => new Uint8Array(size).fill(fill)
type Signable = GetObjectCommand | PutObjectCommand | UploadPartCommand
const sign = (command: Signable, options = {}) => getSignedUrl(client, command as GetObjectCommand, { expiresIn: 60, ...options })
const typed = { signableHeaders: new Set(['content-type']) }
const put = async (url: string, body: Uint8Array<ArrayBuffer>, headers = {}) =>
  fetch(url, { method: 'PUT', body, headers: { origin, ...headers } })
const begin = async (Key: string) =>
  (await client.send(new CreateMultipartUploadCommand({ Bucket, Key, ContentType: 'video/mp4' }))).UploadId!
const part = async (Key: string, UploadId: string, PartNumber: number, body: Uint8Array<ArrayBuffer>) => {
  const reply = await put(await sign(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, ContentLength: body.length })), body)
  expect(reply.status).toBe(200)
  return { PartNumber, ETag: reply.headers.get('etag')! }
}

test('parts are uploaded by presigned URLs, listed, completed, and read by ranges', async () => {
  const Key = 'videos/a b/swing (1).mp4'
  const UploadId = await begin(Key)
  const first = await part(Key, UploadId, 1, bytes(5 * MB, 1))
  await part(Key, UploadId, 2, bytes(MB, 7))
  const second = await part(Key, UploadId, 2, bytes(MB, 2))

  const listed = await client.send(new ListPartsCommand({ Bucket, Key, UploadId }))
  expect(listed.Parts?.map(p => [p.PartNumber, p.Size, p.ETag])).toEqual([
    [1, 5 * MB, first.ETag],
    [2, MB, second.ETag],
  ])
  expect(listed.IsTruncated).toBe(false)
  const page = await client.send(new ListPartsCommand({ Bucket, Key, UploadId, MaxParts: 1 }))
  expect([page.Parts?.length, page.IsTruncated, page.NextPartNumberMarker]).toEqual([1, true, '1'])
  const next = await client.send(new ListPartsCommand({ Bucket, Key, UploadId, PartNumberMarker: '1' }))
  expect(next.Parts?.map(p => p.PartNumber)).toEqual([2])

  await client.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts: [first, second] } }))
  const head = await client.send(new HeadObjectCommand({ Bucket, Key }))
  expect([head.ContentLength, head.ContentType]).toEqual([6 * MB, 'video/mp4'])
  await expect(client.send(new ListPartsCommand({ Bucket, Key, UploadId }))).rejects.toMatchObject({ name: 'NoSuchUpload' })

  const url = await sign(new GetObjectCommand({ Bucket, Key }))
  const range = async (value: string) => {
    const reply = await fetch(url, { headers: { range: value, origin } })
    return [reply.status, reply.headers.get('content-range'), [...new Uint8Array(await reply.arrayBuffer())].slice(0, 4)]
  }
  const size = 6 * MB
  expect(await range(`bytes=${5 * MB - 1}-${5 * MB}`)).toEqual([206, `bytes ${5 * MB - 1}-${5 * MB}/${size}`, [1, 2]])
  expect(await range('bytes=0-0')).toEqual([206, `bytes 0-0/${size}`, [1]])
  expect(await range('bytes=-2')).toEqual([206, `bytes ${size - 2}-${size - 1}/${size}`, [2, 2]])
  expect(await range(`bytes=${size - 1}-`)).toEqual([206, `bytes ${size - 1}-${size - 1}/${size}`, [2]])
  expect((await range(`bytes=${size}-`))[0]).toBe(416)
})

test('completing with missing, wrong, unordered or too small parts fails', async () => {
  const Key = 'wrong'
  const UploadId = await begin(Key)
  const one = await part(Key, UploadId, 1, bytes(5 * MB, 1))
  const two = await part(Key, UploadId, 2, bytes(10, 2))
  const small = await part(Key, UploadId, 3, bytes(10, 3))
  const complete = (Parts: { PartNumber: number; ETag: string }[]) =>
    client.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }))
  await expect(complete([one, { PartNumber: 9, ETag: two.ETag }])).rejects.toMatchObject({ name: 'InvalidPart' })
  await expect(complete([one, { ...two, ETag: one.ETag }])).rejects.toMatchObject({ name: 'InvalidPart' })
  await expect(complete([two, one])).rejects.toMatchObject({ name: 'InvalidPartOrder' })
  await expect(complete([one, two, small])).rejects.toMatchObject({ name: 'EntityTooSmall' })
  await expect(client.send(new HeadObjectCommand({ Bucket, Key }))).rejects.toMatchObject({ name: 'NotFound' })
  await complete([one, two])
  expect((await client.send(new HeadObjectCommand({ Bucket, Key }))).ContentLength).toBe(5 * MB + 10)
})

test('unfinished uploads are listed by prefix and aborted', async () => {
  const ids = [await begin('sweep/a'), await begin('sweep/b'), await begin('other')]
  await part('sweep/a', ids[0]!, 1, bytes(10, 1))
  const list = async () => (await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: 'sweep/' }))).Uploads ?? []
  const uploads = await list()
  expect(uploads.map(u => [u.Key, u.UploadId])).toEqual([
    ['sweep/a', ids[0]],
    ['sweep/b', ids[1]],
  ])
  expect(uploads[0]!.Initiated).toBeInstanceOf(Date)
  const page = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: 'sweep/', MaxUploads: 1 }))
  expect(page.IsTruncated).toBe(true)
  const rest = await client.send(
    new ListMultipartUploadsCommand({ Bucket, Prefix: 'sweep/', KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }),
  )
  expect(rest.Uploads?.map(u => u.Key)).toEqual(['sweep/b'])

  await client.send(new AbortMultipartUploadCommand({ Bucket, Key: 'sweep/a', UploadId: ids[0] }))
  expect((await list()).map(u => u.Key)).toEqual(['sweep/b'])
  const late = await put(await sign(new UploadPartCommand({ Bucket, Key: 'sweep/a', UploadId: ids[0], PartNumber: 2 })), bytes(10, 1))
  expect([late.status, await late.text()]).toEqual([404, expect.stringContaining('NoSuchUpload')])
  const again = client.send(new AbortMultipartUploadCommand({ Bucket, Key: 'sweep/a', UploadId: ids[0] }))
  await expect(again).rejects.toMatchObject({ name: 'NoSuchUpload' })
  expect((await list()).map(u => u.Key)).toEqual(['sweep/b'])
})

test('a signed PUT is refused if length, type or key differ, or once it has expired', async () => {
  const command = { Bucket, Key: 'signed', ContentLength: 10, ContentType: 'video/mp4' }
  const url = await sign(new PutObjectCommand(command), typed)
  const type = { 'content-type': 'video/mp4' }
  for (const [what, reply] of [
    ['longer', await put(url, bytes(11, 1), type)],
    ['shorter', await put(url, bytes(9, 1), type)],
    ['another type', await put(url, bytes(10, 1), { 'content-type': 'text/plain' })],
    ['another key', await put(url.replace('/signed', '/other'), bytes(10, 1), type)],
    ['another secret', await put(url.replace(/X-Amz-Signature=.{8}/, 'X-Amz-Signature=00000000'), bytes(10, 1), type)],
    ['unsigned', await put(url.split('?')[0]!, bytes(10, 1), type)],
    ['expired', await put(await sign(new PutObjectCommand(command), { signingDate: new Date(0) }), bytes(10, 1))],
  ] as const)
    expect([what, reply.status]).toEqual([what, 403])
  const chunked = await fetch(url, { method: 'PUT', body: new Blob([bytes(10, 1)]).stream(), headers: type, duplex: 'half' } as RequestInit)
  expect(chunked.status).toBeGreaterThanOrEqual(400)
  const unread = await fetch(`${server.config.endpoint}/${Bucket}/signed`)
  expect(unread.status).toBe(403)
  await expect(client.send(new HeadObjectCommand({ Bucket, Key: 'signed' }))).rejects.toMatchObject({ name: 'NotFound' })
  expect((await put(url, bytes(10, 1), type)).status).toBe(200)
})

test('an unsigned header cannot make a signed PUT copy another object, even in a part', async () => {
  await client.send(new PutObjectCommand({ Bucket, Key: 'private', Body: 'somebody else' }))
  const UploadId = await begin('copied-part')
  const urls = [
    await sign(new PutObjectCommand({ Bucket, Key: 'copied', ContentType: 'video/mp4', ContentLength: 3 }), typed),
    await sign(new UploadPartCommand({ Bucket, Key: 'copied-part', UploadId, PartNumber: 1, ContentLength: 3 })),
  ]
  for (const url of urls) {
    const copy = { 'x-amz-copy-source': `/${Bucket}/private`, 'content-type': 'video/mp4' }
    const reply = await put(url, bytes(3, 3), copy)
    expect([reply.status, reply.headers.get('content-type')]).toEqual([403, 'application/xml'])
    const text = await reply.text()
    expect(text).toContain('<Code>AccessDenied</Code>')
    expect(text).toContain('<Message>There were headers present in the request which were not signed</Message>')
    expect(text).toContain('<HeadersNotSigned>x-amz-copy-source</HeadersNotSigned>')
    expect((await put(url, bytes(3, 3), { 'content-type': 'video/mp4', 'x-amz-meta-a': 'b', 'X-Amz-Acl': 'public-read' })).status).toBe(403)
  }
  await expect(client.send(new HeadObjectCommand({ Bucket, Key: 'copied' }))).rejects.toMatchObject({ name: 'NotFound' })
  expect((await client.send(new ListPartsCommand({ Bucket, Key: 'copied-part', UploadId }))).Parts ?? []).toEqual([])
})

test('a client with the access keys can copy an object', async () => {
  await client.send(new PutObjectCommand({ Bucket, Key: 'from', Body: 'mine', ContentType: 'video/mp4' }))
  await client.send(new CopyObjectCommand({ Bucket, Key: 'to', CopySource: `${Bucket}/from` }))
  const there = await client.send(new GetObjectCommand({ Bucket, Key: 'to' }))
  expect([there.ContentType, await there.Body!.transformToString()]).toEqual(['video/mp4', 'mine'])
})

test('an interrupted upload does not change the existing object', async () => {
  const Key = 'broken'
  await client.send(new PutObjectCommand({ Bucket, Key, Body: bytes(100, 1) }))
  const url = new URL(await sign(new PutObjectCommand({ Bucket, Key, ContentLength: 1000 })))
  await new Promise<void>(done => {
    const socket = connect(Number(url.port), '127.0.0.1', () => {
      socket.write(`PUT ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\ncontent-length: 1000\r\n\r\n${'x'.repeat(500)}`, () =>
        socket.end(),
      )
    })
    socket.resume().on('close', () => done())
  })
  const kept = await client.send(new GetObjectCommand({ Bucket, Key }))
  expect([...(await kept.Body!.transformToByteArray())]).toEqual([...bytes(100, 1)])
})

test('only the configured bucket exists', async () => {
  await client.send(new HeadBucketCommand({ Bucket }))
  await expect(client.send(new HeadBucketCommand({ Bucket: 'another' }))).rejects.toMatchObject({ name: 'NotFound' })
})

test('CORS lets only pages of our origin upload and read the ETag', async () => {
  const url = await sign(new PutObjectCommand({ Bucket, Key: 'cors', ContentLength: 3 }))
  const preflight = (from: string) =>
    fetch(url, {
      method: 'OPTIONS',
      headers: { origin: from, 'access-control-request-method': 'PUT', 'access-control-request-headers': 'content-type,range' },
    })
  const allowed = await preflight(origin)
  expect([allowed.ok, allowed.headers.get('access-control-allow-methods')]).toEqual([true, expect.stringContaining('PUT')])
  expect((await preflight('https://elsewhere.example')).status).toBe(403)
  const reply = await put(url, bytes(3, 1))
  expect(reply.headers.get('access-control-allow-origin')).toBe(origin)
  expect(reply.headers.get('access-control-expose-headers')).toMatch(/ETag/i)
  expect(reply.headers.get('etag')).toMatch(/^"[0-9a-f]{32}"$/)
  const refused = await put(url, bytes(4, 1))
  expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([403, origin])
})

test('objects, open uploads and URLs survive a restart and a kill', async () => {
  const Key = 'kept'
  await client.send(new PutObjectCommand({ Bucket, Key, Body: 'hello', ContentType: 'text/plain' }))
  const UploadId = await begin('later')
  const one = await part('later', UploadId, 1, bytes(8, 8))
  const url = await sign(new GetObjectCommand({ Bucket, Key }))
  await server.stop()
  await start()
  expect(await (await fetch(url)).text()).toBe('hello')

  const { pid } = server
  process.kill(pid, 'SIGKILL')
  await expect
    .poll(() =>
      fetch(url).then(
        reply => reply.text(),
        () => 'not yet',
      ),
    )
    .toBe('hello')
  expect(server.pid).not.toBe(pid)
  await client.send(new CompleteMultipartUploadCommand({ Bucket, Key: 'later', UploadId, MultipartUpload: { Parts: [one] } }))
  const keys = (await client.send(new ListObjectsV2Command({ Bucket }))).Contents?.map(o => o.Key)
  expect(keys).toEqual(expect.arrayContaining(['kept', 'later']))
  await client.send(new DeleteObjectCommand({ Bucket, Key }))
  expect((await fetch(url)).status).toBe(404)
})

test('an upload whose start a kill interrupts is absent or can be completed', async () => {
  const keys = Array.from({ length: 60 }, (_, i) => `begun-${i}`)
  const begun = keys.map(Key => begin(Key).catch(() => undefined))
  await Promise.any(begun)
  process.kill(server.pid, 'SIGKILL')
  await Promise.all(begun)
  const list = () => client.send(new ListMultipartUploadsCommand({ Bucket }))
  await expect
    .poll(() =>
      list().then(
        () => 'there',
        () => 'not yet',
      ),
    )
    .toBe('there')
  const { Uploads = [] } = await list()
  expect(Uploads.map(u => u.Key)).not.toContain('')
  for (const { Key, UploadId } of Uploads.filter(u => keys.includes(u.Key!))) {
    const one = await part(Key!, UploadId!, 1, bytes(8, 8))
    await client.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts: [one] } }))
  }
})
