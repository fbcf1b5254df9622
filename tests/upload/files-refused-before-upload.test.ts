import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { MAX_FRAMES_PER_VIDEO } from '../../modules/media/frames.ts'
import { MAX_PIXELS_IN_ALL_FRAMES, MAX_VIDEO_MINUTES, MAX_VIDEO_SIDE_PIXELS } from '../../modules/media/policy.ts'
import { createUploadQueue } from '../../src/upload/upload-queue.ts'
import { buildMp4, type Mp4Track } from '../modules/media/mp4-builder.ts'

type Listener = (message: { data: unknown }) => Promise<void>
let handle: Listener
/** The requests that the page sent, as `METHOD path`. */
const requests: string[] = []
beforeAll(async () => {
  vi.stubGlobal('addEventListener', (_: string, listener: Listener) => {
    handle = listener
  })
  await import('../../src/upload/read-container-worker.ts')
  // Runs the code of the worker in this thread, one file at a time.
  vi.stubGlobal(
    'Worker',
    class {
      onmessage = (_: { data: unknown }) => {}
      terminate() {}
      postMessage(data: unknown) {
        vi.stubGlobal('postMessage', (reply: unknown) => this.onmessage({ data: reply }))
        void handle({ data })
      }
    },
  )
  // Simulate a browser that cannot play the file, and a server that never answers.
  const createElement = () => {
    const video = Object.assign(new EventTarget(), { removeAttribute() {}, load() {} })
    return Object.defineProperty(video, 'src', { set: () => video.dispatchEvent(new Event('error')) })
  }
  vi.stubGlobal('document', { createElement })
  vi.stubGlobal('fetch', (url: string, { method }: RequestInit) => {
    requests.push(`${method} ${url}`)
    return new Promise(() => {})
  })
})
afterAll(() => vi.unstubAllGlobals())

const frames = (count: number, ticks = 20) => Array<number>(count).fill(ticks)
const mp4 = (...tracks: Mp4Track[]) => new File([buildMp4(...tracks)], 'game.mp4')

test.each<[string, Mp4Track, RegExp]>([
  ['more than 30 minutes', { lengths: frames(MAX_VIDEO_MINUTES * 60 + 1, 600) }, /^This video is much too long\. Trim it/],
  ['too many frames', { lengths: frames(MAX_FRAMES_PER_VIDEO + 1, 1) }, /^This video is much too long\. Trim it/],
  [
    'too many pixels',
    { lengths: frames(Math.floor(MAX_PIXELS_IN_ALL_FRAMES / 3840 / 2160) + 1), width: 3840, height: 2160 },
    /^This video is much too long\. Trim it/,
  ],
  ['too wide a picture', { lengths: frames(2), width: MAX_VIDEO_SIDE_PIXELS + 1 }, /^The resolution of this video is too high/],
  ['a single picture', { lengths: frames(1) }, /^This file is a still image/],
  ['only sound', { kind: 'sound', scale: 48_000, lengths: frames(60, 1024) }, /^This file has no video in it/],
])('a file that cannot be prepared is refused before the upload: %s', async (_, track, message) => {
  const queue = createUploadQueue('folder', () => {})
  await queue.add([mp4(track)], 0)
  expect(queue.$items.get()).toMatchObject([{ state: 'refused', message: expect.stringMatching(message) }])
  expect(queue.sourceOf(queue.$items.get()[0]!.id)).toBeUndefined()
  expect(requests).toEqual([])
})

test('a long video within the limits can be trimmed, and a short one is sent', async () => {
  const queue = createUploadQueue('folder', () => {})
  await queue.add([mp4({ lengths: frames(31, 600) }), mp4({ lengths: frames(60) })], 0)
  expect(queue.$items.get().map(i => i.state)).toEqual(['asking', 'sending'])
  expect(requests).toEqual(['POST /api/uploads'])
})
