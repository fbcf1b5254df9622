import {
  calibrateOnPausedPicture,
  recordSeekTarget,
  seekPoints,
  toFrameTableSeconds,
  verifyPlayingMediaTime,
  verifyPresentedFrame,
} from './calibrate-media-time-and-verify-frames.ts'
import type { VideoElementState, VideoPlayerEffect, VideoPlayerTransitionResult } from './player-input-and-effect-types.ts'
import { IDLE_SEEK, type ReadyVideoPlayerState, type SeekState, type VideoPlayerState } from './player-state-and-selectors.ts'

/** If a seek's picture takes longer than this, the nearest still is shown in its place. */
const SHOW_STILL_AFTER_MS = 60
/** If a seek has ended and its picture does not arrive within this time, the player seeks again. */
const SEEK_RETRY_MS = 150
/** Maximum number of seeks for one frame. */
const MAX_SEEK_TRIES = 3

export const STOP_TIMER_EFFECTS: readonly VideoPlayerEffect[] = [
  { type: 'stopTimer', timer: 'seekRetry' },
  { type: 'stopTimer', timer: 'slowSeek' },
]

/** Sets the current frame without seeking the <video>. */
export const withPositionAtFrame = <S extends VideoPlayerState>(state: S, frame: number): S => ({
  ...state,
  position: { frame, milliseconds: state.timeline.milliseconds(frame) },
})

/** Drops the proof that the picture shows the current frame. A `doubtful` frame stays doubtful. */
export const withoutFrameProof = <S extends VideoPlayerState>(state: S): S => ({
  ...state,
  certainty: state.certainty === 'proven' ? 'assumed' : state.certainty,
})

const withSeek = (state: ReadyVideoPlayerState, seek: SeekState): ReadyVideoPlayerState => ({ ...state, media: { ...state.media, seek } })

/** Whether the picture on the screen is proven to show `frame`. Without a frame table, nothing is ever proven. */
const isProven = ({ displayed, media }: ReadyVideoPlayerState, frame: number) =>
  displayed.kind === 'presented' && displayed.provenFrame === frame && media.source.timeline !== null

/**
 * Seeks to a point well inside a frame, so that rounding cannot show a neighbor. A retry seeks to a second point, because the browser
 * presents no new picture if `currentTime` is set to the value it already has.
 */
function seekInside(state: ReadyVideoPlayerState, frame: number, isRetry: boolean): VideoPlayerTransitionResult<ReadyVideoPlayerState> {
  const { timeline, media } = state
  const point = isRetry && media.lastSeek.point === 0 ? 1 : 0
  const length = timeline.end(frame) - timeline.start(frame)
  const part = seekPoints(media.calibration, frame)[point]
  const seconds = timeline.middle(frame) + length * (part - 1 / 2) - media.calibration.timestampOffset
  const calibration = recordSeekTarget(media.calibration, seconds)
  return [{ ...state, media: { ...media, calibration, lastSeek: { seconds, point } } }, [{ type: 'seek', seconds }]]
}

function startSeek(
  state: ReadyVideoPlayerState,
  tries: number,
  isPictureLate: boolean,
): VideoPlayerTransitionResult<ReadyVideoPlayerState> {
  const { frame } = state.position
  const [sought, effects] = seekInside(
    withoutFrameProof(withSeek(state, { kind: 'seeking', frame, tries, isPictureLate })),
    frame,
    tries > 1,
  )
  return [sought, [...effects, { type: 'startTimer', timer: 'slowSeek', milliseconds: SHOW_STILL_AFTER_MS }]]
}

/**
 * Seeks to the current frame, unless a paused video is proven to show it. If a seek is under way, the next one starts when that one has
 * ended.
 */
export function seekToCurrentFrame(
  state: ReadyVideoPlayerState,
  video: VideoElementState,
): VideoPlayerTransitionResult<ReadyVideoPlayerState> {
  if (!video || state.media.seek.kind === 'seeking') return [state, []]
  if (state.certainty === 'proven' && video.isPaused && isProven(state, state.position.frame)) return [state, []]
  return startSeek(state, 1, false)
}

/** Makes `frame` the current frame, and seeks to it. */
export const showFrame = (
  state: ReadyVideoPlayerState,
  frame: number,
  video: VideoElementState,
): VideoPlayerTransitionResult<ReadyVideoPlayerState> => seekToCurrentFrame(withPositionAtFrame(state, state.timeline.clamp(frame)), video)

