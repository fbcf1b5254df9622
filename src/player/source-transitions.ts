import { createCalibration } from './calibrate-media-time-and-verify-frames.ts'
import { guessTimeline, type VideoElementSource, type VideoPlayerClip } from './clip-source.ts'
import type { VideoElementState, VideoPlayerEffect, VideoPlayerTransitionResult } from './player-input-and-effect-types.ts'
import {
  clipSourceOf,
  downloadedFraction,
  IDLE_SEEK,
  isMediaReady,
  type ReadyVideoPlayerState,
  type RequestedPlayerPosition,
  resumeTargetOf,
  type VideoPlayerState,
} from './player-state-and-selectors.ts'
import { STOP_TIMER_EFFECTS, seekToCurrentFrame, withoutFrameProof, withPositionAtFrame } from './seek-transitions.ts'

type AnyPlayerTransition = VideoPlayerTransitionResult<VideoPlayerState>

/** Shows another clip, starting at `target`. */
export function switchClip(
  state: VideoPlayerState,
  clip: VideoPlayerClip,
  target: RequestedPlayerPosition,
  video: VideoElementState,
): AnyPlayerTransition {
  const start: VideoPlayerState = {
    ...state,
    length: null,
    position: { frame: target.frame ?? 0, milliseconds: target.at ?? 0 },
    certainty: 'assumed',
    media: { status: 'loading', target, source: null, loadedPart: 0 },
  }
  return openClip(start, clip, video)
}

/** Opens a clip and continues at the player's position. Without a <video>, the clip is opened as soon as one is attached. */
export function openClip(state: VideoPlayerState, clip: VideoPlayerClip, video: VideoElementState): AnyPlayerTransition {
  if (!video) return [{ ...state, clip, opening: state.opening + 1, isOpeningRendition: false }, []]
  const opening = state.opening + 1
  const media = { status: 'loading', target: resumeTargetOf(state), source: null, loadedPart: 0 } as const
  // The previous video may play on until the new source is set, so its last proven frame may no longer be the one on the screen.
  const unproven = state.isPlaying ? withoutFrameProof(state) : state
  return [{ ...unproven, clip, opening, isOpeningRendition: false, media }, [...STOP_TIMER_EFFECTS, { type: 'openSource', opening, clip }]]
}

/** Sets the source of the <video>; nothing is known about its pictures yet. Loading a source stops the video without a `pause` event. */
export function setSource(state: VideoPlayerState, source: VideoElementSource): AnyPlayerTransition {
  const media = {
    status: 'loading',
    target: resumeTargetOf(state),
    source,
    loadedPart: downloadedFraction(state),
  } as const
  return [
    { ...state, media, displayed: { kind: 'unknown' }, certainty: 'assumed', isPlaying: false },
    [...STOP_TIMER_EFFECTS, { type: 'setSource', source }],
  ]
}

/** Removes the previous video from the screen, because no other video replaces it yet. */
export const unloadClip = (state: VideoPlayerState): AnyPlayerTransition => [
  {
    ...state,
    media: { status: 'unprepared', target: resumeTargetOf(state) },
    displayed: { kind: 'unknown' },
    certainty: 'assumed',
    isPlaying: false,
  },
  [{ type: 'setSource', source: null }],
]

/** Once the browser knows the length of the video, seeks to where the previous source stopped, or to where the caller wants to begin. */
export function handleMetadata(
  state: VideoPlayerState,
  { hasPicture, seconds: reported }: { hasPicture: boolean; seconds: number },
  video: VideoElementState,
): AnyPlayerTransition {
  const source = clipSourceOf(state)
  if (!source || !state.clip) return [state, []]
  const target = resumeTargetOf(state)
  // A browser that lacks the video codec plays only the sound.
  if (!hasPicture) return [{ ...state, media: { status: 'unplayable', target, source } }, []]
  const seconds = Number.isFinite(reported) ? reported : 0
  const timeline = source.timeline ?? guessTimeline(state.clip, seconds)
  const calibration = createCalibration(source, seconds, state.browser.guessesFrameLength)
  const ready: ReadyVideoPlayerState = {
    ...state,
    timeline,
    media: { status: 'ready', source, calibration, seek: IDLE_SEEK, lastSeek: { seconds: 0, point: 0 } },
    length: {
      frames: timeline.frames,
      milliseconds: Math.round((source.timeline ? timeline.end(timeline.frames - 1) : seconds) * 1000),
    },
  }
  const placed = withPositionAtFrame(ready, timeline.clamp(target.frame ?? timeline.noted(target.at ?? 0)))
  // An original at its first frame shows its poster and downloads nothing more until the viewer seeks or plays.
  const [sought, seeks] = placed.position.frame > 0 || source.isRendition ? seekToCurrentFrame(placed, video) : [placed, []]
  const [after, opens] = startOpeningRendition(sought)
  const effects: VideoPlayerEffect[] = [{ type: 'setRate', rate: state.speed }, ...seeks]
  return [after, [...effects, ...(target.play ? [{ type: 'play' } as const] : []), ...opens]]
}

