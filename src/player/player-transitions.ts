import type {
  VideoElementState,
  VideoPlayerEvent,
  VideoPlayerTimerName,
  VideoPlayerTransitionResult,
} from './player-input-and-effect-types.ts'
import {
  IDLE_SEEK,
  isMediaReady,
  type RequestedPlayerPosition,
  type UnreadyMedia,
  type VideoPlayerState,
} from './player-state-and-selectors.ts'
import {
  handlePresentedFrame,
  handleSeeked,
  handleSeekPictureTimeout,
  markSeekAsSlow,
  repaintCurrentFrame,
  seekToCurrentFrameOnPause,
  showFrame,
  updateFrameOnTimeUpdate,
  withoutFrameProof,
} from './seek-transitions.ts'
import {
  failAfterUrlTest,
  handleMetadata,
  handleRenditionOpened,
  handleUrlFailure,
  handleUrlRenewal,
  handleVideoFailure,
  openClip,
  setSource,
  startOpeningRendition,
  switchClip,
  unloadClip,
} from './source-transitions.ts'

type AnyPlayerTransition = VideoPlayerTransitionResult<VideoPlayerState>

/** Applies `change` to the state after a transition, and appends its effects. */
function andThen<S extends VideoPlayerState>(
  [state, effects]: VideoPlayerTransitionResult<S>,
  change: (state: S) => AnyPlayerTransition,
): AnyPlayerTransition {
  const [next, more] = change(state)
  return [next, [...effects, ...more]]
}

/**
 * The state machine of the player: returns the next state and the effects that the adapter has to perform. Only this function decides where
 * the <video> seeks and which frame number is shown.
 */
export function videoPlayerTransition(state: VideoPlayerState, event: VideoPlayerEvent): AnyPlayerTransition {
  const { video } = event
  switch (event.type) {
    case 'load':
      return load(state, event, video)
    case 'retry':
      return retry(state, video)
    case 'goTo':
      return goTo(state, event.target, video)
    case 'showFrame':
      return goToFrame(state, event.frame, video)
    case 'moveBy':
      return goToFrame(state, state.position.frame + event.frames, video)
    case 'play':
      return play(state, video)
    case 'pause':
      return pause(state)
    case 'toggle':
      return video?.isPaused && (isMediaReady(state) || !targetOf(state).play) ? play(state, video) : pause(state)
    case 'setSpeed':
      return [{ ...state, speed: event.speed }, [{ type: 'setRate', rate: event.speed }]]
    case 'setLoop':
      return [{ ...state, loop: event.loop }, []]
    case 'attached':
      return state.clip ? openClip(state, state.clip, video) : [state, []]
    case 'detached':
      return [detach(state), []]
    case 'metadataLoaded':
      return handleMetadata(state, event, video)
    case 'failed':
      return handleVideoFailure(state, event.isDecodeError, video)
    case 'started':
      // The video may have been paused in the meantime. The browser reports that pause next, or never if another source was loaded, so read
      // the <video> itself.
      return [video?.isPaused ? state : { ...state, isPlaying: true }, []]
    case 'paused':
      // The video may have been started again in the meantime; the browser reports that next.
      return video?.isPaused ? handlePaused({ ...state, isPlaying: false }, video) : [state, []]
    case 'ended':
      // At the end of the video, the browser stops by itself. `play` makes it start over at the first frame, and when it presents a picture
      // outside the looped range, the player seeks to the start of the range.
      return state.loop ? play(state, video) : [state, []]
    case 'seeked':
      return isMediaReady(state) ? handleSeeked(state, video) : [state, []]
    case 'presented':
      // Until a source is ready, the player cannot judge pictures, but each new one makes the proof of the previous one void.
      return isMediaReady(state) ? handlePresentedFrame(state, event.mediaTime, video) : [withoutFrameProof(state), []]
    case 'timeUpdated':
      return [isMediaReady(state) ? updateFrameOnTimeUpdate(state, video) : state, []]
    case 'online':
      return state.media.status === 'unreachable' ? retry(state, video) : [state, []]
    case 'widthChanged':
      return isMediaReady(state) ? repaintCurrentFrame(state, video) : [state, []]
    case 'timerElapsed':
      return handleTimer(state, event.timer)
    default:
      return handleAnswer(state, event)
  }
}

/**
 * Handles the result of an effect. If the player has opened something else in the meantime, the result is dropped and its source released.
 */
