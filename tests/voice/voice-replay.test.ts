import { atom } from 'nanostores'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Voice } from '../../modules/reviews/contract.ts'
import { fullViewport } from '../../src/drawing/viewport.ts'
import { createVoiceReplay } from '../../src/voice/voice-replay.ts'

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
  seeking = false
  duration = 2
  HAVE_CURRENT_DATA = 2
  readyState = 2
  /** Seconds that are here. */
  here = 2
  get buffered() {
    return { length: 1, end: () => this.here }
  }
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
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** A replay that is given these addresses, one after the other. */
function onRevisionElsewhere(...addresses: string[]) {
  const player = { setMuted: vi.fn(), adjustRate: vi.fn(), $status: atom('loading'), $playing: atom(true) }
  return createVoiceReplay({ player, $view: atom(fullViewport), onClip, sound: async () => addresses.shift() ?? 'none' } as never)
}

test('renews the address of an unplayable sound, which may be converted by then', async () => {
  const replay = onRevisionElsewhere('/spoken.webm', '/heard.m4a')
  await replay.play(voice, 0)
  await vi.waitFor(() => expect(replay.$playing.get()).toBe(true))
  expect(replay.$problem.get()).toBeUndefined()
})

test('tells an unplayable sound from a lost connection, in its own words', async () => {
  const replay = onRevisionElsewhere('/spoken.webm', '/spoken.webm', '/spoken.webm', '/spoken.webm')
  await replay.play(voice, 0)
  await vi.waitFor(() => expect(replay.$problem.get()).toMatch(/^This browser cannot play the recording/))
  store.mockRejectedValueOnce(new TypeError('offline'))
  await replay.play(voice, 0)
  await vi.waitFor(() => expect(replay.$problem.get()).toMatch(/Check your connection/))
})

test('reports a browser without audio output once, without retrying', async () => {
  const replay = onRevisionElsewhere('/heard.m4a', '/heard.m4a')
  await replay.play(voice, 0)
  const sound = sounds.at(-1)!
  sound.error = { code: DECODE }
  sound.dispatchEvent(new Event('error'))
  expect(replay.$problem.get()).toMatch(/headphones or speakers/)
})

test('does not return to its clip after the viewer has chosen another one', async () => {
  const replay = onRevisionElsewhere('/heard.m4a')
  await replay.play(voice, 0)
  frames.shift()!()
  expect(onClip).toHaveBeenCalledTimes(1)
  frames = []
  replay.leave()
  await vi.waitFor(() => expect(replay.$playing.get()).toBe(false))
  for (const draw of frames) draw()
  expect(onClip).toHaveBeenCalledTimes(1)
})

test.each(['play', 'ended'])('a late event of the sound does not return to the replay once it was left: %s', async late => {
  const replay = onRevisionElsewhere('/heard.m4a')
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

test('plays nothing if the viewer left the voice before its address came', async () => {
  let tell = (_: string) => {}
  const player = { setMuted: vi.fn(), adjustRate: vi.fn(), $status: atom('loading'), $playing: atom(true) }
  const sound = () => new Promise<string>(done => (tell = done))
  const replay = createVoiceReplay({ player, $view: atom(fullViewport), onClip, sound } as never)
  const asked = replay.play(voice, 0)
  replay.leave()
  tell('/heard.m4a')
  await asked
  expect(replay.$playing.get()).toBe(false)
})

test('restarts a fully buffered sound that stalls, once a second', async () => {
  let now = 5000
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const replay = onRevisionElsewhere('/heard.m4a')
  await replay.play(voice, 0)
  const its = sounds.at(-1)!
  const [stopped, started] = [vi.spyOn(its, 'pause'), vi.spyOn(its, 'play')]
  const after = async (ms: number) => {
    now += ms
    for (const draw of frames.splice(0)) draw()
    await Promise.resolve()
    return [stopped.mock.calls.length, started.mock.calls.length]
  }
  expect(await after(0)).toEqual([0, 0])
  expect(await after(990)).toEqual([0, 0])
  // It has not come yet: there is a reason to wait.
  its.here = 1
  expect(await after(20)).toEqual([0, 0])
  its.here = 2
  // It is about to sound.
  its.readyState = 4
  expect(await after(0)).toEqual([0, 0])
  its.readyState = 2
  expect(await after(0)).toEqual([1, 1])
  expect(replay.$playing.get()).toBe(true)
  expect(await after(990)).toEqual([1, 1])
  // It runs.
  its.currentTime = 0.5
  expect(await after(20)).toEqual([1, 1])
  expect(await after(900)).toEqual([1, 1])
  its.currentTime = 1
  expect(await after(900)).toEqual([1, 1])
  // Whoever stops it is not gone against.
  replay.pause()
  await Promise.resolve()
  expect(replay.$playing.get()).toBe(false)
  await after(3000)
  expect(await after(3000)).toEqual([2, 1])
})

test("names a voice-over's drawings until it closes; once left, those on the stage", async () => {
  const shape = {
    id: '018f0000-0000-7000-8000-000000000001',
    tool: 'line',
    color: 0,
    width: 45,
    p: [1, 1, 5, 5],
    from: 0,
    hold: 1,
    fade: 0,
  }
  const replay = onRevisionElsewhere('/heard.m4a')
  replay.open({ ...voice, shapes: [shape] } as never, 0)
  expect(replay.$spokenShapes.get()).toEqual([shape])
  replay.leave()
  expect(replay.$spokenShapes.get()).toEqual([])
  replay.seek(1)
  expect(replay.$spokenShapes.get()).toEqual([shape])
  replay.close()
  expect(replay.$spokenShapes.get()).toEqual([])
})
