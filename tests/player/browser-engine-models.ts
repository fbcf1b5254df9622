import { type FrameTimeline, frameTimeline } from '../../modules/media/frames.ts'
import type { VideoElementSource, VideoPlayerClip } from '../../src/player/clip-source.ts'
import type { VideoPlayerEffect, VideoPlayerInput, VideoPlayerTimerName } from '../../src/player/player-input-and-effect-types.ts'
import { type BrowserTraits, initialVideoPlayerState, type VideoPlayerState } from '../../src/player/player-state-and-selectors.ts'
import { videoPlayerTransition } from '../../src/player/player-transitions.ts'

/** What differs between browser engines, for one clip. */
export interface EngineModel {
  browser: BrowserTraits
  isRendition: boolean
  times: FrameTimeline
  /** Whether the engine reports a picture again when a seek ends at the picture that is already on the screen. */
  repeatsReports: boolean
  /**
   * Whether the engine presents the pictures of superseded seeks too, and may report a picture after the next seek has begun. False for
   * WebKit's originals, because two such pictures in a row look like an echo to a player that does not know the offset yet.
   */
  presentsSuperseded: boolean
  /** Returns the frame that a seek shows. `seconds`: the seek's target on the <video>'s clock. */
  find(seconds: number): number
  /** Returns the media time, in seconds, that the engine reports with a frame. `target`: the seek's target; null while the video plays. */
  report(frame: number, target: number | null): number
}

type Runs = [count: number, ticks: number][]
/** The names of the engine models. In those with `original`, the clip is an original, not a rendition. */
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
/** How late WebKit's reported times are for an original, in seconds. */
const WEBKIT_OFFSET_SECONDS = 2 / 30

/**
 * Creates a model of an engine that plays a clip whose frame table has these `runs`, in milliseconds. WebKit finds wrong frames of an
 * original near a change of the frame rate, so the model of its originals uses a clip with a constant rate instead. `guess`: what GStreamer
 * assumes as each frame's length: the mean, 1 ms, or the frame's own.
 */
export function createEngineModel(name: EngineModelName, runs: Runs, repeatsReports: boolean, guess: 'mean' | 'tick' | 'own'): EngineModel {
  const isRendition = !name.endsWith('original')
  const times = frameTimeline({ version: 1, scale: 1000, first: 0, runs: name === 'webkit original' ? [[60, 33]] : runs })
  const byTable = {
    isRendition,
    times,
    repeatsReports,
    presentsSuperseded: name !== 'webkit original',
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
    ...byTable,
    browser: { reportsFrames: true, guessesFrameLength: true },
    find: seconds => frames.find(frame => times.start(frame) + lasts(frame) > seconds) ?? times.frames - 1,
    report: (frame, target) => Math.max(times.start(frame), target ?? 0),
  }
}

/** When the browser presents the picture of a seek: just before or just after the `seeked` event, later, or never. */
export type SeekPictureTiming = 'before' | 'after' | 'late' | 'never'

const CLIP: VideoPlayerClip = {
  id: 'swing',
  url: '/swing',
  rendition: {
    state: 'waiting',
    progress: 0,
    reason: null,
    unseen: false,
    filmstrip: null,
    width: 320,
    height: 240,
    url: null,
    bytes: 1,
    table: '/table',
  },
}

/** The player's state machine with a <video> of an engine model. The test chooses one of the event orders that engines can produce. */
export class PlayerOnEngineModel {
  state: VideoPlayerState
  /** The frame whose picture is on the screen; null before the first. */
  screen: number | null = null
  isPaused = true
  private readonly engine: EngineModel
  private hasFailed = false
  private seconds = 0
  /** The targets of the seeks that have not ended, in seconds on the <video>'s clock; all but the last are superseded. */
  private seeks: number[] = []
  /** The target of a seek that has ended but whose picture is still to come; null if there is none. */
  private latePicture: number | null = null
  /** The browser's reports that the state machine has not received yet. */
  private reports: VideoPlayerInput[] = []
  private answers: VideoPlayerInput[] = []
  private readonly timers = new Set<VideoPlayerTimerName>()

  constructor(engine: EngineModel) {
    this.engine = engine
    this.state = initialVideoPlayerState(engine.browser)
    this.send({ type: 'attached' })
    this.send({ type: 'load', clip: CLIP })
    this.settle()
  }

  send(input: VideoPlayerInput) {
    const video = { isPaused: this.isPaused, isSeeking: this.seeks.length > 0, seconds: this.seconds }
    const [state, effects] = videoPlayerTransition(this.state, { ...input, video })
    this.state = state
    for (const effect of effects) this.perform(effect)
  }

  private perform(effect: VideoPlayerEffect) {
    const { times, isRendition } = this.engine
    switch (effect.type) {
      case 'seek':
        this.seconds = Math.max(0, effect.seconds)
        this.seeks.push(this.seconds)
        return
      case 'play':
        this.isPaused = false
        this.reports.push({ type: 'started' })
        // The adapter reports this immediately; the browser's own event follows later.
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
        const source: VideoElementSource = { src: '/swing', isRendition, timeline: times, timestampOffset: 0, release: () => {} }
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

  private load(source: VideoElementSource | null) {
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

  /** Sends the state machine the browser's next report or, failing that, the server's next response; returns false if there is neither. */
  deliver() {
    const next = this.reports.shift() ?? this.answers.shift()
    if (next) this.send(next)
    return next !== undefined
  }

  /** Sends the state machine all of the browser's reports. */
  deliverReports() {
    while (this.reports.length) this.deliver()
  }

  /** Ends the last seek, after which no picture of an earlier seek is presented. Returns false if there is no seek to end. */
  endSeek(picture: SeekPictureTiming) {
    const target = this.seeks.at(-1)
    if (target === undefined || this.hasFailed) return false
    this.seeks = []
    this.latePicture = picture === 'late' ? target : null
    if (picture === 'before') this.present(this.engine.find(target), target)
    this.reports.push({ type: 'seeked' })
    if (picture === 'after') this.present(this.engine.find(target), target)
    return true
  }

  /** Presents a late picture or, if there is none, the picture of the oldest superseded seek. */
  presentOldPicture() {
    const target = this.latePicture ?? (this.engine.presentsSuperseded && this.seeks.length > 1 ? this.seeks.shift()! : null)
    this.latePicture = null
    if (target !== null && !this.hasFailed) this.present(this.engine.find(target), target)
  }

  /** Advances by `frames` frames, or to the end, and presents only the last of them. Does nothing unless the video is playing. */
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

  /** Whether the state machine has received all of the browser's reports. */
  areReportsDelivered = () => this.reports.length === 0

  /**
   * Makes a timer run out, unless there is an undelivered report: engines report a presented picture before any timer runs out. Returns
   * whether the timer was running and has now run out.
   */
  elapse(timer: VideoPlayerTimerName) {
    if (this.reports.length || !this.timers.delete(timer)) return false
    this.send({ type: 'timerElapsed', timer })
    return true
  }

  /** Makes the video stop loading; it presents no more pictures. */
  fail() {
    if (this.hasFailed) return
    this.hasFailed = true
    this.reports.push({ type: 'failed', isDecodeError: false })
  }

  /** Delivers reports and responses, ends seeks and lets timers run out until nothing is left. Returns false after 500 steps. */
  settle(): boolean {
    const MAX_STEPS = 500
    for (let i = 0; i < MAX_STEPS; i++)
      if (!this.deliver() && !this.endSeek('after') && !this.elapse('seekRetry') && !this.elapse('slowSeek')) return true
    return false
  }
}