function handleAnswer(state: VideoPlayerState, event: Extract<VideoPlayerEvent, { opening: number }>): AnyPlayerTransition {
  if (event.opening !== state.opening) return [state, 'source' in event && event.source ? [{ type: 'release', source: event.source }] : []]
  switch (event.type) {
    case 'sourceOpened':
      return setSource(state, event.source)
    case 'sourceMissing':
      return unloadClip(state)
    case 'sourceUnreachable':
      return handleUrlFailure(state, state.clip?.rendition?.url ?? state.clip?.url ?? '', false)
    case 'downloadProgressed':
      return [state.media.status === 'loading' ? { ...state, media: { ...state.media, loadedPart: event.part } } : state, []]
    case 'renditionOpened':
      return handleRenditionOpened(state, event.source)
    case 'renewed':
      return handleUrlRenewal(state, event.clip, event.video)
    case 'fetchTested':
      return [failAfterUrlTest(state, event.isFetchable), []]
  }
}

const targetOf = ({ media }: VideoPlayerState) => (media as UnreadyMedia).target
const withTarget = (state: VideoPlayerState, target: RequestedPlayerPosition): AnyPlayerTransition => [
  { ...state, media: { ...(state.media as UnreadyMedia), target } },
  [],
]

/**
 * Shows a clip. If only its URLs have changed, playback is not disturbed, unless the clip could not be shown so far or its rendition has
 * become ready.
 */
function load(
  before: VideoPlayerState,
  { clip, target }: Extract<VideoPlayerEvent, { type: 'load' }>,
  video: VideoElementState,
): AnyPlayerTransition {
  if (before.clip?.id !== clip.id) return switchClip(before, clip, target ?? { frame: 0, play: false }, video)
  const isStuck = ['unreachable', 'unplayable', 'unprepared'].includes(before.media.status)
  const hasNewAddress = clip.url !== before.clip.url || clip.rendition?.url !== before.clip.rendition?.url
  const state = { ...before, clip }
  return andThen(target ? goTo(state, target, video) : [state, []], moved => {
    if (isStuck && hasNewAddress) return openClip(moved, clip, video)
    return isMediaReady(moved) ? startOpeningRendition(moved) : [moved, []]
  })
}

/** Tries again to load the clip, including URLs that failed before. */
const retry = (state: VideoPlayerState, video: VideoElementState): AnyPlayerTransition =>
  state.clip ? openClip({ ...state, renewedUrls: new Set() }, state.clip, video) : [state, []]

function goTo(state: VideoPlayerState, target: RequestedPlayerPosition, video: VideoElementState): AnyPlayerTransition {
  if (!isMediaReady(state)) return withTarget(state, { ...target, play: target.play || targetOf(state).play })
  const frame = target.frame ?? state.timeline.noted(target.at ?? 0)
  return andThen(showFrame(state, frame, video), moved => (target.play ? play(moved, video) : [moved, []]))
}

function goToFrame(state: VideoPlayerState, frame: number, video: VideoElementState): AnyPlayerTransition {
  if (!isMediaReady(state)) return withTarget(state, { frame: Math.max(0, frame), play: targetOf(state).play })
  return showFrame(state, frame, video)
}

function play(state: VideoPlayerState, video: VideoElementState): AnyPlayerTransition {
  if (!isMediaReady(state)) return withTarget(state, { ...targetOf(state), play: true })
  return [state, video ? [{ type: 'play' }] : []]
}

function pause(state: VideoPlayerState): AnyPlayerTransition {
  const [paused] = isMediaReady(state) ? [state] : withTarget(state, { ...targetOf(state), play: false })
  return [paused, [{ type: 'pause' }]]
}

const handlePaused = (state: VideoPlayerState, video: VideoElementState): AnyPlayerTransition =>
  isMediaReady(state) ? andThen(seekToCurrentFrameOnPause(state, video), startOpeningRendition) : [state, []]

function handleTimer(state: VideoPlayerState, timer: VideoPlayerTimerName): AnyPlayerTransition {
  if (!isMediaReady(state)) return [state, []]
  return timer === 'seekRetry' ? handleSeekPictureTimeout(state) : [markSeekAsSlow(state), []]
}

/** Without a <video> the player cannot show, seek or open anything; it reopens the clip when the next <video> is attached. */
function detach(state: VideoPlayerState): VideoPlayerState {
  const detached: VideoPlayerState = { ...state, opening: state.opening + 1, isOpeningRendition: false, certainty: 'doubtful' }
  return isMediaReady(state) ? { ...detached, media: { ...state.media, seek: IDLE_SEEK } } : detached
}
