import { afterEach, expect, test, vi } from 'vitest'
import type { Folder } from '../../modules/folders/contract.ts'
import { sessionZipEntries } from '../../src/download/session-zip-entries.ts'
import type { ReviewedSession } from '../../src/folders/reviewed-session-type.ts'
import { MediaFetchError } from '../../src/player/clip-source.ts'
import { createSampleClipData } from '../review-video/sample-review.ts'

afterEach(() => vi.unstubAllGlobals())

const table = { version: 1, scale: 30, first: 0, runs: [[60, 1]] }
/** A session with two originals and a voice-over. Its URLs contain the round in which they were signed; a round ends when they expire. */
const signedSession = (round: number) => {
  const url = (name: string) => `https://store.test/${name}?round=${round}`
  const clip = (id: string) =>
    createSampleClipData(id, { url: url(id), rendition: { state: 'ready', url: null, table: url(`${id}.json`) } as never })
  const voice = { id: 'voice', video: 'a', frame: 0, milliseconds: 1000, bytes: 1, type: 'audio/mp4' as const, actions: [] }
  return {
    id: 's',
    instructor: { name: 'Ray' },
    clips: [clip('a'), clip('b')],
    compared: [],
    voices: [{ ...voice, url: url('voice') }],
    review: { summary: '', grades: [], notes: [], voices: [voice] },
  } as unknown as ReviewedSession
}
const folder = { id: 'f', name: 'Bullpen', player: { name: 'Mia' } } as unknown as Folder

/** Returns the names and texts of the first five files: the read-me, the videos, and the voice-over with its data. */
async function firstFiles() {
  const files: [string, string][] = []
  for await (const { name, input } of sessionZipEntries(folder, signedSession(0), {} as never, new AbortController().signal)) {
    files.push([name, await new Response(input as ReadableStream).text()])
    if (files.length === 5) break
  }
  return files
}

/** Stubs a store whose URLs expire after every `validRequests` requests, and the API, which returns the folder with the newest URLs. */
function stubStore(validRequests: number) {
  let requests = 0
  vi.stubGlobal('fetch', async (address: string) => {
    const round = Math.floor(requests / validRequests)
    if (address.startsWith('/api/folders/f?session=s')) return Response.json({ ...folder, session: signedSession(round), clips: [] })
    const url = new URL(address)
    if (Number(url.searchParams.get('round')) !== round) return new Response(null, { status: 403 })
    requests++
    return url.pathname.endsWith('.json') ? Response.json(table) : new Response(`bytes of ${url.pathname}`)
  })
}

test('a session that downloads for longer than its URLs are valid is saved completely', async () => {
  stubStore(1)
  expect((await firstFiles()).slice(1, 4)).toEqual([
    ['Videos/a.mp4', 'bytes of /a'],
    ['Videos/b.mp4', 'bytes of /b'],
    ['Voice-overs/1, about the whole review.m4a', 'bytes of /voice'],
  ])
})

test('a store that also refuses new URLs ends the download', async () => {
  stubStore(Number.POSITIVE_INFINITY)
  const { fetch } = globalThis
  vi.stubGlobal('fetch', (address: string) =>
    address.startsWith('https') ? Promise.resolve(new Response(null, { status: 403 })) : fetch(address),
  )
  await expect(firstFiles()).rejects.toThrow(MediaFetchError)
})
