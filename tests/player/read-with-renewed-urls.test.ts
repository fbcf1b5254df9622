import { afterEach, expect, test, vi } from 'vitest'
import { fetchMedia, MediaFetchError, type VideoPlayerClip } from '../../src/player/clip-source.ts'
import { readWithRenewedUrls } from '../../src/player/read-with-renewed-urls.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

const clipWith = (url: string) => ({ id: 'swing', url, rendition: null }) as unknown as VideoPlayerClip
const read = async ({ url }: VideoPlayerClip) => (await fetchMedia(url!, {})).text()
/** Stubs a store that refuses every URL except `/renewed`. */
const stubStore = () => vi.stubGlobal('fetch', async (url: string) => new Response('sound', { status: url === '/renewed' ? 200 : 403 }))

test('a file whose signed URL has expired is read with a new one', async () => {
  stubStore()
  const expired = clipWith('/expired')
  const renew = vi.fn(async (_video: string) => clipWith('/renewed'))
  expect(await readWithRenewedUrls(expired, () => renew(expired.id), read)).toBe('sound')
  expect(renew.mock.calls).toEqual([['swing']])
})

test('a file is not read again if the store refuses it twice, or after an abort', async () => {
  stubStore()
  const renew = vi.fn(async () => clipWith('/refused'))
  await expect(readWithRenewedUrls(clipWith('/expired'), renew, read)).rejects.toThrow(MediaFetchError)
  expect(renew).toHaveBeenCalledTimes(1)
  const abort = async () => {
    throw new DOMException('aborted', 'AbortError')
  }
  await expect(readWithRenewedUrls(clipWith('/expired'), renew, abort)).rejects.toThrow('aborted')
  expect(renew).toHaveBeenCalledTimes(1)
})
