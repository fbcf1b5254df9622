import type { Loop, SeekTarget } from './player-state.ts'
import type { Clip, Source } from './source.ts'

/** The <video> at the moment of an event; null while none is attached. */
export type VideoReading = {
  readonly isPaused: boolean
  readonly isSeeking: boolean
  /** Its current time, in seconds of its own. */
  readonly seconds: number
} | null

/** What screens ask of the player. */
type Command =
  | { readonly type: 'load'; readonly clip: Clip; readonly target?: SeekTarget | undefined }
  | { readonly type: 'retry' }
  | { readonly type: 'goTo'; readonly target: SeekTarget }
  | { readonly type: 'showFrame'; readonly frame: number }
  /** By whole frames; back where `frames` is negative. */
  | { readonly type: 'moveBy'; readonly frames: number }
  | { readonly type: 'play' }
  | { readonly type: 'pause' }
  | { readonly type: 'toggle' }
  | { readonly type: 'setSpeed'; readonly speed: number }
  | { readonly type: 'setLoop'; readonly loop: Loop | null }

/** What the <video> and the page around it report. */
type BrowserEvent =
  | { readonly type: 'attached' }
  | { readonly type: 'detached' }
  /** The browser knows the video's length. `seconds`: may be infinite or NaN. `hasPicture`: it can decode more than the sound. */
  | { readonly type: 'metadataLoaded'; readonly seconds: number; readonly hasPicture: boolean }
  /** `isDecodeError`: the browser says that it cannot decode the video; else it may as well be unreachable. */
  | { readonly type: 'failed'; readonly isDecodeError: boolean }
  | { readonly type: 'started' }
  | { readonly type: 'paused' }
  | { readonly type: 'ended' }
  /** A seek has ended, but its picture may come later or not at all. */
  | { readonly type: 'seeked' }
  /** The browser has presented the picture of this time, in seconds of its own. */
  | { readonly type: 'presented'; readonly mediaTime: number }
  | { readonly type: 'timeUpdated' }
  | { readonly type: 'online' }
  | { readonly type: 'widthChanged' }

/** Timers that have run out. */
type TimerEvent = { readonly type: 'timerElapsed'; readonly timer: Timer }

/** Answers to effects; `opening` is that of the state which asked. */
type Answer =
  | { readonly type: 'sourceOpened'; readonly opening: number; readonly source: Source }
  /** There is nothing to play: no rendition is ready, and this reader is given no original. */
  | { readonly type: 'sourceMissing'; readonly opening: number }
  | { readonly type: 'sourceUnreachable'; readonly opening: number }
  | { readonly type: 'downloadProgressed'; readonly opening: number; readonly part: number }
  /** Null where the rendition could not be opened. */
  | { readonly type: 'renditionOpened'; readonly opening: number; readonly source: Source | null }
  /** Null where the server gave no fresh addresses. */
  | { readonly type: 'renewed'; readonly opening: number; readonly clip: Clip | null }
  | { readonly type: 'fetchTested'; readonly opening: number; readonly isFetchable: boolean }

export type PlayerInput = Command | BrowserEvent | TimerEvent | Answer
export type PlayerEvent = PlayerInput & { readonly video: VideoReading }

/** `seekRetry`: a seek has ended, and its picture should have come. `latePicture`: a seek takes noticeably long. */
export type Timer = 'seekRetry' | 'latePicture'

/** What the adapter does for the machine. */
export type PlayerEffect =
  /** Sets the current time, in seconds of the <video>. */
  | { readonly type: 'seek'; readonly seconds: number }
  | { readonly type: 'play' }
  | { readonly type: 'pause' }
  | { readonly type: 'setRate'; readonly rate: number }
  /** Starts a timer anew. */
  | { readonly type: 'startTimer'; readonly timer: Timer; readonly milliseconds: number }
  | { readonly type: 'stopTimer'; readonly timer: Timer }
  /** Ends every earlier download, and opens what the browser can play of a clip. */
  | { readonly type: 'openSource'; readonly opening: number; readonly clip: Clip }
  | { readonly type: 'openRendition'; readonly opening: number; readonly clip: Clip }
  /** Loads a source in place of the one before, which is released; null: none. */
  | { readonly type: 'setSource'; readonly source: Source | null }
  | { readonly type: 'release'; readonly source: Source }
  /** Requests fresh addresses of a clip. */
  | { readonly type: 'renew'; readonly opening: number; readonly clipId: string }
  /** Asks whether an address delivers anything. */
  | { readonly type: 'testFetch'; readonly opening: number; readonly url: string }

/** A state and what is to be done, in this order. */
export type Transition<S> = readonly [S, readonly PlayerEffect[]]