/** Makes the browser present the picture of the current frame again, if the video is paused and no seek is under way. */
export function repaintCurrentFrame(
  state: ReadyVideoPlayerState,
  video: VideoElementState,
): VideoPlayerTransitionResult<ReadyVideoPlayerState> {
  const isStill = video?.isPaused && !video.isSeeking && state.media.seek.kind === 'idle'
  return isStill && state.displayed.kind === 'presented' ? seekInside(state, state.position.frame, true) : [state, []]
}

/** When the video stops playing, seeks to the current frame so that the picture matches it. */
export const seekToCurrentFrameOnPause = (
  state: ReadyVideoPlayerState,
  video: VideoElementState,
): VideoPlayerTransitionResult<ReadyVideoPlayerState> => seekToCurrentFrame(withoutFrameProof(state), video)

/** `isKnown`: the picture on the screen is known to show the frame that the seek was for. */
function finishSeek(state: ReadyVideoPlayerState, isKnown: boolean): VideoPlayerTransitionResult<ReadyVideoPlayerState> {
  const { seek } = state.media
  if (seek.kind === 'seeking' && seek.frame !== state.position.frame) {
    const [next, effects] = startSeek(state, 1, seek.isPictureLate)
    return [next, [...STOP_TIMER_EFFECTS, ...effects]]
  }
  return [{ ...withSeek(state, IDLE_SEEK), certainty: isKnown ? 'proven' : 'doubtful' }, STOP_TIMER_EFFECTS]
}

/** Waits for the picture of a seek that has ended, unless the video plays and presents pictures anyway. */
export function handleSeeked(state: ReadyVideoPlayerState, video: VideoElementState): VideoPlayerTransitionResult<ReadyVideoPlayerState> {
  const { seek } = state.media
  if (seek.kind === 'idle') return [state, []]
  if (video && !video.isPaused) {
    // Another frame was requested during this seek, so seek to it: playback has to start there.
    if (seek.frame !== state.position.frame) return startSeek(state, 1, seek.isPictureLate)
    return [withSeek(state, IDLE_SEEK), STOP_TIMER_EFFECTS]
  }
  const milliseconds = state.browser.reportsFrames ? SEEK_RETRY_MS : 0
  return [state, [{ type: 'startTimer', timer: 'seekRetry', milliseconds }]]
}

/** Called after a seek has ended, at the time when its picture should have arrived. */
export function handleSeekPictureTimeout(state: ReadyVideoPlayerState): VideoPlayerTransitionResult<ReadyVideoPlayerState> {
  const { seek, source } = state.media
  const { reportsFrames } = state.browser
  if (seek.kind === 'idle') return [state, []]
  // A browser reports no new picture if the seek ends at the picture that it already shows.
  if (isProven(state, seek.frame)) return finishSeek(state, true)
  if (!reportsFrames || seek.frame !== state.position.frame || seek.tries >= MAX_SEEK_TRIES)
    return finishSeek(state, !reportsFrames && source.isRendition)
  return startSeek(state, seek.tries + 1, seek.isPictureLate)
}

/** Called when a seek has taken noticeably long. */
export const markSeekAsSlow = (state: ReadyVideoPlayerState): ReadyVideoPlayerState => {
  const { seek } = state.media
  return seek.kind === 'idle' ? state : withSeek(state, { ...seek, isPictureLate: true })
}

/** Derives the current frame from the current time of the <video>, in browsers that do not report each frame. */
export function updateFrameOnTimeUpdate(state: ReadyVideoPlayerState, video: VideoElementState): ReadyVideoPlayerState {
  const { seek, calibration } = state.media
  if (!video || video.isPaused || seek.kind === 'seeking') return state
  return withPositionAtFrame(state, state.timeline.at(video.seconds + calibration.timestampOffset))
}

