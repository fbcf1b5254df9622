import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPlayer } from '../../src/player/player.ts'

/** As much of a <video> as the player touches; what the browser would do is told by hand. */
class Video extends EventTarget {
  src = ''
  currentTime = 0
  duration = 10
  videoWidth = 320
  paused = true
  playbackRate = 1
  error: { code: number } | null = null
  loads: string[] = []
  load() {
    this.loads.push(this.src)
    this.paused = true
    this.error = null
  }
  play() {
    this.paused = false
    this.dispatchEvent(new Event('play'))
    return Promise.resolve()
  }
  pause() {
    this.paused = true
    this.dispatchEvent(new Event('pause'))
  }
  ready() {
    this.dispatchEvent(new Event('loadedmetadata'))
  }
  fails(code: number) {
    this.error = { code }
    this.dispatchEvent(new Event('error'))
  }
}
const NETWORK = 2
const DECODE = 3
const UNSUPPORTED = 4

/** The middle of the frame of some milliseconds, in seconds, at the 30 frames a second that are assumed where nobody has counted. */
const middle = (ms: number) => (Math.floor((ms * 30) / 1000) + 0.5) / 30

const store = vi.fn(async (_url: string) => new Response('', { status: 206 }))
const line = new EventTarget()
beforeEach(() => {
  vi.stubGlobal('MediaError', { MEDIA_ERR_NETWORK: NETWORK, MEDIA_ERR_DECODE: DECODE })
  vi.stubGlobal('fetch', store)
  vi.stubGlobal('addEventListener', line.addEventListener.bind(line))
})
afterEach(() => {
  vi.unstubAllGlobals()
  store.mockClear()
})

/** A player with a video that shows `swing`; `renewed` are the addresses that it is given one after the other. */
function shown(...renewed: (string | Error)[]) {
  const video = new Video()
  const asked: string[] = []
  const player = createPlayer(async id => {
    asked.push(id)
    const next = renewed.shift() ?? new Error('nothing left')
    if (next instanceof Error) throw next
    return { id, url: next }
  })
  player.attach(video as unknown as HTMLVideoElement)
  player.load({ id: 'swing', url: '/swing?1' })
  return { video, player, asked, ability: () => player.$ability.get() }
}

test('a link that ran out while it plays is renewed once, and it plays on where it stopped', async () => {
  const { video, player, asked, ability } = shown('/swing?2')
  video.ready()
  player.seek(4200)
  player.play()
  video.fails(NETWORK)
  expect(ability()).toBe('lost')
  await vi.waitFor(() => expect(video.src).toBe('/swing?2'))
  expect(player.$time.get()).toBe(4200)
  video.ready()
  expect([ability(), video.currentTime, video.paused]).toEqual(['ready', middle(4200), false])
  expect(asked).toEqual(['swing'])
})

test('what is chosen while a fresh link is on its way is shown, at the moment that was asked for', async () => {
  const { video, player, ability } = shown('/swing?2', '/other?2')
  video.fails(UNSUPPORTED)
  player.load({ id: 'other', url: '/other?1' }, { at: 700, play: false })
  video.ready()
  await Promise.resolve()
  expect([ability(), video.src, video.currentTime]).toEqual(['ready', '/other?1', middle(700)])
})

test('a seek and a pause while a fresh link is on its way hold', async () => {
  const { video, player } = shown('/swing?2')
  video.ready()
  player.play()
  video.fails(NETWORK)
  player.seek(3000)
  player.pause()
  await vi.waitFor(() => expect(video.src).toBe('/swing?2'))
  video.ready()
  expect([video.currentTime, video.paused, player.$playing.get()]).toEqual([middle(3000), true, false])
})

