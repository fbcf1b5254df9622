import type { VideoElementSource, VideoPlayerClip } from './clip-source.ts'
import type { PlaybackLoop, RequestedPlayerPosition } from './player-state-and-selectors.ts'

/** The state of the <video> at the moment of an event; null while none is attached. */
export type VideoElementState = {
  readonly isPaused: boolean
  readonly isSeeking: boolean
  /** The video's `currentTime`, in seconds. */
  readonly seconds: number
} | null

/** Commands from the screen to the player. */
type Command =
  | { readonly type: 'load'; readonly clip: VideoPlayerClip; readonly target?: RequestedPlayerPosition | undefined }
  | { readonly type: 'retry' }
  | { readonly type: 'goTo'; readonly target: RequestedPlayerPosition }
  | { readonly type: 'showFrame'; readonly frame: number }
  /** Moves by whole frames; backward if `frames` is negative. */
  | { readonly type: 'moveBy'; readonly frames: number }
  | { readonly type: 'play' }
  | { readonly type: 'pause' }
  | { readonly type: 'toggle' }
  | { readonly type: 'setSpeed'; readonly speed: number }
  | { readonly type: 'setLoop'; readonly loop: PlaybackLoop | null }

/** Events of the <video> and of the page around it. */
type BrowserEvent =
  | { readonly type: 'attached' }
  | { readonly type: 'detached' }
  /**
   * The browser knows the video's length. `seconds` may be infinite or NaN. `hasPicture`: it can decode the picture, not only the sound.
   */
  | { readonly type: 'metadataLoaded'; readonly seconds: number; readonly hasPicture: boolean }
  /** `isDecodeError`: the browser reports that it cannot decode the video; otherwise the video may just be unreachable. */
  | { readonly type: 'failed'; readonly isDecodeError: boolean }
  | { readonly type: 'started' }
  | { readonly type: 'paused' }
  | { readonly type: 'ended' }
  /** A seek has ended, but its picture may arrive later or not at all. */
  | { readonly type: 'seeked' }
  /** The browser has presented the picture with this time, in seconds on the <video>'s timeline. */
  | { readonly type: 'presented'; readonly mediaTime: number }
  | { readonly type: 'timeUpdated' }
  | { readonly type: 'online' }
  | { readonly type: 'widthChanged' }

type TimerEvent = { readonly type: 'timerElapsed'; readonly timer: VideoPlayerTimerName }

/** Results of effects. `opening` is copied from the state that requested the effect. */
type Answer =
  | { readonly type: 'sourceOpened'; readonly opening: number; readonly source: VideoElementSource }
  /** There is nothing to play: no rendition is ready, and this viewer may not watch the original. */
  | { readonly type: 'sourceMissing'; readonly opening: number }
  | { readonly type: 'sourceUnreachable'; readonly opening: number }
  | { readonly type: 'downloadProgressed'; readonly opening: number; readonly part: number }
  /** `source` is null if the rendition could not be opened. */
  | { readonly type: 'renditionOpened'; readonly opening: number; readonly source: VideoElementSource | null }
  /** `clip` is null if the server returned no fresh URLs. */
  | { readonly type: 'renewed'; readonly opening: number; readonly clip: VideoPlayerClip | null }
  | { readonly type: 'fetchTested'; readonly opening: number; readonly isFetchable: boolean }

/** Everything that the state machine reacts to. */
export type VideoPlayerInput = Command | BrowserEvent | TimerEvent | Answer
/** An input, together with the state of the <video> when it arrived. */
export type VideoPlayerEvent = VideoPlayerInput & { readonly video: VideoElementState }

/**
 * `seekRetry` fires after a seek has ended, when its picture should have arrived. `slowSeek` fires when a seek takes noticeably long.
 */
export type VideoPlayerTimerName = 'seekRetry' | 'slowSeek'

/** Side effects that the adapter performs for the state machine. */
export type VideoPlayerEffect =
  /** Sets the current time, in seconds on the <video>'s timeline. */
  | { readonly type: 'seek'; readonly seconds: number }
  | { readonly type: 'play' }
  | { readonly type: 'pause' }
  | { readonly type: 'setRate'; readonly rate: number }
  /** Starts a timer, or restarts it if it is running. */
  | { readonly type: 'startTimer'; readonly timer: VideoPlayerTimerName; readonly milliseconds: number }
  | { readonly type: 'stopTimer'; readonly timer: VideoPlayerTimerName }
  /** Aborts every earlier download, and opens a clip's rendition, or its original if no rendition is ready. */
  | { readonly type: 'openSource'; readonly opening: number; readonly clip: VideoPlayerClip }
  | { readonly type: 'openRendition'; readonly opening: number; readonly clip: VideoPlayerClip }
  /** Loads a source and releases the previous one; null only releases. */
  | { readonly type: 'setSource'; readonly source: VideoElementSource | null }
  | { readonly type: 'release'; readonly source: VideoElementSource }
  /** Requests fresh URLs for a clip. */
  | { readonly type: 'renew'; readonly opening: number; readonly clipId: string }
  /** Tests whether a URL delivers any data. */
  | { readonly type: 'testFetch'; readonly opening: number; readonly url: string }

/** The next state, and the effects to perform, in order. */
export type VideoPlayerTransitionResult<S> = readonly [S, readonly VideoPlayerEffect[]]
