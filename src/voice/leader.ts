import type { ReadableAtom, WritableAtom } from 'nanostores'
import type { Voice } from '../../modules/reviews/contract.ts'
import type { View } from '../drawing/view.ts'
import { type Scene, stateAt } from './scene.ts'

/** What a voice leads. */
export interface Led {
  $frame: ReadableAtom<number>
  $playing: ReadableAtom<boolean>
  $speed: ReadableAtom<number>
  $status: ReadableAtom<string>
  /** What is played again and again. */
  $loop: WritableAtom<unknown>
  showFrame(frame: number): void
  play(): void
  pause(): void
  setSpeed(rate: number): void
  /** Seconds of the frame table: where the video is (null: nowhere yet), and where frames begin. */
  currentSeconds(): number | null
  frameStart(frame: number): number
  frameAt(seconds: number): number
  lastFrame(): number
  /** Runs so many times as fast as its speed. */
  adjustRate(factor: number): void
}

/** The video may be so far off, seconds, before it is sought; less is made good by running a little faster or slower. */
const FAR = 0.25
/** Nobody sees this, seconds. */
const NEAR = 0.02
const HURRY = 0.15
/** A seek gets so long, ms, before the next. */
const PATIENCE = 400

const same = (a: View, b: View) => Math.abs(a.scale - b.scale) < 0.001 && Math.abs(a.x - b.x) < 0.0002 && Math.abs(a.y - b.y) < 0.0002

/**
 * Makes a stage show what its instructor saw at a moment of a recording, whatever it shows now: asked at every frame of the screen while
 * the voice runs, once where it stands.
 */
export function createLeader(
  player: Led,
  $view: WritableAtom<View>,
  /** Another clip is to be shown. */
  onClip: (video: string, at: { frame: number; play: boolean }) => void,
  now: () => number = () => performance.now(),
) {
  let clip: string | undefined
  let sought = Number.NEGATIVE_INFINITY

  function seek(frame: number) {
    if (player.$frame.get() === frame && !player.$playing.get()) return
    player.showFrame(frame)
    sought = now()
  }

  function picture(scene: Scene, ms: number, running: boolean, tempo: number) {
    // It would lead elsewhere.
    if (player.$loop.get()) player.$loop.set(null)
    if (player.$speed.get() !== scene.rate) player.setSpeed(scene.rate)
    const since = scene.playing ? ((ms - scene.since) / 1000) * scene.rate : 0
    const seconds = player.frameStart(scene.frame) + since
    const frame = player.frameAt(seconds)
    if (!running || !scene.playing || frame >= player.lastFrame()) {
      if (player.$playing.get()) player.pause()
      return seek(frame)
    }
    const here = player.currentSeconds()
    const off = here === null ? Number.POSITIVE_INFINITY : seconds - here
    if (Math.abs(off) > FAR * Math.max(1, scene.rate) && now() - sought > PATIENCE) seek(frame)
    if (!player.$playing.get()) return player.play()
    const hurry = Math.abs(off) < NEAR * scene.rate ? 0 : Math.max(-HURRY, Math.min(HURRY, off / scene.rate))
    player.adjustRate(tempo * (1 + hurry))
  }

  return {
    /** @param running the voice sounds now, `tempo` times as fast as it was spoken */
    sync(voice: Pick<Voice, 'video' | 'frame' | 'actions'>, ms: number, running: boolean, tempo = 1): Scene {
      const scene = stateAt(voice, ms)
      if (clip !== scene.video) {
        clip = scene.video
        sought = Number.NEGATIVE_INFINITY
        onClip(clip, { frame: scene.frame, play: running && scene.playing })
      }
      if (player.$status.get() === 'ready') picture(scene, ms, running, tempo)
      if (!same($view.get(), scene.view)) $view.set(scene.view)
      return scene
    },
    /** The picture shows what was seen then, and stands still. */
    settled: (voice: Pick<Voice, 'video' | 'frame' | 'actions'>, ms: number) => {
      const scene = stateAt(voice, ms)
      const since = scene.playing ? ((ms - scene.since) / 1000) * scene.rate : 0
      return !player.$playing.get() && player.$frame.get() === player.frameAt(player.frameStart(scene.frame) + since)
    },
    /** Somebody else leads from here on. */
    release() {
      clip = undefined
      player.adjustRate(1)
    },
  }
}
