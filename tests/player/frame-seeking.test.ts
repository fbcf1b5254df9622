import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { VideoPlayer } from '../../src/player/video-player.ts'
import { FakeVideo } from '../support/fake-video.ts'

/** Two seconds at 30 frames per second. */
const table = { version: 1, scale: 30, first: 0, runs: [[60, 1]] }
const clip = {
  id: 'swing',
  url: '/swing',
  rendition: {
    state: 'ready',
    progress: 1,
    reason: null,
    unseen: false,
    filmstrip: null,
    width: 320,
    height: 240,
    url: '/rendition',
    bytes: 3,
    table: '/table',
  },
} as never

const page = new EventTarget()
let video: FakeVideo
let player: VideoPlayer
beforeEach(async () => {
  vi.useFakeTimers()
  vi.stubGlobal('HTMLVideoElement', FakeVideo)
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('fetch', async (url: string) =>
    url.startsWith('/table') ? Response.json(url === '/table-hidden' ? { ...table, hidden: 45 } : table) : new Response('mp4'),
  )
  // The player's modules detect the browser's features when they are loaded, so load them again after stubbing these features.
  vi.resetModules()
  const { createVideoPlayer } = await import('../../src/player/video-player.ts')
  video = new FakeVideo()
  player = createVideoPlayer(async () => clip)
  player.attach(video as never)
  player.load(clip)
  await vi.waitFor(() => expect(video.src).not.toBe(''))
  video.loadMetadata()
  video.endSeek()
  video.present(0)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.resetModules()
})

test('a picture presented after the last retry still confirms its frame', () => {
  expect([player.$frame.get(), player.$isConfirmed.get()]).toEqual([0, true])
  player.showFrame(5)
  for (let i = 0; i < 3; i++) {
    video.endSeek()
    vi.advanceTimersByTime(200)
  }
  expect(player.$isConfirmed.get()).toBe(false)
  // The picture of an earlier seek confirms nothing.
  video.present(4 / 30)
  expect(player.$isConfirmed.get()).toBe(false)
  video.present(5 / 30)
  expect([player.$frame.get(), player.$isConfirmed.get()]).toEqual([5, true])
})

test('a retry seeks to another position inside the same frame', () => {
  for (const frame of [5, 9]) {
    video.seeks = []
    player.showFrame(frame)
    for (let i = 0; i < 3; i++) {
      video.endSeek()
      vi.advanceTimersByTime(200)
    }
    expect(video.seeks).toHaveLength(3)
    for (const [i, seconds] of video.seeks.entries()) {
      expect(Math.floor(seconds * 30)).toBe(frame)
      expect(seconds).not.toBe(video.seeks[i - 1])
    }
  }
})

test('resizing the window seeks the paused video to another position in its frame', () => {
  player.showFrame(5)
  video.endSeek()
  video.present(5 / 30)
  video.seeks = []
  const resize = (width: number) => {
    vi.stubGlobal('innerWidth', width)
    page.dispatchEvent(new Event('resize'))
  }
  const resizeAndSettle = (width: number) => {
    // Dragging a window's edge fires many events.
    for (let i = 0; i < 3; i++) resize(width + i)
    vi.advanceTimersByTime(1000)
    video.endSeek()
    video.present(5 / 30)
  }
  resizeAndSettle(800)
  resizeAndSettle(1200)
  // A phone's address bar has disappeared, which fires `resize` without changing the width.
  resize(1202)
  vi.advanceTimersByTime(1000)
  expect(video.seeks).toHaveLength(2)
  const [first, second] = video.seeks as [number, number]
  expect(first).not.toBe(second)
  for (const seconds of video.seeks) expect(Math.floor(seconds * 30)).toBe(5)
  expect([player.$frame.get(), player.$isConfirmed.get()]).toEqual([5, true])

  // A video that is playing or seeking presents new pictures anyway, so a resize causes no seek.
  player.showFrame(7)
  video.seeks = []
  resize(390)
  vi.advanceTimersByTime(1000)
  video.paused = false
  video.endSeek()
  resize(844)
  vi.advanceTimersByTime(1000)
  expect(video.seeks).toEqual([])
})

test.each([
  ['is confirmed', '/table', true],
  ['is not confirmed if an edit list hides pictures', '/table-hidden', false],
] as const)('if the browser reports only seek targets, a frame of an original %s', async (_, table, isConfirmed) => {
  const { rendition } = clip as { rendition: object }
  video.src = ''
  player.load({ id: 'fresh', url: '/fresh', rendition: { ...rendition, state: 'waiting', url: null, table } } as never)
  await vi.waitFor(() => expect(video.src).toBe('/fresh'))
  video.loadMetadata()
  expect(player.notePosition().frame).toBe(0)
  for (const frame of [5, 9]) {
    player.showFrame(frame)
    for (let i = 0; i < 9; i++) {
      video.endSeek()
      video.present(video.currentTime)
      vi.advanceTimersByTime(200)
    }
    expect([player.$frame.get(), player.$isConfirmed.get()]).toEqual([frame, isConfirmed])
    expect(player.notePosition().frame).toBe(isConfirmed ? frame : undefined)
  }
})

test('a pause while a loop seeks back shows the frame at which the video paused', () => {
  player.$loop.set({ from: 3, to: 20 })
  player.play()
  video.endSeek()
  video.present(20 / 30)
  expect([video.seeking, player.$frame.get()]).toEqual([true, 20])
  player.pause()
  expect([Math.floor(video.currentTime * 30), player.$isConfirmed.get()]).toEqual([20, false])
  // The picture of the loop's first frame confirms nothing.
  video.present(3 / 30)
  expect(player.$isConfirmed.get()).toBe(false)
  video.endSeek()
  video.present(20 / 30)
  expect([player.$frame.get(), player.$isConfirmed.get()]).toEqual([20, true])
})

test('a picture of another frame revokes the confirmation of a paused frame', () => {
  player.showFrame(5)
  video.endSeek()
  video.present(5 / 30)
  expect(player.$isConfirmed.get()).toBe(true)
  video.present(6 / 30)
  expect([player.$isConfirmed.get(), player.notePosition().frame]).toEqual([false, undefined])
  video.present(5 / 30)
  expect([player.$isConfirmed.get(), player.notePosition().frame]).toEqual([true, 5])
})

test('a late pause event does not stop a video that is playing again', () => {
  player.play()
  video.dispatchEvent(new Event('pause'))
  expect(player.$playing.get()).toBe(true)
})