const isRenditionWanted = (state: VideoPlayerState) =>
  state.clip?.rendition?.state === 'ready' && clipSourceOf(state)?.isRendition === false && !state.isPlaying

/**
 * If the rendition is ready and the original is not playing, opens the rendition. Once opened, it replaces the original, unless the
 * original has started to play by then.
 */
export function startOpeningRendition(state: VideoPlayerState): AnyPlayerTransition {
  const { clip, opening } = state
  if (!clip || state.isOpeningRendition || !isRenditionWanted(state)) return [state, []]
  return [{ ...state, isOpeningRendition: true }, [{ type: 'openRendition', opening, clip }]]
}

/** Handles the result of `openRendition`; `source` is null if it failed. */
export function handleRenditionOpened(before: VideoPlayerState, source: VideoElementSource | null): AnyPlayerTransition {
  const state = { ...before, isOpeningRendition: false }
  if (source?.isRendition && isRenditionWanted(state)) return setSource(state, source)
  return [state, source ? [{ type: 'release', source }] : []]
}

/**
 * Handles a URL that failed to deliver its video: requests a fresh one if the URL has failed for the first time. Otherwise, tests the URL
 * if the video is not ready and `mayBeUnplayable`, or else marks the video as unreachable. `mayBeUnplayable`: the <video> itself reported
 * the failure, and browsers report an unreachable video in the same way as one that they cannot decode.
 */
export function handleUrlFailure(state: VideoPlayerState, url: string, mayBeUnplayable: boolean): AnyPlayerTransition {
  const { opening, clip, renewedUrls } = state
  const [target, source] = [resumeTargetOf(state), clipSourceOf(state)]
  const stopped = { ...state, isPlaying: false }
  if (!clip) return [stopped, []]
  if (!renewedUrls.has(url)) {
    const media = { status: 'renewing', target, source, loadedPart: downloadedFraction(state) } as const
    const effects: VideoPlayerEffect[] = [...STOP_TIMER_EFFECTS, { type: 'renew', opening, clipId: clip.id }]
    return [{ ...stopped, media, renewedUrls: new Set([...renewedUrls, url]) }, effects]
  }
  if (mayBeUnplayable && !isMediaReady(state)) return [stopped, [{ type: 'testFetch', opening, url }]]
  return [{ ...stopped, media: { status: 'unreachable', target, source } }, STOP_TIMER_EFFECTS]
}

/** Handles the `error` event of the <video>. */
export function handleVideoFailure(before: VideoPlayerState, isDecodeError: boolean, video: VideoElementState): AnyPlayerTransition {
  const source = clipSourceOf(before)
  if (!before.clip || !source) return [before, []]
  // The screen of a playing video may already show a later frame than the browser last reported. Read `isPaused` from the <video>, because
  // the browser may not have reported a pause yet.
  const state = before.isPlaying ? { ...withoutFrameProof(before), isPlaying: !video?.isPaused } : before
  if (!isDecodeError && !source.src.startsWith('blob:')) return handleUrlFailure(state, source.src, true)
  return [{ ...state, isPlaying: false, media: { status: 'unplayable', target: resumeTargetOf(state), source } }, STOP_TIMER_EFFECTS]
}

/** Handles the test of a URL that failed again after a renewal. If the URL delivers data, this browser cannot play the video. */
export function failAfterUrlTest(state: VideoPlayerState, isFetchable: boolean): VideoPlayerState {
  const [target, source] = [resumeTargetOf(state), clipSourceOf(state)]
  return { ...state, media: isFetchable && source ? { status: 'unplayable', target, source } : { status: 'unreachable', target, source } }
}

/**
 * Opens the clip with its renewed URLs. If they are the same as before, a second try is still worth it: the connection may only have failed
 * for a moment.
 */
export const handleUrlRenewal = (state: VideoPlayerState, fresh: VideoPlayerClip | null, video: VideoElementState): AnyPlayerTransition =>
  fresh
    ? openClip(state, fresh, video)
    : [{ ...state, media: { status: 'unreachable', target: resumeTargetOf(state), source: clipSourceOf(state) } }, []]
