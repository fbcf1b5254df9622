import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Player } from '../../src/player/player.ts'

/** A <video> of a browser that tells each frame that it shows; what it shows is told by hand. */
class Video extends EventTarget {
  src = ''
  duration = 2
  videoWidth = 320
  paused = true
  seeking = false
  playbackRate = 1
  sought: number[] = []
  private callback: ((now: number, frame: { mediaTime: number }) => void) | undefined
  load() {}
  pause() {}
  set currentTime(seconds: number) {
    this.seeking = true
    this.sought.push(seconds)
  }
  get currentTime() {
    return this.sought.at(-1) ?? 0
  }
  requestVideoFrameCallback(callback: (now: number, frame: { mediaTime: number }) => void) {
    this.callback = callback
  }
  /** A seek is over. */
  arrives() {
    this.seeking = false
    this.dispatchEvent(new Event('seeked'))
  }
  shows(mediaTime: number) {
    this.callback?.(0, { mediaTime })
  }
}

/** Two seconds at 30 frames a second. */
const table = { version: 1, scale: 30, first: 0, runs: [[60, 1]] }
const clip = {
  ...{ id: 'swing', url: '/swing' },
  rendition: {
    ...{ state: 'ready', progress: 1, reason: null, unseen: false, filmstrip: null, width: 320, height: 240 },
    ...{ url: '/rendition', bytes: 3, table: '/table' },
  },
} as never

const page = new EventTarget()
let video: Video
let player: Player
beforeEach(async () => {
  vi.useFakeTimers()
  vi.stubGlobal('HTMLVideoElement', Video)
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('fetch', async (url: string) =>
    url.startsWith('/table') ? Response.json(url === '/table-hidden' ? { ...table, hidden: 45 } : table) : new Response('mp4'),
  )
  // What the browser can do is asked when the module comes.
  vi.resetModules()
  const { createPlayer } = await import('../../src/player/player.ts')
  video = new Video()
  player = createPlayer(async () => clip)
  player.attach(video as never)
  player.load(clip)
  await vi.waitFor(() => expect(video.src).not.toBe(''))
  video.dispatchEvent(new Event('loadedmetadata'))
  video.arrives()
  video.shows(0)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.resetModules()
})

test('a picture that comes later than anybody waited for it is the one shown', () => {
  expect([player.$frame.get(), player.$sure.get()]).toEqual([0, true])
  player.show(5)
  for (let i = 0; i < 3; i++) {
    video.arrives()
    vi.advanceTimersByTime(200)
  }
  expect(player.$sure.get()).toBe(false)
  // That of an earlier seek is none.
  video.shows(4 / 30)
  expect(player.$sure.get()).toBe(false)
  video.shows(5 / 30)
  expect([player.$frame.get(), player.$sure.get()]).toEqual([5, true])
})

test('a picture that does not come is asked for again elsewhere in its frame: a seek to where one is brings none', () => {
  for (const frame of [5, 9]) {
    video.sought = []
    player.show(frame)
    for (let i = 0; i < 3; i++) {
      video.arrives()
      vi.advanceTimersByTime(200)
    }
    expect(video.sought).toHaveLength(3)
    for (const [i, seconds] of video.sought.entries()) {
      expect(Math.floor(seconds * 30)).toBe(frame)
      expect(seconds).not.toBe(video.sought[i - 1])
    }
  }
})

test('when the page is laid out anew, the still picture is asked for again, elsewhere in its frame', () => {
  player.show(5)
  video.arrives()
  video.shows(5 / 30)
  video.sought = []
  const resize = (width: number) => {
    vi.stubGlobal('innerWidth', width)
    page.dispatchEvent(new Event('resize'))
  }
  const turn = (width: number) => {
    // A hand that drags a window sends many.
    for (let i = 0; i < 3; i++) resize(width + i)
    vi.advanceTimersByTime(1000)
    video.arrives()
    video.shows(5 / 30)
  }
  turn(800)
  turn(1200)
  // The bar of a phone has gone.
  resize(1202)
  vi.advanceTimersByTime(1000)
  expect(video.sought).toHaveLength(2)
  const [first, second] = video.sought as [number, number]
  expect(first).not.toBe(second)
  for (const seconds of video.sought) expect(Math.floor(seconds * 30)).toBe(5)
  expect([player.$frame.get(), player.$sure.get()]).toEqual([5, true])

  // While it plays or is being sought, pictures come by themselves.
  player.show(7)
  video.sought = []
  resize(390)
  vi.advanceTimersByTime(1000)
  video.paused = false
  video.arrives()
  resize(844)
  vi.advanceTimersByTime(1000)
  expect(video.sought).toEqual([])
})

test.each([
  ['is named', '/table', true],
  ['is not named where the browser also plays what an edit list hides', '/table-hidden', false],
] as const)('a frame of an original whose times are those of its seeks %s', async (_, at, named) => {
  const { rendition } = clip as { rendition: object }
  video.src = ''
  player.load({ id: 'fresh', url: '/fresh', rendition: { ...rendition, state: 'waiting', url: null, table: at } } as never)
  await vi.waitFor(() => expect(video.src).toBe('/fresh'))
  video.dispatchEvent(new Event('loadedmetadata'))
  expect(player.pin().frame).toBe(0)
  for (const frame of [5, 9]) {
    player.show(frame)
    for (let i = 0; i < 9; i++) {
      video.arrives()
      video.shows(video.currentTime)
      vi.advanceTimersByTime(200)
    }
    expect([player.$frame.get(), player.$sure.get()]).toEqual([frame, named])
    expect(player.pin().frame).toBe(named ? frame : undefined)
  }
})
