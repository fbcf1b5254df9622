import { afterAll, beforeAll, expect, test } from 'vitest'
import { PART_BYTES } from '../../../modules/folders/policy.ts'
import { type Objects, objects, StoreAway } from '../../../modules/media/objects.ts'
import { all, put, temporaryObjects } from './store.ts'

let server: Awaited<ReturnType<typeof temporaryObjects>>
let store: Objects
beforeAll(async () => {
  server = await temporaryObjects()
  store = server.store
})
afterAll(() => server.stop())

const bytes = (length: number, seed = 1) => new Uint8Array(length).map((_, i) => (i * 31 + seed) & 255)

test('an upload in parts: sent in any order, listed, put together', async () => {
  const key = 'videos/f/parts'
  const upload = { key, uploadId: await store.begin(key, 'video/mp4') }
  const pieces = [bytes(PART_BYTES, 1), bytes(100, 2)]
  for (const number of [2, 1]) {
    const piece = pieces[number - 1]!
    expect((await put(await store.signPart(upload, number, piece.length), piece)).status).toBe(200)
  }
  const parts = (await store.parts(upload))!
  expect(parts.map(p => [p.number, p.bytes])).toEqual([
    [1, PART_BYTES],
    [2, 100],
  ])
  expect(await store.head(key)).toBeNull()
  expect(await store.complete(upload, parts)).toBe(true)
  expect(await store.head(key)).toEqual({ bytes: PART_BYTES + 100, type: 'video/mp4' })
  expect(await store.read(key, PART_BYTES, PART_BYTES + 1000)).toEqual(bytes(100, 2))
  expect(await store.complete(upload, parts)).toBe(false)
  expect(await store.parts(upload)).toBeNull()
})

test('a signature holds a part to its length', async () => {
  const key = 'videos/f/length'
  const upload = { key, uploadId: await store.begin(key, 'video/mp4') }
  const url = await store.signPart(upload, 1, 100)
  expect((await put(url, bytes(101))).status).toBe(403)
  expect((await put(url, bytes(99))).status).toBe(403)
  expect((await put(url.replace('partNumber=1', 'partNumber=2'), bytes(100))).status).toBe(403)
  expect((await put(url, bytes(100), { 'content-type': 'video/mp4' })).status).toBe(200)
  await store.abort(upload)
  await store.abort(upload)
  expect(await store.parts(upload)).toBeNull()
  expect((await put(url, bytes(100))).status).toBe(404)
})

test('a signature holds a whole object to its length and type', async () => {
  const url = await store.signPut('posters/f/a', 'image/jpeg', 50)
  expect((await put(url, bytes(51), { 'content-type': 'image/jpeg' })).status).toBe(403)
  expect((await put(url, bytes(50), { 'content-type': 'text/html' })).status).toBe(403)
  expect((await put(url, bytes(50), { 'content-type': 'image/jpeg' })).status).toBe(200)
  expect(await store.head('posters/f/a')).toEqual({ bytes: 50, type: 'image/jpeg' })
})

test('a watching URL serves ranges, and stays the same for a quarter of an hour', async () => {
  await store.put('videos/f/watch', 'video/mp4', bytes(1000))
  // Two moments in the same quarter.
  const quarter = Math.floor(Date.now() / 900_000) * 900_000
  const url = await store.watch('videos/f/watch', new Date(quarter))
  expect(await store.watch('videos/f/watch', new Date(quarter + 899_999))).toBe(url)
  expect(await store.watch('videos/f/watch', new Date(quarter + 900_000))).not.toBe(url)
  const reply = await fetch(url, { headers: { range: 'bytes=10-19' } })
  expect([reply.status, reply.headers.get('content-type'), reply.headers.get('content-range')]).toEqual([
    206,
    'video/mp4',
    'bytes 10-19/1000',
  ])
  expect(reply.headers.get('cache-control')).toBe('private, max-age=1800, immutable')
  expect(new Uint8Array(await reply.arrayBuffer())).toEqual(bytes(1000).slice(10, 20))
  const old = await store.watch('videos/f/watch', new Date(quarter - 2 * 900_000))
  expect((await fetch(old)).status).toBe(403)
})

test('lists objects and uploads under way, removes both, and what is not there is no error', async () => {
  const keys = async () => (await all(store.list('lists/'))).map(o => o.key)
  await store.put('lists/a', 'text/plain', bytes(1))
  await store.put('lists/b', 'text/plain', bytes(1))
  expect(await keys()).toEqual(['lists/a', 'lists/b'])
  await store.remove('lists/a')
  await store.remove('lists/a')
  expect(await keys()).toEqual(['lists/b'])
  expect(await store.head('lists/a')).toBeNull()
  expect(await store.read('lists/a', 0, 10)).toBeNull()

  const upload = { key: 'lists/c', uploadId: await store.begin('lists/c', 'video/mp4') }
  const under = async () => (await all(store.multiparts())).filter(u => u.key === 'lists/c')
  expect(await under()).toEqual([{ ...upload, at: expect.any(Date) }])
  await store.abort(upload)
  expect(await under()).toEqual([])
})

test('a store that is away is told apart from one that says no', async () => {
  const nowhere = { region: 'us-east-1', bucket: 'b', accessKeyId: 'a', secretAccessKey: 's', pathStyle: true }
  const away = objects({ ...nowhere, endpoint: 'http://127.0.0.1:1' })
  await expect(away.head('x')).rejects.toThrow(StoreAway)
  away.close()
})

test('browsers are sent to the public address', async () => {
  const both = objects({
    region: 'us-east-1',
    bucket: 'b',
    accessKeyId: 'a',
    secretAccessKey: 's',
    pathStyle: true,
    endpoint: 'http://inside:9000',
    publicEndpoint: 'https://videos.example',
  })
  expect(await both.watch('k', new Date())).toMatch(/^https:\/\/videos\.example\/b\/k\?/)
  expect(await both.signPut('k', 'image/jpeg', 1)).toMatch(/^https:\/\/videos\.example\/b\/k\?/)
  expect(await both.signPart({ key: 'k', uploadId: 'u' }, 1, 1)).toMatch(/^https:\/\/videos\.example\/b\/k\?/)
  both.close()
})
