import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { computeFileFingerprint } from '../../src/upload/file-fingerprint.ts'
import { $uploadsUnderWayCountByFolder } from '../../src/upload/upload-item.ts'
import { createUploadQueue } from '../../src/upload/upload-queue.ts'

const videoFile = (text: string) => new File([`\0\0\0\x18ftypisom${text}`], `${text}.mp4`)

/** The ids of the uploads that the page asked the server to discard. */
let discarded: string[]
/** The uploads that an earlier visit started, as the server lists them. */
let unfinished: object[]
/** Answers the request that starts an upload: from then on, the server has the upload. */
let answerStart: () => void
/** The responses to the next requests to discard an upload; once they are used up, every request is accepted. */
let discardResponses: Response[]
beforeEach(() => {
  discarded = []
  discardResponses = []
  vi.stubGlobal('fetch', async (url: string, { method }: RequestInit) => {
    if (method === 'DELETE') discarded.push(url.split('/').at(-1)!)
    if (method === 'DELETE') return discardResponses.shift() ?? new Response(null, { status: 204 })
    if (url.startsWith('/api/uploads?')) return Response.json({ uploads: unfinished })
    // The first upload begins and waits for `answerStart`, so that the others wait for the first.
    return new Promise(resolve => {
      answerStart = () => resolve(Response.json({ parts: 1, partBytes: 1, bytes: 1, arrived: [] }))
    })
  })
  // Simulate a browser that can neither read the container of a file nor play it.
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

test('trimming an upload from an earlier visit discards the parts it had sent', async () => {
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

test('a file chosen before the list of unfinished uploads arrives resumes its upload', async () => {
  const [file, other] = [videoFile('first'), videoFile('second')]
  const fingerprint = await computeFileFingerprint(file)
  unfinished = [{ id: 'u1', name: 'swing.mp4', bytes: 1, arrived: [], replaces: null, fingerprint }]
  const { fetch } = globalThis
  const list = Promise.withResolvers<void>()
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    if (url.startsWith('/api/uploads?')) await list.promise
    return fetch(url, init)
  })
  const queue = createUploadQueue('folder', () => {})
  const loading = queue.load()
  const adding = queue.add([file, other], 0)
  await expect.poll(() => queue.$items.get().map(i => i.state)).toEqual(['checking'])
  list.resolve()
  await Promise.all([loading, adding])
  expect(queue.$items.get().map(({ id, state }) => [id === 'u1', state])).toEqual([
    [true, 'sending'],
    [false, 'waiting'],
  ])
})

test('trimming a new file that is still waiting discards nothing on the server', async () => {
  unfinished = []
  const queue = createUploadQueue('folder', () => {})
  await queue.add([videoFile('first'), videoFile('second')], 0)
  await queue.exchange(queue.$items.get()[1]!.id, videoFile('trimmed'), 'video/mp4', 'Trimmed.')
  expect(discarded).toEqual([])
})

test('uploads under way are counted until they are canceled', async () => {
  unfinished = [{ id: 'u1', name: 'swing.mp4', bytes: 1, arrived: [], replaces: null, fingerprint: 'f' }]
  const [queue, replacing] = [createUploadQueue('tee', () => {}), createUploadQueue('tee', () => {}, 'video')]
  await queue.load()
  // An upload from an earlier visit continues only if its file is chosen again.
  expect($uploadsUnderWayCountByFolder.get().tee).toBe(0)
  await queue.add([videoFile('first'), videoFile('second')], 0)
  await replacing.add([videoFile('third')], 0)
  expect($uploadsUnderWayCountByFolder.get().tee).toBe(2)
  queue.pause(queue.$items.get()[1]!.id)
  expect($uploadsUnderWayCountByFolder.get().tee).toBe(2)
  await queue.cancel(queue.$items.get()[2]!.id)
  expect($uploadsUnderWayCountByFolder.get().tee).toBe(1)
})

test('canceling an upload that is just being started discards it once it has started', async () => {
  unfinished = []
  const queue = createUploadQueue('folder', () => {})
  await queue.add([videoFile('first')], 0)
  const { id } = queue.$items.get()[0]!
  await expect.poll(() => queue.$items.get()[0]!.state).toBe('sending')
  const canceled = queue.cancel(id)
  expect(queue.$items.get()).toEqual([])
  expect(discarded).toEqual([])
  answerStart()
  await canceled
  expect(discarded).toEqual([id])
})

test('canceling an upload that is being added to its folder discards it a moment later', async () => {
  unfinished = [{ id: 'u1', name: 'swing.mp4', bytes: 1, arrived: [], replaces: null, fingerprint: 'f' }]
  discardResponses = [Response.json({ code: 'in-progress', title: 'Try again in a moment.' }, { status: 409 })]
  const queue = createUploadQueue('folder', () => {})
  await queue.load()
  vi.stubGlobal('setTimeout', (resolve: () => void) => resolve())
  await queue.cancel('u1')
  expect(discarded).toEqual(['u1', 'u1'])
})

test('canceling an upload that has become a video meanwhile shows the video', async () => {
  unfinished = [{ id: 'u1', name: 'swing.mp4', bytes: 1, arrived: [], replaces: null, fingerprint: 'f' }]
  discardResponses = [Response.json({ code: 'arrived', title: 'This video is in its folder now.' }, { status: 409 })]
  const onAdded = vi.fn()
  const queue = createUploadQueue('folder', onAdded)
  await queue.load()
  await queue.cancel('u1')
  expect(onAdded).toHaveBeenCalledOnce()
  expect(queue.$items.get()).toEqual([])
})

test('unfinished uploads are listed once the connection is back', async () => {
  unfinished = [{ id: 'u1', name: 'swing.mp4', bytes: 1, arrived: [], replaces: null, fingerprint: 'f' }]
  const { fetch } = globalThis
  const page = new EventTarget()
  vi.stubGlobal('window', page)
  vi.stubGlobal('navigator', { onLine: false })
  const failing = vi.fn(() => Promise.reject(new TypeError('Failed to fetch')))
  vi.stubGlobal('fetch', failing)
  const queue = createUploadQueue('folder', () => {})
  const loading = queue.load()
  await expect.poll(() => failing.mock.calls.length).toBe(1)
  vi.stubGlobal('fetch', fetch)
  await expect.poll(() => page.dispatchEvent(new Event('online')) && queue.$items.get().length).toBe(1)
  await loading
})
