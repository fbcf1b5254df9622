import type { ReadableAtom, WritableAtom } from 'nanostores'
import type { Voice } from '../../modules/reviews/contract.ts'
import type { Viewport } from '../drawing/viewport.ts'
import { clipSecondsOfScene, type Scene, sceneAt } from './replayed-scene.ts'

/** What the replay needs from a player. */
export interface SyncedPlayer {
  $frame: ReadableAtom<number>
  $playing: ReadableAtom<boolean>
  $speed: ReadableAtom<number>
  $status: ReadableAtom<string>
  /** The range that is looped; null if there is none. */
  $loop: WritableAtom<unknown>
  showFrame(frame: number): void
  play(): void
  pause(): void
  setSpeed(rate: number): void
  /** The video's position in seconds on the frame table's timeline; null while it is unknown. */
  currentSeconds(): number | null
  frameStart(frame: number): number
  frameAt(seconds: number): number
  lastFrame(): number
  /** Sets the playback rate to the chosen speed times `factor`. */
  adjustRate(factor: number): void
}

/** A larger drift of the video from the recording is corrected by a seek, a smaller one by playing a little faster or slower. */
const SEEK_DRIFT_SECONDS = 0.25
/** A smaller drift is not corrected, because nobody sees it. */
const IGNORED_DRIFT_SECONDS = 0.02
const MAX_RATE_CORRECTION = 0.15
/** Minimum time between two seeks: another seek helps only after the previous one has ended. */
const SEEK_PAUSE_MS = 400

const isSameView = (a: Viewport, b: Viewport) =>
  Math.abs(a.scale - b.scale) < 0.001 && Math.abs(a.x - b.x) < 0.0002 && Math.abs(a.y - b.y) < 0.0002

/**
 * Makes the stage show what the instructor saw at a moment of a recording. Call `sync` in every animation frame while the voice plays, and
 * after a seek while it is paused.
 */
export function createReplaySync(
  player: SyncedPlayer,
  $view: WritableAtom<Viewport>,
  /** Called at the first `sync`, also after `release`, and when the recording switches to another clip. */
  onClip: (video: string, at: { frame: number; play: boolean }) => void,
  now: () => number = () => performance.now(),
) {
  let clip: string | undefined
  let lastSeekAt = Number.NEGATIVE_INFINITY

  function seek(frame: number) {
    if (player.$frame.get() === frame && !player.$playing.get()) return
    player.showFrame(frame)
    lastSeekAt = now()
  }

  function syncPicture(scene: Scene, ms: number, running: boolean, speed: number) {
    // A loop that the viewer has set would move the video away from the recording.
    if (player.$loop.get()) player.$loop.set(null)
    if (player.$speed.get() !== scene.rate) player.setSpeed(scene.rate)
    const seconds = clipSecondsOfScene(scene, ms, player.frameStart)
    const frame = player.frameAt(seconds)
    if (!running || !scene.playing || frame >= player.lastFrame()) {
      if (player.$playing.get()) player.pause()
      return seek(frame)
    }
    const shownSeconds = player.currentSeconds()
    const drift = shownSeconds === null ? Number.POSITIVE_INFINITY : seconds - shownSeconds
    if (Math.abs(drift) > SEEK_DRIFT_SECONDS * Math.max(1, scene.rate) && now() - lastSeekAt > SEEK_PAUSE_MS) seek(frame)
    if (!player.$playing.get()) return player.play()
    const correction =
      Math.abs(drift) < IGNORED_DRIFT_SECONDS * scene.rate
        ? 0
        : Math.max(-MAX_RATE_CORRECTION, Math.min(MAX_RATE_CORRECTION, drift / scene.rate))
    player.adjustRate(speed * (1 + correction))
  }

  return {
    /** @param running whether the voice is playing, at `speed` times the speed at which it was recorded */
    sync(voice: Pick<Voice, 'video' | 'frame' | 'actions'>, ms: number, running: boolean, speed = 1): Scene {
      const scene = sceneAt(voice, ms)
      if (clip !== scene.video) {
        clip = scene.video
        lastSeekAt = Number.NEGATIVE_INFINITY
        onClip(clip, { frame: scene.frame, play: running && scene.playing })
      }
      if (player.$status.get() === 'ready') syncPicture(scene, ms, running, speed)
      if (!isSameView($view.get(), scene.view)) $view.set(scene.view)
      return scene
    },
    /** Whether the video is paused at the frame that the recording showed at `ms`. */
    isSettled: (voice: Pick<Voice, 'video' | 'frame' | 'actions'>, ms: number) => {
      const scene = sceneAt(voice, ms)
      return !player.$playing.get() && player.$frame.get() === player.frameAt(clipSecondsOfScene(scene, ms, player.frameStart))
    },
    /** Ends the synchronization and gives control of the stage to the viewer. */
    release() {
      clip = undefined
      player.adjustRate(1)
    },
  }
}
