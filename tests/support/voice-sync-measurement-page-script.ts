import { atom } from 'nanostores'
import type { Shape, Voice } from '../../modules/reviews/contract.ts'
import { fullViewport, type Viewport } from '../../src/drawing/viewport.ts'
import type { VideoPlayerClip } from '../../src/player/clip-source.ts'
import { createVideoPlayer } from '../../src/player/video-player.ts'
import type { RecordingStorage, StoredRecording } from '../../src/voice/recording-storage.ts'
import { remuxToMp4 } from '../../src/voice/remux-recording.ts'
import { createStageActionRecorder } from '../../src/voice/stage-action-recorder.ts'
import { createVoiceReplay } from '../../src/voice/voice-over-playback.ts'
import { createVoiceRecorder } from '../../src/voice/voice-recorder.ts'

// Runs in a browser with a microphone: records a voice-over with actions at known times, replays it, and reports how late each action came.

export interface VoiceReplayReport {
  seconds: number
  /** The size of the sound, and of the recorded actions and drawings as JSON. */
  bytes: { sound: number; track: number }
  /**
   * Each action: when it was performed, in ms since `MediaRecorder.start()` by the page's clock, and how late the replay performed it, in
   * ms; `delayMs` is null if the replay never did.
   */
  actions: { what: string; at: number; delayMs: number | null }[]
  /** At random seek positions: whether the stage showed what it had shown during the recording. */
  seeks: { at: number; right: boolean; seen: string; expected: string }[]
}

const pause = (ms: number) => new Promise(done => setTimeout(done, ms))
const until = async (is: () => boolean) => {
  while (!is()) await pause(5)
}

/** The time of the sound's position 0 on the page's clock (`performance.now()`, in ms). */
let startedAt = 0
const { start } = MediaRecorder.prototype
MediaRecorder.prototype.start = function (slice?: number) {
  startedAt = performance.now()
  start.call(this, slice)
}
/** The audio element that plays during the replay. */
let playingAudio: HTMLAudioElement | undefined
const PlainAudio = globalThis.Audio
globalThis.Audio = class extends PlainAudio {
  constructor(src?: string) {
    super(src)
    playingAudio = this
  }
} as typeof Audio

const drawing = (n: number): Shape => ({
  id: `018f0000-0000-7000-8000-${String(n).padStart(12, '0')}`,
  tool: 'pen',
  color: 0,
  width: 45,
  p: [2000, 2000, 300, 400, 200, -100, 400, 300],
  from: 0,
  hold: 14_000,
  fade: 0,
})

