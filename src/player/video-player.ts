import { IS_WEBKIT_GSTREAMER } from '../browser-quirks/gstreamer-frame-length-guess.ts'
import { HAS_FRAME_CALLBACKS } from '../browser-quirks/video-frame-callback-support.ts'
import type { VideoPlayerClip } from './clip-source.ts'
import type { VideoPlayerInput } from './player-input-and-effect-types.ts'
import {
  clipSourceOf,
  initialVideoPlayerState,
  positionForNewNote,
  type RequestedPlayerPosition,
  shownFrame,
  type VideoPlayerState,
} from './player-state-and-selectors.ts'
import { createVideoPlayerStores } from './player-stores.ts'
import { videoPlayerTransition } from './player-transitions.ts'
import { createVideoElementAdapter } from './video-element-adapter.ts'

/** A smaller change of the playback rate is skipped, because nobody would notice it. */
const SAME_PLAYBACK_RATE = 0.001

/**
 * Controls one <video> by whole frames. The player itself keeps the current frame number: a step changes the number and seeks the <video>
 * to that frame's time in the frame table; the browser's reports only confirm the frame (`$isConfirmed`). Only while the video plays do the
 * browser's reports set the number.
 * `videoPlayerTransition` makes all decisions; this function runs it, has the adapter perform its effects, and publishes its state to the
 * stores.
 * `renew` takes the id of a video and returns the video with fresh URLs. It is called once for each URL that failed; the video then
 * continues where it stopped.
 */
export function createVideoPlayer(renew: (video: string) => Promise<VideoPlayerClip>) {
  const { stores, publish } = createVideoPlayerStores(loop => send({ type: 'setLoop', loop }))
  let state: VideoPlayerState = initialVideoPlayerState({ reportsFrames: HAS_FRAME_CALLBACKS, guessesFrameLength: IS_WEBKIT_GSTREAMER })
  const adapter = createVideoElementAdapter(send, renew)
  const inputs: VideoPlayerInput[] = []
  let isRunning = false

  /**
   * Runs the state machine. An input that arrives in the meantime, from an effect or a store listener, is queued until the current one is
   * done.
   */
  function send(input: VideoPlayerInput) {
    inputs.push(input)
    if (isRunning) return
    isRunning = true
    try {
      for (let next = inputs.shift(); next; next = inputs.shift()) {
        const [after, effects] = videoPlayerTransition(state, { ...next, video: adapter.read() })
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
    /** A React ref callback for the <video>. */
    attach: (video: HTMLVideoElement | null) => (video ? adapter.attach(video) : undefined),
    /**
     * Shows a clip, starting at `target` if given. If only its URLs have changed, playback is not disturbed, unless the clip could not be
     * shown so far or its rendition has become ready.
     */
    load: (clip: VideoPlayerClip, target?: RequestedPlayerPosition) => send({ type: 'load', clip, target }),
    /** Tries again to load a video that was unreachable. */
    retry: () => send({ type: 'retry' }),

    goTo: (target: RequestedPlayerPosition) => send({ type: 'goTo', target }),
    showFrame: (frame: number) => send({ type: 'showFrame', frame }),
    /** Shows the frame at a time in milliseconds. */
    seek: (at: number) => send({ type: 'goTo', target: { at: Math.max(0, at), play: false } }),
    play: () => send({ type: 'play' }),
    pause: () => send({ type: 'pause' }),
    toggle: () => send({ type: 'toggle' }),
    /** Pauses, and moves by whole frames; backward if `frames` is negative. */
    step(frames: number) {
      send({ type: 'pause' })
      send({ type: 'moveBy', frames })
    },
    setSpeed: (speed: number) => send({ type: 'setSpeed', speed }),

    shownFrame: () => shownFrame(state),
    notePosition: () => positionForNewNote(state),
    /** The frame of a note on this clip. */
    frameOf: (note: { frame?: number | undefined; at: number }) => state.timeline.clamp(note.frame ?? state.timeline.noted(note.at)),

    // A voice-over controls the video through the following functions, whose times are in seconds on the frame table's timeline.
    /** The current position; null if there is no <video>, or if it has no source yet. */
    currentSeconds() {
      const [video, source] = [adapter.read(), clipSourceOf(state)]
      const offset = state.media.status === 'ready' ? state.media.calibration.timestampOffset : source?.timestampOffset
      return video && offset !== undefined ? video.seconds + offset : null
    },
    frameStart: (frame: number) => state.timeline.start(frame),
    frameAt: (seconds: number) => state.timeline.at(seconds),
    lastFrame: () => state.timeline.frames - 1,
    /** Sets the playback rate to a multiple of the chosen speed, so that the video catches up with a voice-over or waits for it. */
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
export type VideoPlayer = ReturnType<typeof createVideoPlayer>
