import { type Timeline, timeline } from '../../modules/media/frames.ts'
import type { Clip, ClipSource } from '../../src/player/clip-source.ts'
import type { PlayerEffect, PlayerInput, PlayerTimer } from '../../src/player/player-events.ts'
import { type BrowserTraits, createPlayerState, type PlayerState } from '../../src/player/player-state.ts'
import { stepPlayer } from '../../src/player/player-transitions.ts'

/** What differs between browser engines, for one clip. */
export interface EngineModel {
  browser: BrowserTraits
  isRendition: boolean
  times: Timeline
  /** Whether a picture is reported again when a seek ends at the picture that is on the screen already. */
  repeatsReports: boolean
  /**
   * Whether the pictures of superseded seeks come, too, and a picture may be reported after the next seek has begun. Not for WebKit's
   * originals: to a player that does not know the offset yet, two such pictures in a row look like an echo.
   */
  presentsSuperseded: boolean
  /** The frame that a seek finds; `seconds` of the <video>. */
  find(seconds: number): number
  /** The media time that the engine reports with a frame's picture; `target`: of the seek that found it, null while the video plays. */
  report(frame: number, target: number | null): number
}

type Runs = [count: number, ticks: number][]
/** The names of the engine models; `original`: not a rendition. */
export const ENGINE_MODEL_NAMES = [
  'chromium',
  'chromium original',
  'firefox',
  'firefox original',
  'webkit',
  'webkit original',
  'gstreamer',
] as const
export type EngineModelName = (typeof ENGINE_MODEL_NAMES)[number]
/** By how much WebKit's reported times are late for an original, in seconds. */
const WEBKIT_OFFSET_SECONDS = 2 / 30

/** `runs`: of the frame table, in milliseconds. WebKit's model plays originals of one rate alone, as it finds other frames near a change. */
export function modelEngine(name: EngineModelName, runs: Runs, repeatsReports: boolean, guess: 'mean' | 'tick' | 'own'): EngineModel {
  const isRendition = !name.endsWith('original')
  const times = timeline({ version: 1, scale: 1000, first: 0, runs: name === 'webkit original' ? [[60, 33]] : runs })
  const byTable = {
    ...{ isRendition, times, repeatsReports, presentsSuperseded: name !== 'webkit original' },
    browser: { reportsFrames: true, guessesFrameLength: false },
    find: (seconds: number) => times.at(seconds),
  }
  const frameStart = (frame: number) => times.start(frame)
  const echo = (frame: number, target: number | null) => target ?? times.start(frame)
  if (name.startsWith('chromium')) return { ...byTable, report: frameStart }
  if (name === 'webkit original') return { ...byTable, report: (frame, target) => echo(frame, target) + WEBKIT_OFFSET_SECONDS }
  if (name !== 'gstreamer') return { ...byTable, report: echo }
  const mean = times.seconds / times.frames
  const lasts = (frame: number) => (guess === 'own' ? times.end(frame) - times.start(frame) : guess === 'mean' ? mean : 0.001)
  const frames = Array.from({ length: times.frames }, (_, frame) => frame)
  return {
    ...{ ...byTable, browser: { reportsFrames: true, guessesFrameLength: true } },
    find: seconds => frames.find(frame => times.start(frame) + lasts(frame) > seconds) ?? times.frames - 1,
    report: (frame, target) => Math.max(times.start(frame), target ?? 0),
  }
}

/** When the picture of a seek comes: with the end of the seek, before or after the `seeked` event; after a while; or never. */
export type PictureArrival = 'before' | 'after' | 'late' | 'never'

const CLIP: Clip = {
  ...{ id: 'swing', url: '/swing' },
  rendition: {
    ...{ state: 'waiting', progress: 0, reason: null, unseen: false, filmstrip: null, width: 320, height: 240 },
    ...{ url: null, bytes: 1, table: '/table' },
  },
}

/** The machine with a <video> of an engine model: the test decides what comes when, as far as engines keep to an order at all. */
export class EngineModelRun {
  state: PlayerState
  /** The frame whose picture is on the screen; null before the first. */
  screen: number | null = null
  isPaused = true
  private readonly engine: EngineModel
  private hasFailed = false
  private seconds = 0
  /** Seeks that have not ended, in seconds of the <video>; all but the last are superseded. */
  private seeks: number[] = []
  /** The seek that has ended without its picture so far. */
  private latePicture: number | null = null
  /** What the browser has done but not reported yet. */
  private reports: PlayerInput[] = []
  private answers: PlayerInput[] = []
  private readonly timers = new Set<PlayerTimer>()

  constructor(engine: EngineModel) {
    this.engine = engine
    this.state = createPlayerState(engine.browser)
    this.send({ type: 'attached' })
    this.send({ type: 'load', clip: CLIP })
    this.settle()
  }