async function run({
  clip,
  seconds,
  seekCount,
}: {
  clip: VideoPlayerClip
  seconds: number
  seekCount: number
}): Promise<VoiceReplayReport> {
  const video = document.createElement('video')
  video.muted = true
  document.body.replaceChildren(video)
  const player = createVideoPlayer(async () => clip)
  player.attach(video)
  player.load(clip)
  await until(() => player.$status.get() === 'ready' && player.$isConfirmed.get())
  const $view = atom<Viewport>(fullViewport)
  const shapeEditor = { $activeShape: atom<Shape | null>(null) }

  const sounds: ArrayBuffer[] = []
  const ended = Promise.withResolvers<StoredRecording>()
  const device = {
    put: async (_: StoredRecording, chunk?: { sound: ArrayBuffer }) => void (chunk && sounds.push(chunk.sound)),
  } as unknown as RecordingStorage
  const recorder = createVoiceRecorder(device, async kept => ended.resolve(kept))
  let act: ReturnType<typeof createStageActionRecorder> | undefined
  await recorder.start({
    id: crypto.randomUUID(),
    session: 'bench',
    stage: clock => {
      act = createStageActionRecorder({ player, $view, $clip: atom(clip.id), shapeEditor }, clock)
      return act
    },
  })
  await until(() => recorder.$recording.get().is === 'speaking')

  const last = player.$frames.get() - 1
  const now = () => performance.now() - startedAt
  const performed: { what: string; at: number; frame?: number; view?: Viewport; rate?: number; shape?: string }[] = []
  /** The frames that the stage showed, and when each appeared. */
  const shown: { at: number; frame: number }[] = [{ at: 0, frame: player.$frame.get() }]
  player.$frame.listen(frame => shown.push({ at: now(), frame }))
  const acts = [
    () => {
      const frame = Math.floor(Math.random() * last * 0.5)
      performed.push({ what: 'seek', at: now(), frame })
      player.showFrame(frame)
    },
    () => {
      performed.push({ what: 'play', at: now() })
      player.play()
    },
    () => {
      const rate = player.$speed.get() === 0.25 ? 0.5 : 0.25
      performed.push({ what: 'rate', at: now(), rate })
      player.setSpeed(rate)
    },
    () => {
      performed.push({ what: 'pause', at: now() })
      player.pause()
    },
    () => {
      const view = { scale: 1 + Math.random() * 3, x: 0.3 + Math.random() * 0.4, y: 0.5 }
      performed.push({ what: 'zoom', at: now(), view })
      $view.set(view)
    },
    () => {
      const shape = drawing(performed.length)
      performed.push({ what: 'stroke', at: now(), shape: shape.id })
      act!.add(shape)
    },
  ]
  const actionCount = 20
  for (let i = 0; i < actionCount; i++) {
    await until(() => now() > ((i + 0.5 + Math.random() * 0.4) * seconds * 1000) / (actionCount + 1))
    acts[i % acts.length]!()
  }
  await until(() => now() > seconds * 1000)
  await recorder.stop()
  const kept = await ended.promise
  const found = (await remuxToMp4(new Blob(sounds, { type: kept.voice.type })))!
  const voice: Voice = { ...kept.voice, bytes: found.file.size, type: found.type, milliseconds: found.milliseconds }

  player.pause()
  player.setSpeed(1)
  $view.set(fullViewport)
  player.showFrame(0)
  const address = URL.createObjectURL(found.file)
  const replay = createVoiceReplay({ player, $view, onClip: () => {}, sound: async () => address })
  /** The sound's position, in ms, when the replay performed each action. */
  const came: { what: string; at: number; value: unknown }[] = []
  const recordChange = (what: string) => (value: unknown) => came.push({ what, at: (playingAudio?.currentTime ?? 0) * 1000, value })
  player.$frame.listen(frame => player.$playing.get() || recordChange('seek')(frame))
  player.$playing.listen(playing => recordChange(playing ? 'play' : 'pause')(playing))
  player.$speed.listen(recordChange('rate'))
  $view.listen(recordChange('zoom'))
  replay.$shapes.listen(shapes => {
    for (const { id } of shapes) if (!came.some(c => c.value === id)) recordChange('stroke')(id)
  })
  await replay.play(voice, 0)
  await until(() => !replay.$playing.get() && replay.$time.get() >= voice.milliseconds - 1)

  const isIt = (action: (typeof performed)[number], value: unknown) =>
    action.what === 'seek'
      ? value === action.frame
      : action.what === 'rate'
        ? value === action.rate
        : action.what === 'stroke'
          ? value === action.shape
          : action.what === 'zoom'
            ? Math.abs((value as Viewport).scale - action.view!.scale) < 0.001
            : true
  const results = performed.map(action => {
    const lates = came.filter(c => c.what === action.what && isIt(action, c.value)).map(c => c.at - action.at)
    const delayMs = lates.sort((a, b) => Math.abs(a) - Math.abs(b))[0]
    return { what: action.what, at: action.at, delayMs: delayMs === undefined ? null : Math.round(delayMs * 10) / 10 }
  })

  const seeks: VoiceReplayReport['seeks'] = []
  for (let i = 0; i < seekCount; i++) {
    let at = 0
    // Near a change both states are right, so choose another position.
    do at = Math.random() * voice.milliseconds
    while (performed.some(d => Math.abs(d.at - at) < 150))
    replay.seek(at)
    await pause(100)
    await until(() => player.$isConfirmed.get())
    const before = (what: string) => performed.filter(d => d.what === what && d.at <= at).at(-1)
    const frame = shown.filter(s => s.at <= at).at(-1)!.frame
    const running = (before('play')?.at ?? -1) > (before('pause')?.at ?? -1)
    const rate = before('rate')?.rate ?? 1
    // The clip has 60 frames per second. While it plays, the shown frame may be off by 50 ms plus one frame.
    const near = running ? Math.ceil(60 * rate * 0.05) + 1 : 0
    const scale = before('zoom')?.view?.scale ?? 1
    const strokes = performed.filter(d => d.what === 'stroke' && d.at <= at).length
    const state = (f: number, r: number, s: number, n: number) => `frame ${f}, ${r}×, zoom ${s.toFixed(2)}, ${n} drawn`
    const right =
      Math.abs(player.$frame.get() - frame) <= near &&
      player.$speed.get() === rate &&
      Math.abs($view.get().scale - scale) < 0.001 &&
      replay.$shapes.get().length === strokes
    seeks.push({
      at,
      right,
      expected: state(frame, rate, scale, strokes),
      seen: state(player.$frame.get(), player.$speed.get(), $view.get().scale, replay.$shapes.get().length),
    })
  }
  const { actions: track, shapes = [] } = voice
  return {
    seconds: voice.milliseconds / 1000,
    bytes: { sound: found.file.size, track: JSON.stringify({ track, shapes }).length },
    actions: results,
    seeks,
  }
}
Object.assign(globalThis, { run })