test('what the browser cannot decode is said after one renewal, and after none where it says so itself', async () => {
  const { video, player, asked, ability } = shown('/swing?1')
  video.fails(UNSUPPORTED)
  await vi.waitFor(() => expect(ability()).toBe('loading'))
  video.fails(UNSUPPORTED)
  await vi.waitFor(() => expect(ability()).toBe('unplayable'))
  // Chosen again, after another that plays.
  player.load({ id: 'other', url: '/other?1' })
  video.ready()
  player.load({ id: 'swing', url: '/swing?1' })
  video.fails(UNSUPPORTED)
  await vi.waitFor(() => expect(ability()).toBe('unplayable'))
  expect(asked).toEqual(['swing'])
  // Another address of it may be of another kind.
  player.load({ id: 'swing', url: '/swing?3' })
  expect(video.src).toBe('/swing?3')
  video.fails(DECODE)
  expect([ability(), asked.length]).toEqual(['unplayable', 1])
})

test('sound without a picture is not a video', () => {
  const { video, ability } = shown()
  video.videoWidth = 0
  video.ready()
  expect(ability()).toBe('unplayable')
})

test('a fresh link that fails, too, is renewed as well, each once', async () => {
  const { video, asked, ability } = shown('/swing?2', '/swing?2')
  video.fails(UNSUPPORTED)
  await vi.waitFor(() => expect(video.src).toBe('/swing?2'))
  video.fails(UNSUPPORTED)
  await vi.waitFor(() => expect(video.loads).toHaveLength(3))
  video.fails(UNSUPPORTED)
  await vi.waitFor(() => expect(ability()).toBe('unplayable'))
  expect(asked).toEqual(['swing', 'swing'])
})

test('a line that broke for a moment loads the same link again; broken for longer, it waits to be told to', async () => {
  const { video, player, asked, ability } = shown('/swing?1', '/swing?1')
  video.ready()
  player.seek(2000)
  video.fails(NETWORK)
  await vi.waitFor(() => expect(video.loads).toEqual(['/swing?1', '/swing?1']))
  video.ready()
  expect(video.currentTime).toBe(middle(2000))
  video.fails(NETWORK)
  await vi.waitFor(() => expect(ability()).toBe('away'))
  expect(asked).toHaveLength(1)
  player.again()
  video.ready()
  expect([ability(), video.currentTime]).toEqual(['ready', middle(2000)])
})

test('with server or store out of reach it says so, and goes on by itself with the line', async () => {
  const { video, ability } = shown(new TypeError('Failed to fetch'), '/swing?1')
  video.fails(UNSUPPORTED)
  await vi.waitFor(() => expect(ability()).toBe('away'))
  line.dispatchEvent(new Event('online'))
  expect(ability()).toBe('loading')
  video.fails(UNSUPPORTED)
  await vi.waitFor(() => expect(ability()).toBe('loading'))
  store.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  video.fails(UNSUPPORTED)
  await vi.waitFor(() => expect(ability()).toBe('away'))
})

test('a picture that is late is told of until the one of the frame one is on is there; one that is not late never is', () => {
  vi.useFakeTimers()
  try {
    const { video, player } = shown()
    video.ready()
    const arrives = () => {
      video.dispatchEvent(new Event('seeked'))
      vi.advanceTimersByTime(0)
    }
    player.show(30)
    vi.advanceTimersByTime(30)
    arrives()
    vi.advanceTimersByTime(500)
    expect(player.$late.get()).toBe(false)

    player.show(60)
    vi.advanceTimersByTime(100)
    expect(player.$late.get()).toBe(true)
    // The finger went on meanwhile: its frame is sought next.
    player.show(90)
    arrives()
    expect([player.$late.get(), video.currentTime]).toEqual([true, middle(3000)])
    arrives()
    expect(player.$late.get()).toBe(false)
  } finally {
    vi.useRealTimers()
  }
})

test('what is played again and again goes on where the browser stops by itself; nothing else does', () => {
  const { player, video } = shown()
  video.ready()
  const ends = () => {
    video.pause()
    video.dispatchEvent(new Event('ended'))
  }
  player.play()
  ends()
  expect([video.paused, player.$playing.get()]).toEqual([true, false])
  player.$loop.set({ from: 3, to: 299 })
  player.play()
  ends()
  expect([video.paused, player.$playing.get()]).toEqual([false, true])
})
