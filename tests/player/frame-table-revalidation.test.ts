import { afterEach, expect, test, vi } from 'vitest'
import { fetchTimeline } from '../../src/player/clip-source.ts'
import { createSampleClipData } from '../review-video/sample-review.ts'

afterEach(() => vi.unstubAllGlobals())

const url = 'https://store.test/table'
const clip = (state: 'waiting' | 'ready') => createSampleClipData('cached', { rendition: { state, table: url } as never })
const framesOf = async (state: 'waiting' | 'ready') => (await fetchTimeline(clip(state), new AbortController().signal))?.frames

test('the frame table of a finished rendition is revalidated once, and then cached', async () => {
  /** The number of frames in the table that the store has, and in the response that the browser has cached. */
  let [stored, cached] = [284, 0]
  let isOnline = true
  vi.stubGlobal('fetch', async (_: string, { cache }: RequestInit) => {
    const isCached = cached > 0 && cache !== 'no-cache'
    if (!isCached && !isOnline) throw new TypeError('Failed to fetch')
    if (!isCached) cached = stored
    return Response.json({ version: 1, scale: 30, first: 0, runs: [[cached, 1]] })
  })
  expect(await framesOf('waiting')).toBe(284)
  stored = 240
  expect(await framesOf('waiting')).toBe(284)
  expect(await framesOf('ready')).toBe(240)
  isOnline = false
  expect(await framesOf('ready')).toBe(240)
})
