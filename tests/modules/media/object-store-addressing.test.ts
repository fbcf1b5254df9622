import dns from 'node:dns'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type BucketConfig, type ObjectStore, objectStore } from '../../../modules/media/object-store.ts'
import { startTemporaryS3 } from '../../support/s3.ts'
import { startVirtualHostedS3Proxy } from '../../support/virtual-hosted-s3-proxy.ts'
import { collectItems, putToSignedUrl } from './temporary-object-store.ts'

/** Tests everything that the product does with a bucket whose name is in the path of the URL, and with one whose name is in the host. */

let server: Awaited<ReturnType<typeof startTemporaryS3>>
let virtualHosted: Awaited<ReturnType<typeof startVirtualHostedS3Proxy>>
beforeAll(async () => {
  server = await startTemporaryS3()
  virtualHosted = await startVirtualHostedS3Proxy(server.config)
  // Not every machine resolves names under localhost.
  const lookup = dns.lookup
  vi.spyOn(dns, 'lookup').mockImplementation(((name: string, ...rest: [never, never]) =>
    lookup(name.endsWith('.localhost') ? '127.0.0.1' : name, ...rest)) as typeof dns.lookup)
})
afterAll(async () => {
  vi.restoreAllMocks()
  await virtualHosted.stop()
  await server.stop()
})

const bytes = (length: number) => new Uint8Array(length).map((_, i) => (i * 31) & 255)
const bodyOf = async (url: string) => {
  const reply = await fetch(url)
  return [reply.status, new Uint8Array(await reply.arrayBuffer())]
}

describe.each([
  { style: 'path', configOf: (): BucketConfig => server.config, addressOf: (host: string, bucket: string) => `http://${host}/${bucket}` },
  {
    style: 'virtual-hosted',
    configOf: (): BucketConfig => virtualHosted.config,
    addressOf: (host: string, bucket: string) => `http://${bucket}.${host}`,
  },
])('in $style style', ({ configOf, addressOf }) => {
  let store: ObjectStore
  let address: string
  beforeAll(() => {
    const config = configOf()
    store = objectStore(config)
    address = addressOf(new URL(config.endpoint!).host, config.bucket)
  })
  afterAll(() => store.close())

  test('an object is stored, described, read in part, listed and removed', async () => {
    await store.ready()
    const key = 'videos/f/a swing (1)+ñ'
    await store.put(key, 'video/mp4', bytes(1000))
    expect(await store.head(key)).toEqual({ bytes: 1000, type: 'video/mp4' })
    expect(await store.read(key, 10, 20)).toEqual(bytes(1000).slice(10, 20))
    expect((await collectItems(store.list('videos/f/'))).map(object => object.key)).toEqual([key])
    expect(await bodyOf(await store.signPlayback(key, new Date()))).toEqual([200, bytes(1000)])
    await store.remove(key)
    expect(await store.head(key)).toBeNull()
  })

  test('signed addresses upload and download, and name the bucket as the store expects', async () => {
    const key = 'renditions/f/b'
    const upload = await store.signPut(key, 'video/mp4', 50)
    expect((await putToSignedUrl(upload, bytes(51), { 'content-type': 'video/mp4' })).status).toBe(403)
    expect((await putToSignedUrl(upload, bytes(50), { 'content-type': 'video/mp4' })).status).toBe(200)
    const signed = [await store.signPlayback(key, new Date()), await store.signDownload(key, 'Swing 1.mp4'), await store.signFetch(key)]
    for (const url of signed) expect(await bodyOf(url)).toEqual([200, bytes(50)])
    for (const url of [upload, await store.signStore(key, 'video/mp4', 50), ...signed])
      expect(url.startsWith(`${address}/${key}?`)).toBe(true)
    expect(await store.origin()).toBe(new URL(address).origin)
    expect((await fetch(signed[0]!.replace(`/${key}?`, '/renditions/f/c?'))).status).toBe(403)
    await store.remove(key)
  })

  test('an upload in parts is signed, listed, completed and aborted', async () => {
    const key = 'incoming/f/c'
    const upload = { key, uploadId: await store.begin(key, 'video/mp4') }
    const url = await store.signPart(upload, 1, 100)
    expect(url.startsWith(`${address}/${key}?`)).toBe(true)
    expect((await putToSignedUrl(url, bytes(100))).status).toBe(200)
    const parts = (await store.parts(upload))!
    expect(parts.map(part => part.bytes)).toEqual([100])
    expect(await store.complete(upload, parts)).toBe(true)
    expect(await store.read(key, 0, 100)).toEqual(bytes(100))
    const dropped = { key, uploadId: await store.begin(key, 'video/mp4') }
    expect((await collectItems(store.multiparts())).map(({ uploadId }) => uploadId)).toEqual([dropped.uploadId])
    await store.abort(dropped)
    expect(await collectItems(store.multiparts())).toEqual([])
    await store.remove(key)
  })
})

test('a URL that is signed with the bucket in its host is refused for another host', async () => {
  const store = objectStore(virtualHosted.config)
  await store.put('k', 'text/plain', bytes(10))
  const url = await store.signPlayback('k', new Date())
  const host = new URL(url).host
  expect((await fetch(url.replace(host, `other.${host.split('.').slice(1).join('.')}`))).status).toBe(403)
  expect((await fetch(url)).status).toBe(200)
  await store.remove('k')
  store.close()
  const { bucket } = virtualHosted.config
  expect(new Set(virtualHosted.accepted.map(line => line.split(' ')[0]))).toEqual(new Set(['HEAD', 'PUT', 'GET', 'POST', 'DELETE']))
  expect(virtualHosted.accepted.filter(line => !line.includes(` ${bucket}.localhost:`) || line.includes(`/${bucket}/`))).toEqual([])
})
