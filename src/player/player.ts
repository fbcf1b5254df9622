import { REPORTS_FRAMES } from '../browser-quirks/frame-callbacks.ts'
import { IS_WEBKIT_GSTREAMER } from '../browser-quirks/gstreamer-frame-lengths.ts'
import type { PlayerInput } from './player-events.ts'
import { createPlayerState, notePosition, type PlayerState, type SeekTarget, shownFrame, sourceOf } from './player-state.ts'
import { createPlayerStores } from './player-stores.ts'
import { step } from './player-transitions.ts'
import type { Clip } from './source.ts'
import { createVideoAdapter } from './video-adapter.ts'

/** A playback rate that differs by less is not set anew. */
const SAME_PLAYBACK_RATE = 0.001

/**
 * Drives one <video> by whole frames. The current frame is a number that the player itself keeps: a step changes the number, and the <video>
 * is sought to that frame's time in the frame table; what the browser reports only confirms it (`$isConfirmed`). Only while the video plays
 * do the browser's reports set the number.
 *
 * All decisions are in `step`; this runs it, has the adapter perform its effects, and brings the stores to its state.
 *
 * `renew` returns a video (by its id) with fresh addresses; it is called once for each address that failed, and the video goes on where it
 * stopped.
 */
export function createPlayer(renew: (video: string) => Promise<Clip>) {
  const { stores, publish } = createPlayerStores(loop => send({ type: 'setLoop', loop }))
  let state: PlayerState = createPlayerState({ reportsFrames: REPORTS_FRAMES, guessesFrameLength: IS_WEBKIT_GSTREAMER })
  const adapter = createVideoAdapter(send, renew)
  const inputs: PlayerInput[] = []
  let isRunning = false

  /** Runs the machine. An input that comes in the meantime, from an effect or a listener of a store, waits until this one is done with. */
  function send(input: PlayerInput) {
    inputs.push(input)
    if (isRunning) return
    isRunning = true
    try {
      for (let next = inputs.shift(); next; next = inputs.shift()) {
        const [after, effects] = step(state, { ...next, video: adapter.read() })
        state = after
        for (const effect of effects) adapter.perform(effect)
        publish(state)
      }
    } finally {
      isRunning = false
    }
  }

  const player = {
    ...stores,
    /** Ref of the <video>. */
    attach: (video: HTMLVideoElement | null) => (video ? adapter.attach(video) : undefined),
    /**
     * Shows a clip, from `target` if that is given. The same clip under other addresses goes on undisturbed, unless it could not be shown so
     * far, or its rendition is there now.
     */
    load: (clip: Clip, target?: SeekTarget) => send({ type: 'load', clip, target }),
    /** Tries once more to load a video that was unreachable. */
    retry: () => send({ type: 'retry' }),

    goTo: (target: SeekTarget) => send({ type: 'goTo', target }),
    showFrame: (frame: number) => send({ type: 'showFrame', frame }),
    /** Goes to the frame of some milliseconds. */
    seek: (at: number) => send({ type: 'goTo', target: { at: Math.max(0, at), play: false } }),
    play: () => send({ type: 'play' }),
    pause: () => send({ type: 'pause' }),
    toggle: () => send({ type: 'toggle' }),
    /** Pauses, and moves by whole frames; back where `frames` is negative. */
    step(frames: number) {
      send({ type: 'pause' })
      send({ type: 'moveBy', frames })
    },
    setSpeed: (speed: number) => send({ type: 'setSpeed', speed }),

    shownFrame: () => shownFrame(state),
    notePosition: () => notePosition(state),
    /** The frame of a note on this clip. */
    frameOf: (note: { frame?: number | undefined; at: number }) => state.timeline.clamp(note.frame ?? state.timeline.noted(note.at)),

    // A voice-over leads the video by these, in seconds of the frame table.
    /** Seconds at which the video is; null where there is none yet. */
    currentSeconds() {
      const [video, source] = [adapter.read(), sourceOf(state)]
      const offset = state.media.status === 'ready' ? state.media.calibration.timestampOffset : source?.timestampOffset
      return video && offset !== undefined ? video.seconds + offset : null
    },
    frameStart: (frame: number) => state.timeline.start(frame),
    frameAt: (seconds: number) => state.timeline.at(seconds),
    lastFrame: () => state.timeline.frames - 1,
    /** Plays so many times as fast as `$speed`, to catch up or to fall back. */
    adjustRate(factor: number) {
      const video = adapter.element()
      const rate = state.speed * factor
      if (video && Math.abs(video.playbackRate - rate) > SAME_PLAYBACK_RATE) video.playbackRate = rate
    },
    setMuted(isMuted: boolean) {
      const video = adapter.element()
      if (video) video.muted = isMuted
    },
  }
  return player
}
export type Player = ReturnType<typeof createPlayer>
