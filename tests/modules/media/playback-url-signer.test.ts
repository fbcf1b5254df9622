import { expect, test } from 'vitest'
import { MAX_CACHED_PLAYBACK_URLS, playbackUrlSigner } from '../../../modules/media/playback-url-signer.ts'

const QUARTER_MS = 900_000
const start = 100 * QUARTER_MS
function countingSigner() {
  const signed: string[] = []
  const url = playbackUrlSigner(async (key, date) => {
    signed.push(key)
    return `${key}?date=${date.getTime()}`
  })
  return { signed, url }
}

test('the URL of an object is signed once per quarter of an hour', async () => {
  const { signed, url } = countingSigner()
  expect(await url('a', new Date(start))).toBe(`a?date=${start}`)
  expect(await url('a', new Date(start + QUARTER_MS - 1))).toBe(`a?date=${start}`)
  expect(signed).toEqual(['a'])
  expect(await url('a', new Date(start + QUARTER_MS))).toBe(`a?date=${start + QUARTER_MS}`)
  expect(signed).toEqual(['a', 'a'])
})

test('each object has its own URL', async () => {
  const { url } = countingSigner()
  expect(await url('a', new Date(start))).not.toBe(await url('b', new Date(start)))
})

test('a limited number of signed URLs is kept', async () => {
  const { signed, url } = countingSigner()
  for (let i = 0; i < MAX_CACHED_PLAYBACK_URLS; i++) await url(`${i}`, new Date(start))
  await url('0', new Date(start))
  expect(signed).toHaveLength(MAX_CACHED_PLAYBACK_URLS + 1)
  await url('0', new Date(start))
  expect(signed).toHaveLength(MAX_CACHED_PLAYBACK_URLS + 1)
})

test('a URL whose signing failed is signed again', async () => {
  let isBroken = true
  const url = playbackUrlSigner(async key => {
    if (isBroken) throw new Error('no key')
    return key
  })
  await expect(url('a', new Date(start))).rejects.toThrow('no key')
  isBroken = false
  expect(await url('a', new Date(start))).toBe('a')
})

test('a URL from an interval that has ended is not kept for the next one', async () => {
  const started: ((url: string) => void)[] = []
  const url = playbackUrlSigner(() => new Promise(resolve => started.push(resolve)))
  const earlier = url('a', new Date(start))
  const later = url('a', new Date(start + QUARTER_MS))
  started[1]!('later')
  started[0]!('earlier')
  expect(await earlier).toBe('earlier')
  expect(await later).toBe('later')
  expect(await url('a', new Date(start + QUARTER_MS))).toBe('later')
})
