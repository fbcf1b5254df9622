import { atom } from 'nanostores'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Voice } from '../../../modules/reviews/contract.ts'
import { whole } from '../../../src/islands/drawing/view.ts'
import { createReplay } from '../../../src/islands/voice/replay.ts'

const DECODE = 3
const UNSUPPORTED = 4

const sounds: Sound[] = []
/** An <audio> of a browser that plays AAC alone. */
class Sound extends EventTarget {
  constructor() {
    super()
    sounds.push(this)
  }
  src = ''
  currentTime = 0
  playbackRate = 1
  error: { code: number } | null = null
  preload = ''
  paused = true
  async play() {
    this.paused = false
    if (this.src.endsWith('.m4a')) {
      this.dispatchEvent(new Event('play'))
      return
    }
    this.error = { code: UNSUPPORTED }
    queueMicrotask(() => this.dispatchEvent(new Event('error')))
    throw new DOMException('The element has no supported sources.', 'NotSupportedError')
  }
  pause() {
    this.paused = true
    queueMicrotask(() => this.dispatchEvent(new Event('pause')))
  }
  removeAttribute() {}
}

const voice = { id: 'voice', video: 'swing', frame: 0, milliseconds: 2000, bytes: 9, type: 'audio/webm', actions: [] } as unknown as Voice
let frames: (() => void)[] = []
const onClip = vi.fn()
const store = vi.fn(async (_url: string) => new Response('', { status: 206 }))

beforeEach(() => {
  vi.stubGlobal('Audio', Sound)
  vi.stubGlobal('MediaError', { MEDIA_ERR_DECODE: DECODE })
  vi.stubGlobal('fetch', store)
  frames = []
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => frames.push(draw))
  vi.stubGlobal('cancelAnimationFrame', () => {})
})
afterEach(() => vi.unstubAllGlobals())

/** A replay that is given these addresses, one after the other. */
function heard(...addresses: string[]) {
  const player = { mute: vi.fn(), follow: vi.fn(), $ability: atom('loading'), $playing: atom(true) }
  return createReplay({ player, $view: atom(whole), onClip, sound: async () => addresses.shift() ?? 'none' } as never)
}

test('what this browser cannot play is asked for anew: by then it may be what every browser plays', async () => {
  const replay = heard('/spoken.webm', '/heard.m4a')
  await replay.play(voice, 0)
  await vi.waitFor(() => expect(replay.$playing.get()).toBe(true))
  expect(replay.$problem.get()).toBeUndefined()
})

test('where it stays what it was, that is said and not the browser’s own words; a line that is down is said as such', async () => {
  const replay = heard('/spoken.webm', '/spoken.webm', '/spoken.webm', '/spoken.webm')
  await replay.play(voice, 0)
  await vi.waitFor(() => expect(replay.$problem.get()).toMatch(/^This browser cannot play it as it was recorded/))
  store.mockRejectedValueOnce(new TypeError('offline'))
  await replay.play(voice, 0)
  await vi.waitFor(() => expect(replay.$problem.get()).toMatch(/Check your connection/))
})

test('a browser without a loudspeaker says that, and is not asked again and again', async () => {
  const replay = heard('/heard.m4a', '/heard.m4a')
  await replay.play(voice, 0)
  const sound = sounds.at(-1)!
  sound.error = { code: DECODE }
  sound.dispatchEvent(new Event('error'))
  expect(replay.$problem.get()).toMatch(/headphones or speakers/)
})

test('whoever leaves the voice for another clip is not taken back when the sound has stopped', async () => {
  const replay = heard('/heard.m4a')
  await replay.play(voice, 0)
  frames.shift()!()
  expect(onClip).toHaveBeenCalledTimes(1)
  frames = []
  replay.leave()
  await vi.waitFor(() => expect(replay.$playing.get()).toBe(false))
  for (const draw of frames) draw()
  expect(onClip).toHaveBeenCalledTimes(1)
})

test.each(['play', 'ended'])('an event of the sound that comes after the stage was left takes nobody back: %s', async late => {
  const replay = heard('/heard.m4a')
  await replay.play(voice, 0)
  frames.shift()!()
  onClip.mockClear()
  replay.leave()
  await vi.waitFor(() => expect(replay.$playing.get()).toBe(false))
  frames = []
  sounds.at(-1)!.dispatchEvent(new Event(late))
  for (const draw of frames.splice(0)) draw()
  expect([onClip.mock.calls.length, replay.$playing.get()]).toEqual([0, false])
})

test('whoever has left a voice before its address came hears nothing of it', async () => {
  let tell = (_: string) => {}
  const player = { mute: vi.fn(), follow: vi.fn(), $ability: atom('loading'), $playing: atom(true) }
  const sound = () => new Promise<string>(done => (tell = done))
  const replay = createReplay({ player, $view: atom(whole), onClip, sound } as never)
  const asked = replay.play(voice, 0)
  replay.leave()
  tell('/heard.m4a')
  await asked
  expect(replay.$playing.get()).toBe(false)
})
