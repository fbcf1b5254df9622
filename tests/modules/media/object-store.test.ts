import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ObjectStore, objectStore } from '../../../modules/media/object-store.ts'
import { ObjectStoreUnavailableError } from '../../../modules/media/object-store-errors.ts'
import { UPLOAD_PART_BYTES } from '../../../modules/media/policy.ts'
import { collectItems, putToSignedUrl, startTemporaryObjectStore } from './temporary-object-store.ts'

let server: Awaited<ReturnType<typeof startTemporaryObjectStore>>
let store: ObjectStore
beforeAll(async () => {
  server = await startTemporaryObjectStore()
  store = server.store
})
afterAll(() => server.stop())

let named = 0
const unusedKey = (key: string) => `${key}-${++named}`
const bytes = (length: number, seed = 1) => new Uint8Array(length).map((_, i) => (i * 31 + seed) & 255)

test('parts of an upload can be sent in any order, and are listed and assembled', async () => {
  const key = unusedKey('videos/f/parts')
  const upload = { key, uploadId: await store.begin(key, 'video/mp4') }
  const pieces = [bytes(UPLOAD_PART_BYTES, 1), bytes(100, 2)]
  for (const number of [2, 1]) {
    const piece = pieces[number - 1]!
    expect((await putToSignedUrl(await store.signPart(upload, number, piece.length), piece)).status).toBe(200)
  }
  const parts = (await store.parts(upload))!
  expect(parts.map(p => [p.number, p.bytes])).toEqual([
    [1, UPLOAD_PART_BYTES],
    [2, 100],
  ])
  expect(await store.head(key)).toBeNull()
  expect(await store.complete(upload, parts)).toBe(true)
  expect(await store.head(key)).toEqual({ bytes: UPLOAD_PART_BYTES + 100, type: 'video/mp4' })
  expect(await store.read(key, UPLOAD_PART_BYTES, UPLOAD_PART_BYTES + 1000)).toEqual(bytes(100, 2))
  expect(await store.complete(upload, parts)).toBe(false)
  expect(await store.parts(upload)).toBeNull()
})

test('a signed part URL accepts only its length', async () => {
  const key = 'videos/f/length'
  const upload = { key, uploadId: await store.begin(key, 'video/mp4') }
  const url = await store.signPart(upload, 1, 100)
  expect((await putToSignedUrl(url, bytes(101))).status).toBe(403)
  expect((await putToSignedUrl(url, bytes(99))).status).toBe(403)
  expect((await putToSignedUrl(url.replace('partNumber=1', 'partNumber=2'), bytes(100))).status).toBe(403)
  expect((await putToSignedUrl(url, bytes(100), { 'content-type': 'video/mp4' })).status).toBe(200)
  await store.abort(upload)
  await store.abort(upload)
  expect(await store.parts(upload)).toBeNull()
  expect((await putToSignedUrl(url, bytes(100))).status).toBe(404)
})

test('a signed object URL accepts only its length and type', async () => {
  const url = await store.signPut('posters/f/a', 'image/jpeg', 50)
  expect((await putToSignedUrl(url, bytes(51), { 'content-type': 'image/jpeg' })).status).toBe(403)
  expect((await putToSignedUrl(url, bytes(50), { 'content-type': 'text/html' })).status).toBe(403)
  expect((await putToSignedUrl(url, bytes(50), { 'content-type': 'image/jpeg' })).status).toBe(200)
  expect(await store.head('posters/f/a')).toEqual({ bytes: 50, type: 'image/jpeg' })
})

test('a playback URL serves ranges and stays unchanged for a quarter of an hour', async () => {
  await store.put('videos/f/watch', 'video/mp4', bytes(1000))
  // The start of the current quarter of an hour, in ms since 1970.
  const quarter = Math.floor(Date.now() / 900_000) * 900_000
  const url = await store.signPlayback('videos/f/watch', new Date(quarter))
  expect(await store.signPlayback('videos/f/watch', new Date(quarter + 899_999))).toBe(url)
  expect(await store.signPlayback('videos/f/watch', new Date(quarter + 900_000))).not.toBe(url)
  const reply = await fetch(url, { headers: { range: 'bytes=10-19' } })
  expect([reply.status, reply.headers.get('content-type'), reply.headers.get('content-range')]).toEqual([
    206,
    'video/mp4',
    'bytes 10-19/1000',
  ])
  expect(reply.headers.get('cache-control')).toBe('private, max-age=1800, immutable')
  expect(new Uint8Array(await reply.arrayBuffer())).toEqual(bytes(1000).slice(10, 20))
  const old = await store.signPlayback('videos/f/watch', new Date(quarter - 2 * 900_000))
  expect((await fetch(old)).status).toBe(403)
})

test('objects and uploads are listed and removed; removing a missing one is no error', async () => {
  const at = unusedKey('lists')
  const keys = async () => (await collectItems(store.list(`${at}/`))).map(o => o.key)
  await store.put(`${at}/a`, 'text/plain', bytes(1))
  await store.put(`${at}/b`, 'text/plain', bytes(1))
  expect(await keys()).toEqual([`${at}/a`, `${at}/b`])
  await store.remove(`${at}/a`)
  await store.remove(`${at}/a`)
  expect(await keys()).toEqual([`${at}/b`])
  expect(await store.head(`${at}/a`)).toBeNull()
  expect(await store.read(`${at}/a`, 0, 10)).toBeNull()

  const upload = { key: `${at}/c`, uploadId: await store.begin(`${at}/c`, 'video/mp4') }
  const under = async () => (await collectItems(store.multiparts())).filter(u => u.key === `${at}/c`)
  expect(await under()).toEqual([{ ...upload, at: expect.any(Date) }])
  await store.abort(upload)
  expect(await under()).toEqual([])
})