  send(input: PlayerInput) {
    const video = { isPaused: this.isPaused, isSeeking: this.seeks.length > 0, seconds: this.seconds }
    const [state, effects] = stepPlayer(this.state, { ...input, video })
    this.state = state
    for (const effect of effects) this.perform(effect)
  }

  private perform(effect: PlayerEffect) {
    const { times, isRendition } = this.engine
    switch (effect.type) {
      case 'seek':
        this.seconds = Math.max(0, effect.seconds)
        this.seeks.push(this.seconds)
        return
      case 'play':
        this.isPaused = false
        this.reports.push({ type: 'started' })
        // The adapter tells of it at once; the browser's own event comes later.
        return this.send({ type: 'started' })
      case 'pause':
        if (!this.isPaused) this.reports.push({ type: 'paused' })
        this.isPaused = true
        return
      case 'startTimer':
        this.timers.add(effect.timer)
        return
      case 'stopTimer':
        this.timers.delete(effect.timer)
        return
      case 'setSource':
        return this.load(effect.source)
      case 'openSource': {
        const source: ClipSource = { src: '/swing', isRendition, timeline: times, timestampOffset: 0, release: () => {} }
        this.answers.push({ type: 'sourceOpened', opening: effect.opening, source })
        return
      }
      case 'renew':
        this.answers.push({ type: 'renewed', opening: effect.opening, clip: CLIP })
        return
      case 'testFetch':
        this.answers.push({ type: 'fetchTested', opening: effect.opening, isFetchable: true })
    }
  }

  private load(source: ClipSource | null) {
    Object.assign(this, { screen: null, isPaused: true, hasFailed: false, seconds: 0, seeks: [], latePicture: null, reports: [] })
    if (!source) return
    this.reports.push({ type: 'metadataLoaded', seconds: this.engine.times.end(this.engine.times.frames - 1), hasPicture: true })
    this.present(0, 0)
  }

  private present(frame: number, target: number | null) {
    const isRepeated = frame === this.screen
    this.screen = frame
    if (!isRepeated || this.engine.repeatsReports) this.reports.push({ type: 'presented', mediaTime: this.engine.report(frame, target) })
  }

  /** The machine hears of the next thing that the browser or the server has done. */
  deliver() {
    const next = this.reports.shift() ?? this.answers.shift()
    if (next) this.send(next)
    return next !== undefined
  }

  /** The machine hears of everything that the browser has done. */
  hearReports() {
    while (this.reports.length) this.deliver()
  }

  /** The last seek ends. From then on no earlier seek's picture comes. */
  endSeek(picture: PictureArrival) {
    const target = this.seeks.at(-1)
    if (target === undefined || this.hasFailed) return false
    this.seeks = []
    this.latePicture = picture === 'late' ? target : null
    if (picture === 'before') this.present(this.engine.find(target), target)
    this.reports.push({ type: 'seeked' })
    if (picture === 'after') this.present(this.engine.find(target), target)
    return true
  }

  /** A superseded seek's picture comes, or one that is late. */
  presentOldPicture() {
    const target = this.latePicture ?? (this.engine.presentsSuperseded && this.seeks.length > 1 ? this.seeks.shift()! : null)
    this.latePicture = null
    if (target !== null && !this.hasFailed) this.present(this.engine.find(target), target)
  }

  /** The video plays on by some frames, and stops at its end. */
  playOn(frames: number) {
    const { times } = this.engine
    if (this.isPaused || this.hasFailed || this.seeks.length || this.screen === null) return
    this.latePicture = null
    const frame = Math.min(times.frames - 1, this.screen + frames)
    this.seconds = times.start(frame)
    this.present(frame, null)
    if (frame < times.frames - 1) return
    this.isPaused = true
    this.reports.push({ type: 'paused' }, { type: 'ended' })
  }

  /** Whether the machine has heard of everything that the browser has done. */
  isHeard = () => this.reports.length === 0

  /** A timer runs out. Engines report a picture sooner than that, once it is on the screen. */
  elapse(timer: PlayerTimer) {
    if (this.reports.length || !this.timers.delete(timer)) return false
    this.send({ type: 'timerElapsed', timer })
    return true
  }

  /** The video stops loading, and shows nothing new from now on. */
  fail() {
    if (this.hasFailed) return
    this.hasFailed = true
    this.reports.push({ type: 'failed', isDecodeError: false })
  }

  /** Everything comes as it should, until nothing more is to come; returns whether that takes an end. */
  settle(): boolean {
    const MAX_STEPS = 500
    for (let i = 0; i < MAX_STEPS; i++)
      if (!this.deliver() && !this.endSeek('after') && !this.elapse('seekRetry') && !this.elapse('latePicture')) return true
    return false
  }
}
