import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createVideoPlayer } from '../../src/player/video-player.ts'
import { FakeVideo, MEDIA_ERROR_CODES } from '../support/fake-video.ts'

const { network: NETWORK, decode: DECODE, unsupported: UNSUPPORTED } = MEDIA_ERROR_CODES

/** The middle, in seconds, of the frame that is shown at `ms`. Without a frame table, the player assumes 30 frames per second. */
const middle = (ms: number) => (Math.floor((ms * 30) / 1000) + 0.5) / 30

const store = vi.fn(async (_url: string) => new Response('', { status: 206 }))
const page = new EventTarget()
beforeEach(() => {
  vi.stubGlobal('MediaError', { MEDIA_ERR_NETWORK: NETWORK, MEDIA_ERR_DECODE: DECODE })
  vi.stubGlobal('fetch', store)
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
})
afterEach(() => {
  vi.unstubAllGlobals()
  store.mockClear()
})

/** Creates a player that shows `swing`. `renewed`: the URL that each renewal returns, or the error that it throws, in order. */
function playSwing(...renewed: (string | Error)[]) {
  const video = new FakeVideo()
  video.duration = 10
  const renewals: string[] = []
  const player = createVideoPlayer(async id => {
    renewals.push(id)
    const next = renewed.shift() ?? new Error('no more URLs')
    if (next instanceof Error) throw next
    return { id, url: next }
  })
  player.attach(video as unknown as HTMLVideoElement)
  player.load({ id: 'swing', url: '/swing?1' })
  return { video, player, renewals, status: () => player.$status.get() }
}

test('a URL that expires during playback is renewed once, and playback goes on', async () => {
  const { video, player, renewals, status } = playSwing('/swing?2')
  video.loadMetadata()
  player.seek(4200)
  player.play()
  video.fail(NETWORK)
  expect(status()).toBe('renewing')
  await vi.waitFor(() => expect(video.src).toBe('/swing?2'))
  expect(player.$time.get()).toBe(4200)
  video.loadMetadata()
  expect([status(), video.currentTime, video.paused]).toEqual(['ready', middle(4200), false])
  expect(renewals).toEqual(['swing'])
})

test('a clip that is chosen during a renewal opens at the requested time', async () => {
  const { video, player, status } = playSwing('/swing?2', '/other?2')
  video.fail(UNSUPPORTED)
  player.load({ id: 'other', url: '/other?1' }, { at: 700, play: false })
  video.loadMetadata()
  await Promise.resolve()
  expect([status(), video.src, video.currentTime]).toEqual(['ready', '/other?1', middle(700)])
})

test('a seek or a pause during a renewal takes effect afterwards', async () => {
  const { video, player } = playSwing('/swing?2')
  video.loadMetadata()
  player.play()
  video.fail(NETWORK)
  player.seek(3000)
  player.pause()
  await vi.waitFor(() => expect(video.src).toBe('/swing?2'))
  video.loadMetadata()
  expect([video.currentTime, video.paused, player.$playing.get()]).toEqual([middle(3000), true, false])
})

test('a pause that the browser has not yet reported is kept after a renewal', async () => {
  const { video, player } = playSwing('/swing?2')
  video.loadMetadata()
  player.play()
  video.paused = true
  video.fail(NETWORK)
  await vi.waitFor(() => expect(video.src).toBe('/swing?2'))
  video.loadMetadata()
  expect([video.paused, player.$playing.get()]).toEqual([true, false])
})

test('loading another clip stops playback', () => {
  const { video, player } = playSwing()
  video.loadMetadata()
  player.play()
  player.load({ id: 'other', url: '/other?1' })
  expect([video.paused, player.$playing.get()]).toEqual([true, false])
})