/** Handles a picture that the browser has presented. `mediaTime`: its time, in seconds on the <video>'s timeline. */
export function handlePresentedFrame(
  state: ReadyVideoPlayerState,
  mediaTime: number,
  video: VideoElementState,
): VideoPlayerTransitionResult<ReadyVideoPlayerState> {
  const { seek } = state.media
  if (!video) return [state, []]
  if (seek.kind === 'seeking') return handleSoughtPicture(state, seek.frame, mediaTime, !video.isPaused || state.isPlaying)
  if (!video.isPaused && !video.isSeeking) return handlePlayedPicture(state, mediaTime)
  if (video.isPaused && !video.isSeeking && state.certainty === 'doubtful') {
    const [judged, verdict] = judge(state, { frame: state.position.frame, isPlaying: false }, mediaTime)
    // The picture arrived after the player had given up waiting for it.
    if (verdict === 'yes' && state.media.source.timeline) return [{ ...judged, certainty: 'proven' }, []]
    return [withRestingPicture(withCalibration(state, judged), mediaTime), []]
  }
  return [video.isSeeking ? withPictureTime(state, mediaTime) : withRestingPicture(state, mediaTime), []]
}

const withCalibration = (state: ReadyVideoPlayerState, { media: { calibration } }: ReadyVideoPlayerState): ReadyVideoPlayerState => ({
  ...state,
  media: { ...state.media, calibration },
})

const withRestingPicture = (state: ReadyVideoPlayerState, mediaTime: number) =>
  withPictureTime(
    { ...state, media: { ...state.media, calibration: calibrateOnPausedPicture(state.media.calibration, mediaTime) } },
    mediaTime,
  )

/**
 * Records a picture that no seek is waiting for. If it lies outside the frame that was proven to be on the screen, that proof is dropped:
 * the picture may belong to a seek that was considered finished too early, or to the time before a loop started over.
 */
function withPictureTime(state: ReadyVideoPlayerState, mediaTime: number): ReadyVideoPlayerState {
  const { displayed, timeline, certainty, position } = state
  const seconds = toFrameTableSeconds(state.media.calibration, mediaTime)
  const provenFrame = displayed.kind === 'presented' ? displayed.provenFrame : null
  const isStillProven = provenFrame !== null && timeline.within(provenFrame, seconds)
  const presented: ReadyVideoPlayerState = {
    ...state,
    displayed: { kind: 'presented', seconds, provenFrame: isStillProven ? provenFrame : null },
  }
  return certainty === 'proven' && !isProven(presented, position.frame) ? { ...presented, certainty: 'doubtful' } : presented
}

/** Judges whether a picture shows `frame`, the target of the last seek. `isPlaying`: playback may have presented the picture. */
function judge(state: ReadyVideoPlayerState, { frame, isPlaying }: { frame: number; isPlaying: boolean }, mediaTime: number) {
  const { media } = state
  const [calibration, verdict] = verifyPresentedFrame(media.calibration, { frame, target: media.lastSeek.seconds, isPlaying }, mediaTime)
  const judged: ReadyVideoPlayerState = {
    ...state,
    media: { ...media, calibration },
    displayed: { kind: 'presented', seconds: toFrameTableSeconds(calibration, mediaTime), provenFrame: verdict === 'yes' ? frame : null },
  }
  return [judged, verdict] as const
}

function handleSoughtPicture(
  state: ReadyVideoPlayerState,
  frame: number,
  mediaTime: number,
  isPlaying: boolean,
): VideoPlayerTransitionResult<ReadyVideoPlayerState> {
  const [judged, verdict] = judge(state, { frame, isPlaying }, mediaTime)
  if (verdict === 'yes') return finishSeek(judged, state.media.source.timeline !== null)
  // After a 'no', the player waits for another picture: this one may belong to an earlier seek.
  return verdict === 'again' ? seekInside(judged, frame, true) : [judged, []]
}

function handlePlayedPicture(state: ReadyVideoPlayerState, mediaTime: number): VideoPlayerTransitionResult<ReadyVideoPlayerState> {
  const [calibration, isKnown] = verifyPlayingMediaTime(state.media.calibration, mediaTime)
  const seconds = toFrameTableSeconds(calibration, mediaTime)
  const frame = state.timeline.at(seconds)
  const played: ReadyVideoPlayerState = {
    ...withPositionAtFrame(state, frame),
    media: { ...state.media, calibration },
    displayed: { kind: 'presented', seconds, provenFrame: isKnown ? frame : null },
    certainty: isKnown ? 'proven' : 'doubtful',
  }
  const { loop, timeline } = state
  if (!loop || (frame < loop.to && frame >= loop.from)) return [played, []]
  const from = timeline.middle(timeline.clamp(loop.from)) - calibration.timestampOffset
  return [{ ...played, media: { ...played.media, calibration: recordSeekTarget(calibration, from) } }, [{ type: 'seek', seconds: from }]]
}
