import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ObjectStore, objectStore } from '../../../modules/media/object-store.ts'
import { ObjectStoreUnavailableError } from '../../../modules/media/object-store-errors.ts'
import { collectItems } from './temporary-object-store.ts'

const config = { region: 'us-east-1', bucket: 'swings', accessKeyId: 'a', secretAccessKey: 's', pathStyle: true }
const bytes = (length: number) => new Uint8Array(length)

let requests: URL[]
let answer: (url: URL) => [status: number, body: string, headers?: Record<string, string>]
let s3: ReturnType<typeof createServer>
let bucket: ObjectStore
beforeAll(async () => {
  s3 = createServer((req, res) => {
    const url = new URL(req.url!, 'http://s3.test')
    requests.push(url)
    const [status, body, headers] = answer(url)
    res.writeHead(status, { 'content-type': 'application/xml', ...headers }).end(body)
  }).listen(0, '127.0.0.1')
  await once(s3, 'listening')
  bucket = objectStore({ ...config, endpoint: `http://127.0.0.1:${(s3.address() as AddressInfo).port}` })
})
beforeEach(() => {
  requests = []
})
afterAll(async () => {
  bucket.close()
  s3.closeAllConnections()
  await new Promise(done => s3.close(done))
})
const error = (status: number, code: string): [number, string] => [status, `<Error><Code>${code}</Code><Message>no</Message></Error>`]

test('a 5xx response counts as an outage, a 4xx response does not', async () => {
  answer = () => error(500, 'InternalError')
  await expect(bucket.put('k', 't', bytes(1))).rejects.toThrow('the object store does not answer')
  answer = () => error(403, 'AccessDenied')
  const refused = await bucket.put('k', 't', bytes(1)).catch(e => e)
  expect([refused instanceof ObjectStoreUnavailableError, refused.name]).toEqual([false, 'AccessDenied'])
  await expect(bucket.ready()).rejects.not.toBeInstanceOf(ObjectStoreUnavailableError)
  answer = () => [200, '']
  expect(await bucket.ready()).toBeUndefined()
})

test('clock skew counts as an outage, even if only the Date header reveals it', async () => {
  answer = () => error(403, 'RequestTimeTooSkewed')
  const skewed = bucket.put('k', 't', bytes(1))
  await expect(skewed).rejects.toThrow(/clock of this machine/)
  await expect(skewed).rejects.toMatchObject({ cause: { name: 'RequestTimeTooSkewed' } })
  const date = new Date(Date.now() - 16 * 60_000).toUTCString()
  answer = () => [403, '', { date }]
  await expect(bucket.head('k')).rejects.toThrow(ObjectStoreUnavailableError)
  answer = () => [400, '', { date }]
  await expect(bucket.head('k')).rejects.not.toBeInstanceOf(ObjectStoreUnavailableError)
  answer = () => [403, '', { date: new Date().toUTCString() }]
  await expect(bucket.head('k')).rejects.not.toBeInstanceOf(ObjectStoreUnavailableError)
})

test('a missing object is distinguished from a refused request', async () => {
  const upload = { key: 'k', uploadId: 'u' }
  answer = () => error(404, 'NoSuchUpload')
  expect([await bucket.parts(upload), await bucket.complete(upload, []), await bucket.abort(upload)]).toEqual([null, false, undefined])
  answer = () => error(404, 'NoSuchKey')
  expect(await bucket.read('k', 0, 9)).toBeNull()
  answer = () => error(400, 'InvalidPart')
  expect(await bucket.complete(upload, [])).toBe(false)
  await expect(bucket.parts(upload)).rejects.toMatchObject({ name: 'InvalidPart' })
  answer = () => error(403, 'AccessDenied')
  for (const call of [
    () => bucket.parts(upload),
    () => bucket.complete(upload, []),
    () => bucket.abort(upload),
    () => bucket.read('k', 0, 9),
  ])
    await expect(call()).rejects.toMatchObject({ name: 'AccessDenied' })
})

test('a list of several pages is read to its end', async () => {
  const page = (name: string, nextMarker: string | null, inner: string): [number, string] => [
    200,
    `<${name}>${inner}<IsTruncated>${nextMarker !== null}</IsTruncated>${nextMarker ?? ''}</${name}>`,
  ]
  const part = (n: number) => `<Part><PartNumber>${n}</PartNumber><ETag>e${n}</ETag><Size>${n}</Size></Part>`
  answer = url =>
    url.searchParams.get('part-number-marker') === '2'
      ? page('ListPartsResult', null, `${part(3)}<NextPartNumberMarker>3</NextPartNumberMarker>`)
      : page('ListPartsResult', '<NextPartNumberMarker>2</NextPartNumberMarker>', part(1) + part(2))
  expect((await bucket.parts({ key: 'k', uploadId: 'u' }))!.map(p => [p.number, p.etag, p.bytes])).toEqual(
    [1, 2, 3].map(n => [n, `e${n}`, n]),
  )

  const at = '2026-06-01T12:00:00.000Z'
  const upload = (key: string) => `<Upload><Key>${key}</Key><UploadId>u${key}</UploadId><Initiated>${at}</Initiated></Upload>`
  answer = url =>
    url.searchParams.get('key-marker') === 'b' && url.searchParams.get('upload-id-marker') === 'ub'
      ? page('ListMultipartUploadsResult', null, upload('c'))
      : page(
          'ListMultipartUploadsResult',
          '<NextKeyMarker>b</NextKeyMarker><NextUploadIdMarker>ub</NextUploadIdMarker>',
          upload('a') + upload('b'),
        )
  expect(await collectItems(bucket.multiparts())).toEqual(['a', 'b', 'c'].map(key => ({ key, uploadId: `u${key}`, at: new Date(at) })))

  const object = (key: string) => `<Contents><Key>${key}</Key><LastModified>${at}</LastModified></Contents>`
  answer = url =>
    url.searchParams.get('continuation-token') === 'more'
      ? page('ListBucketResult', null, object('p/c'))
      : page('ListBucketResult', '<NextContinuationToken>more</NextContinuationToken>', object('p/a') + object('p/b'))
  expect((await collectItems(bucket.list('p/'))).map(o => o.key)).toEqual(['p/a', 'p/b', 'p/c'])
  expect(requests.some(url => url.searchParams.get('prefix') === 'p/')).toBe(true)

  // A response may contain no items.
  answer = () => page('ListResult', null, '')
  expect([
    await bucket.parts({ key: 'k', uploadId: 'u' }),
    await collectItems(bucket.multiparts()),
    await collectItems(bucket.list('p/')),
  ]).toEqual([[], [], []])
})
