import { atom } from 'nanostores'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Voice } from '../../modules/reviews/contract.ts'
import { fullViewport } from '../../src/drawing/viewport.ts'
import { createVoiceOverPausingPlayer } from '../../src/voice/pause-voice-over-on-player-use.ts'
import { createVoiceReplay } from '../../src/voice/voice-over-playback.ts'

const DECODE = 3
const UNSUPPORTED = 4

const fakeAudioElements: FakeAudio[] = []
/** The `<audio>` of a browser that decodes only AAC (`.m4a`). */
class FakeAudio extends EventTarget {
  constructor() {
    super()
    fakeAudioElements.push(this)
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
  bufferedSeconds = 2
  get buffered() {
    return { length: 1, end: () => this.bufferedSeconds }
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
  vi.stubGlobal('Audio', FakeAudio)
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

/** Creates a replay whose requests for a sound return these URLs, one after the other. */
function createReplay(...urls: string[]) {
  const player = { setMuted: vi.fn(), adjustRate: vi.fn(), $status: atom('loading'), $playing: atom(true) }
  return createVoiceReplay({ player, $view: atom(fullViewport), onClip, sound: async () => urls.shift() ?? 'none' } as never)
}

test('the replay requests a new URL once if the browser cannot play the sound', async () => {
  const replay = createReplay('/recorded.webm', '/converted.m4a')
  await replay.play(voice, 0)
  await expect.poll(() => replay.$playing.get()).toBe(true)
  expect(replay.$problem.get()).toBeUndefined()
})

test('the error text distinguishes an unplayable sound from a lost connection', async () => {
  const replay = createReplay('/recorded.webm', '/recorded.webm', '/recorded.webm', '/recorded.webm')
  await replay.play(voice, 0)
  await expect.poll(() => replay.$problem.get()).toMatch(/^This browser cannot play the recording/)
  store.mockRejectedValueOnce(new TypeError('offline'))
  await replay.play(voice, 0)
  await expect.poll(() => replay.$problem.get()).toMatch(/Check your connection/)
})

test('a browser without audio output is reported immediately, without a retry', async () => {
  const replay = createReplay('/converted.m4a', '/converted.m4a')
  await replay.play(voice, 0)
  const sound = fakeAudioElements.at(-1)!
  sound.error = { code: DECODE }
  sound.dispatchEvent(new Event('error'))
  expect(replay.$problem.get()).toMatch(/headphones or speakers/)
})

test('a replay that the viewer left does not switch back to its clip', async () => {
  const replay = createReplay('/converted.m4a')
  await replay.play(voice, 0)
  frames.shift()!()
  expect(onClip).toHaveBeenCalledTimes(1)
  frames = []
  replay.leave()
  await expect.poll(() => replay.$playing.get()).toBe(false)
  for (const draw of frames) draw()
  expect(onClip).toHaveBeenCalledTimes(1)
})

test('after a playing voice-over is closed, Play controls the video again', async () => {
  const replay = createReplay('/converted.m4a')
  await replay.play(voice, 0)
  expect(replay.$playing.get()).toBe(true)
  replay.close()
  const toggle = vi.fn()
  createVoiceOverPausingPlayer({ toggle } as never, replay).toggle()
  expect([replay.$playing.get(), toggle.mock.calls.length]).toEqual([false, 1])
})

test.each(['play', 'ended'])('a late %s event of the sound does not resume a replay that the viewer left', async late => {
  const replay = createReplay('/converted.m4a')
  await replay.play(voice, 0)
  frames.shift()!()
  onClip.mockClear()
  replay.leave()
  await expect.poll(() => replay.$playing.get()).toBe(false)
  frames = []
  fakeAudioElements.at(-1)!.dispatchEvent(new Event(late))
  for (const draw of frames.splice(0)) draw()
  expect([onClip.mock.calls.length, replay.$playing.get()]).toEqual([0, false])
})

test('a replay that the viewer left before its URL arrived plays nothing', async () => {
  let resolveUrl = (_: string) => {}
  const player = { setMuted: vi.fn(), adjustRate: vi.fn(), $status: atom('loading'), $playing: atom(true) }
  const sound = () => new Promise<string>(done => (resolveUrl = done))
  const replay = createVoiceReplay({ player, $view: atom(fullViewport), onClip, sound } as never)
  const played = replay.play(voice, 0)
  replay.leave()
  resolveUrl('/converted.m4a')
  await played
  expect(replay.$playing.get()).toBe(false)
})

test('a URL or a failure that arrives late leaves the next voice-over playing', async () => {
  const [late, failing, next] = ['late', 'failing', 'next'].map(id => ({ ...voice, id }))
  let [resolveLate, rejectFailing] = [(_: string) => {}, (_: Error) => {}]
  const sounds: Record<string, () => Promise<string>> = {
    late: () => new Promise(resolve => (resolveLate = resolve)),
    failing: () => new Promise((_, reject) => (rejectFailing = reject)),
    next: async () => '/next.m4a',
  }
  const player = { setMuted: vi.fn(), adjustRate: vi.fn(), $status: atom('loading'), $playing: atom(true) }
  const sound = ({ id }: Voice) => sounds[id]!()
  const replay = createVoiceReplay({ player, $view: atom(fullViewport), onClip, sound } as never)
  const earlier = [replay.play(late, 0), replay.play(failing, 0)]
  await replay.play(next, 0)
  resolveLate('/late.m4a')
  rejectFailing(new Error('This voice-over did not load.'))
  await Promise.all(earlier)
  expect([fakeAudioElements.at(-1)!.src, replay.$voice.get()?.id, replay.$playing.get()]).toEqual(['/next.m4a', 'next', true])
  expect(replay.$problem.get()).toBeUndefined()
})

test('a fully buffered sound that stalls is started again, at most once a second', async () => {
  let now = 5000
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const replay = createReplay('/converted.m4a')
  await replay.play(voice, 0)
  const element = fakeAudioElements.at(-1)!
  const [pause, play] = [vi.spyOn(element, 'pause'), vi.spyOn(element, 'play')]
  const after = async (ms: number) => {
    now += ms
    for (const draw of frames.splice(0)) draw()
    await Promise.resolve()
    return [pause.mock.calls.length, play.mock.calls.length]
  }
  expect(await after(0)).toEqual([0, 0])
  expect(await after(990)).toEqual([0, 0])
  // A sound that waits for data does not count as stalled.
  element.bufferedSeconds = 1
  expect(await after(20)).toEqual([0, 0])
  element.bufferedSeconds = 2
  // HAVE_ENOUGH_DATA (4): the browser is about to play.
  element.readyState = 4
  expect(await after(0)).toEqual([0, 0])
  element.readyState = 2
  expect(await after(0)).toEqual([1, 1])
  expect(replay.$playing.get()).toBe(true)
  expect(await after(990)).toEqual([1, 1])
  // The sound plays again.
  element.currentTime = 0.5
  expect(await after(20)).toEqual([1, 1])
  expect(await after(900)).toEqual([1, 1])
  element.currentTime = 1
  expect(await after(900)).toEqual([1, 1])
  // A pause by the viewer does not count as a stall.
  replay.pause()
  await Promise.resolve()
  expect(replay.$playing.get()).toBe(false)
  await after(3000)
  expect(await after(3000)).toEqual([2, 1])
})

test('$spokenShapes has all drawings of a voice-over until the viewer takes over', async () => {
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
  const replay = createReplay('/converted.m4a')
  replay.open({ ...voice, shapes: [shape] } as never, 0)
  expect(replay.$spokenShapes.get()).toEqual([shape])
  replay.leave()
  expect(replay.$spokenShapes.get()).toEqual([])
  replay.seek(1)
  expect(replay.$spokenShapes.get()).toEqual([shape])
  replay.close()
  expect(replay.$spokenShapes.get()).toEqual([])
})
