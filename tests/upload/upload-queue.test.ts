import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { computeFileFingerprint } from '../../src/upload/file-fingerprint.ts'
import { createUploadQueue } from '../../src/upload/upload-queue.ts'

const videoFile = (text: string) => new File([`\0\0\0\x18ftypisom${text}`], `${text}.mp4`)

/** The ids of the uploads that the page asked the server to discard. */
let discarded: string[]
/** The uploads that an earlier visit started, as the server lists them. */
let unfinished: object[]
beforeEach(() => {
  discarded = []
  vi.stubGlobal('fetch', async (url: string, { method }: RequestInit) => {
    if (method === 'DELETE') discarded.push(url.split('/').at(-1)!)
    if (method === 'DELETE') return new Response(null, { status: 204 })
    // The first upload begins and never ends, so that the others wait for it.
    return url.startsWith('/api/uploads?') ? Response.json({ uploads: unfinished }) : new Promise(() => {})
  })
  // A browser that can neither read the container of a file nor play it.
  vi.stubGlobal(
    'Worker',
    class {
      onerror = () => {}
      terminate() {}
      postMessage = () => this.onerror()
    },
  )
  const createElement = () => {
    const video = Object.assign(new EventTarget(), { removeAttribute() {}, load() {} })
    return Object.defineProperty(video, 'src', { set: () => video.dispatchEvent(new Event('error')) })
  }
  vi.stubGlobal('document', { createElement })
})
afterEach(() => vi.unstubAllGlobals())

test('trimming an upload of an earlier visit discards the parts it had sent', async () => {
  const files = [videoFile('first'), videoFile('second')]
  const [first, second] = await Promise.all(files.map(computeFileFingerprint))
  const upload = { name: 'swing.mp4', bytes: 1, arrived: [], replaces: null }
  unfinished = [
    { ...upload, id: 'u1', fingerprint: first },
    { ...upload, id: 'u2', fingerprint: second },
  ]
  const queue = createUploadQueue('folder', () => {})
  await queue.load()
  await queue.add(files, 0)
  expect(queue.$items.get().map(({ id, state }) => [id, state])).toEqual([
    ['u1', 'sending'],
    ['u2', 'waiting'],
  ])
  await queue.exchange('u2', videoFile('trimmed'), 'video/mp4', 'Trimmed.')
  expect(discarded).toEqual(['u2'])
})

test('trimming a new file that is still waiting discards nothing on the server', async () => {
  unfinished = []
  const queue = createUploadQueue('folder', () => {})
  await queue.add([videoFile('first'), videoFile('second')], 0)
  await queue.exchange(queue.$items.get()[1]!.id, videoFile('trimmed'), 'video/mp4', 'Trimmed.')
  expect(discarded).toEqual([])
})