test('a video that cannot be decoded is unplayable after one renewal of its URL', async () => {
  const { video, player, renewals, status } = playSwing('/swing?1')
  video.fail(UNSUPPORTED)
  await vi.waitFor(() => expect(status()).toBe('loading'))
  video.fail(UNSUPPORTED)
  await vi.waitFor(() => expect(status()).toBe('unplayable'))
  // Opening the same clip again later requests no second renewal.
  player.load({ id: 'other', url: '/other?1' })
  video.loadMetadata()
  player.load({ id: 'swing', url: '/swing?1' })
  video.fail(UNSUPPORTED)
  await vi.waitFor(() => expect(status()).toBe('unplayable'))
  expect(renewals).toEqual(['swing'])
  // A different URL may lead to a different kind of file.
  player.load({ id: 'swing', url: '/swing?3' })
  expect(video.src).toBe('/swing?3')
  video.fail(DECODE)
  expect([status(), renewals.length]).toEqual(['unplayable', 1])
})

test('a file is unplayable if the browser plays only its sound', () => {
  const { video, status } = playSwing()
  video.videoWidth = 0
  video.loadMetadata()
  expect(status()).toBe('unplayable')
})

test('each failed URL is renewed once', async () => {
  const { video, renewals, status } = playSwing('/swing?2', '/swing?2')
  video.fail(UNSUPPORTED)
  await vi.waitFor(() => expect(video.src).toBe('/swing?2'))
  video.fail(UNSUPPORTED)
  await vi.waitFor(() => expect(video.loads).toHaveLength(3))
  video.fail(UNSUPPORTED)
  await vi.waitFor(() => expect(status()).toBe('unplayable'))
  expect(renewals).toEqual(['swing', 'swing'])
})

test('a short outage reloads the same URL; after a longer one the video is unreachable', async () => {
  const { video, player, renewals, status } = playSwing('/swing?1', '/swing?1')
  video.loadMetadata()
  player.seek(2000)
  video.fail(NETWORK)
  await vi.waitFor(() => expect(video.loads).toEqual(['/swing?1', '/swing?1']))
  video.loadMetadata()
  expect(video.currentTime).toBe(middle(2000))
  video.fail(NETWORK)
  await vi.waitFor(() => expect(status()).toBe('unreachable'))
  expect(renewals).toHaveLength(1)
  player.retry()
  video.loadMetadata()
  expect([status(), video.currentTime]).toEqual(['ready', middle(2000)])
})

test('an unreachable video loads when the browser is online again', async () => {
  const { video, status } = playSwing(new TypeError('Failed to fetch'), '/swing?1')
  video.fail(UNSUPPORTED)
  await vi.waitFor(() => expect(status()).toBe('unreachable'))
  page.dispatchEvent(new Event('online'))
  expect(status()).toBe('loading')
  video.fail(UNSUPPORTED)
  await vi.waitFor(() => expect(status()).toBe('loading'))
  store.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  video.fail(UNSUPPORTED)
  await vi.waitFor(() => expect(status()).toBe('unreachable'))
})

test('$isPictureLate is true while a slow seek has not shown the current frame', () => {
  vi.useFakeTimers()
  try {
    const { video, player } = playSwing()
    video.loadMetadata()
    const endSeek = () => {
      video.endSeek()
      vi.advanceTimersByTime(0)
    }
    player.showFrame(30)
    vi.advanceTimersByTime(30)
    endSeek()
    vi.advanceTimersByTime(500)
    expect(player.$isPictureLate.get()).toBe(false)

    player.showFrame(60)
    vi.advanceTimersByTime(100)
    expect(player.$isPictureLate.get()).toBe(true)
    // A frame that is requested during a seek is the target of the next seek.
    player.showFrame(90)
    endSeek()
    expect([player.$isPictureLate.get(), video.currentTime]).toEqual([true, middle(3000)])
    endSeek()
    expect(player.$isPictureLate.get()).toBe(false)
  } finally {
    vi.useRealTimers()
  }
})

test('a loop starts over at the end of the video; without a loop the video stops', () => {
  const { player, video } = playSwing()
  video.loadMetadata()
  player.play()
  video.reachEnd()
  expect([video.paused, player.$playing.get()]).toEqual([true, false])
  player.$loop.set({ from: 3, to: 299 })
  player.play()
  video.reachEnd()
  expect([video.paused, player.$playing.get()]).toEqual([false, true])
})