test('a store that cannot be reached is reported as unavailable', async () => {
  const nowhere = { region: 'us-east-1', bucket: 'b', accessKeyId: 'a', secretAccessKey: 's', pathStyle: true }
  const down = objectStore({ ...nowhere, endpoint: 'http://127.0.0.1:1' })
  await expect(down.head('x')).rejects.toThrow(ObjectStoreUnavailableError)
  down.close()
})

test('signed URLs use the public address of the store', async () => {
  const both = objectStore({
    region: 'us-east-1',
    bucket: 'b',
    accessKeyId: 'a',
    secretAccessKey: 's',
    pathStyle: true,
    endpoint: 'http://inside:9000',
    publicEndpoint: 'https://videos.example',
  })
  expect(await both.signPlayback('k', new Date())).toMatch(/^https:\/\/videos\.example\/b\/k\?/)
  expect(await both.signPut('k', 'image/jpeg', 1)).toMatch(/^https:\/\/videos\.example\/b\/k\?/)
  expect(await both.signPart({ key: 'k', uploadId: 'u' }, 1, 1)).toMatch(/^https:\/\/videos\.example\/b\/k\?/)
  both.close()
})

test('another process can fetch with a signed URL, or store its exact length and type', async () => {
  const url = await store.signStore('renditions/f/a', 'video/mp4', 50)
  expect((await putToSignedUrl(url, bytes(51), { 'content-type': 'video/mp4' })).status).toBe(403)
  expect((await putToSignedUrl(url, bytes(50), { 'content-type': 'text/html' })).status).toBe(403)
  expect((await putToSignedUrl(url, bytes(50), { 'content-type': 'video/mp4' })).status).toBe(200)
  const fetched = await fetch(await store.signFetch('renditions/f/a'))
  expect([fetched.status, new Uint8Array(await fetched.arrayBuffer())]).toEqual([200, bytes(50)])
  expect(await store.read('renditions/f/a', 10, 12)).toEqual(bytes(50).slice(10, 12))
})

test('a download keeps its file name in characters that every store accepts', async () => {
  const named = async (name: string) =>
    new URL(await store.signDownload('videos/f/a', name)).searchParams.get('response-content-disposition')
  expect(await named('Swing 1.mp4')).toBe('attachment; filename="Swing 1.mp4"')
  expect(await named('Ána\'s "best"/ñ-孫.mp4')).toBe('attachment; filename="Ana_s _best__n-_.mp4"')
})

const config = { region: 'us-east-1', bucket: 'swings', accessKeyId: 'a', secretAccessKey: 's', pathStyle: true }

test('URLs are valid for an hour (upload), 15 minutes (download) or 30 (playback)', async () => {
  const bucket = objectStore({ ...config, endpoint: 'http://inside:9000', publicEndpoint: 'https://videos.example' })
  const upload = { key: 'k', uploadId: 'u' }
  const urls = await Promise.all([
    ...[bucket.signPart(upload, 1, 1), bucket.signPut('k', 't', 1), bucket.signFetch('k'), bucket.signStore('k', 't', 1)],
    ...[bucket.signDownload('k', 'Swing 1.mp4'), bucket.signPlayback('k', new Date())],
  ])
  bucket.close()
  // URLs for our own processes use the internal address.
  const [outside, inside] = ['https://videos.example', 'http://inside:9000']
  expect(urls.map(url => [new URL(url).origin, Number(new URL(url).searchParams.get('X-Amz-Expires'))])).toEqual([
    [outside, 3600],
    [outside, 3600],
    [inside, 3600],
    [inside, 3600],
    [outside, 900],
    [outside, 1800],
  ])
  expect(new Set(urls.map(url => new URL(url).pathname))).toEqual(new Set(['/swings/k']))
  expect(new URL(urls[4]!).searchParams.get('response-content-disposition')).toBe('attachment; filename="Swing 1.mp4"')
})

test('the origin for browsers is that of signed URLs, however buckets are addressed', async () => {
  const originOf = async (changes: object) => {
    const bucket = objectStore({ ...config, endpoint: 'http://inside:9000', ...changes })
    const origin = await bucket.origin()
    bucket.close()
    return origin
  }
  expect(await originOf({})).toBe('http://inside:9000')
  expect(await originOf({ pathStyle: false })).toBe('http://swings.inside:9000')
  expect(await originOf({ publicEndpoint: 'https://videos.example' })).toBe('https://videos.example')
})

test('every call to an unavailable store reports that it is unavailable', async () => {
  const down = objectStore({ ...config, endpoint: 'http://127.0.0.1:1' })
  const upload = { key: 'k', uploadId: 'u' }
  const calls = [
    ...[down.ready(), down.begin('k', 't'), down.parts(upload), down.complete(upload, []), down.abort(upload), down.head('k')],
    ...[down.read('k', 0, 1), down.put('k', 't', bytes(1)), down.remove('k'), collectItems(down.multiparts()), collectItems(down.list(''))],
  ]
  for (const call of await Promise.allSettled(calls)) {
    expect(call).toMatchObject({ status: 'rejected', reason: expect.any(ObjectStoreUnavailableError) })
    expect((call as PromiseRejectedResult).reason.cause).toBeInstanceOf(Error)
  }
  down.close()
})
