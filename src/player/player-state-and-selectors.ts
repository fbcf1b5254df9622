import type { FrameTimeline } from '../../modules/media/frames.ts'
import type { Calibration } from './calibrate-media-time-and-verify-frames.ts'
import { guessTimeline, type VideoElementSource, type VideoPlayerClip } from './clip-source.ts'

/** Where to go: a frame or, for example for a note without a frame number, a time in milliseconds (`at`). */
export interface RequestedPlayerPosition {
  readonly frame?: number | undefined
  readonly at?: number
  readonly play: boolean
}

/** The frames that are looped. `whole`: the loop covers the whole clip, whichever note is selected. */
export interface PlaybackLoop {
  readonly from: number
  readonly to: number
  readonly whole?: boolean
}

/** Whether a loop repeats exactly `part`, the range of the selected note, rather than another range or the whole clip. */
export const loopMatchesRange = (loop: PlaybackLoop | null, part: { from: number; to: number } | undefined) =>
  loop !== null && !loop.whole && loop.from === part?.from && loop.to === part.to

/** Properties of the browser, which never change. */
export interface BrowserTraits {
  /** Whether the browser reports each frame that it presents. */
  readonly reportsFrames: boolean
  /** Whether the browser guesses how long frames last, as GStreamer does. */
  readonly guessesFrameLength: boolean
}

/** The seek that the player is waiting for. */
export type SeekState =
  | { readonly kind: 'idle' }
  | {
      readonly kind: 'seeking'
      readonly frame: number
      /** How many seeks the player has made for this frame. */
      readonly tries: number
      /** Whether the screen still shows an earlier frame after a noticeable time. */
      readonly isPictureLate: boolean
    }
export const IDLE_SEEK: SeekState = { kind: 'idle' }

/** The picture on the screen, as far as the browser reports it. */
export type DisplayedPicture =
  | { readonly kind: 'unknown' }
  | {
      readonly kind: 'presented'
      /** The picture's time in the frame table. */
      readonly seconds: number
      /** The frame that the picture is known to show; null without proof. */
      readonly provenFrame: number | null
    }

/**
 * Whether the picture on the screen shows the current frame. `assumed`: nothing contradicts it, but nothing has proved it yet. `proven`: it
 * does, and the frame number may be shown. `doubtful`: the browser presented another frame, or gave no proof.
 */
export type FrameCertainty = 'assumed' | 'proven' | 'doubtful'

/** The video is loaded and shows pictures. */
export interface ReadyMedia {
  readonly status: 'ready'
  readonly source: VideoElementSource
  readonly calibration: Calibration
  readonly seek: SeekState
  /** The last seek target, in seconds on the <video>'s timeline, and which of a frame's two seek points it was. */
  readonly lastSeek: { readonly seconds: number; readonly point: 0 | 1 }
}
/** Every status but `ready` stores where to go once the video is ready. */
export type UnreadyMedia =
  /** `source` is null until it is opened; after that the player waits for the video's duration. `loadedPart`: 0 to 1. */
  | {
      readonly status: 'loading'
      readonly target: RequestedPlayerPosition
      readonly source: VideoElementSource | null
      readonly loadedPart: number
    }
  /** The video failed to load, and a fresh URL has been requested. */
  | {
      readonly status: 'renewing'
      readonly target: RequestedPlayerPosition
      readonly source: VideoElementSource | null
      readonly loadedPart: number
    }
  /** The server returned no fresh URL, or the object store did not deliver the video from it, either. */
  | { readonly status: 'unreachable'; readonly target: RequestedPlayerPosition; readonly source: VideoElementSource | null }
  /** This browser cannot decode the video. */
  | { readonly status: 'unplayable'; readonly target: RequestedPlayerPosition; readonly source: VideoElementSource }
  /** There is nothing to play until the rendition is ready. */
  | { readonly status: 'unprepared'; readonly target: RequestedPlayerPosition }
export type VideoPlayerMediaState = ReadyMedia | UnreadyMedia
export type VideoPlayerMediaStatus = VideoPlayerMediaState['status']

export interface VideoPlayerState {
  readonly browser: BrowserTraits
  readonly clip: VideoPlayerClip | null
  readonly media: VideoPlayerMediaState
  /** Goes up each time a clip is opened or the <video> is detached. Results for an earlier number are dropped. */
  readonly opening: number
  /** The rendition is being opened to replace the original. */
  readonly isOpeningRendition: boolean
  /** URLs that failed and were renewed; each is renewed only once, until a `retry` clears the set. */
  readonly renewedUrls: ReadonlySet<string>
  /**
   * Frame times of the clip, guessed if the source has no frame table. Until a source is ready, they are still those of the previous clip.
   */
  readonly timeline: FrameTimeline
  /** Frames and milliseconds of the clip; null until they are known. */
  readonly length: { readonly frames: number; readonly milliseconds: number } | null
  /** The current frame, counted from 0, and its start in whole milliseconds, rounded up. */
  readonly position: { readonly frame: number; readonly milliseconds: number }
  readonly displayed: DisplayedPicture
  readonly certainty: FrameCertainty
  /** Whether the video is playing, according to the browser's last report. */
  readonly isPlaying: boolean
  readonly speed: number
  readonly loop: PlaybackLoop | null
}

export const initialVideoPlayerState = (browser: BrowserTraits): VideoPlayerState => ({
  browser,
  clip: null,
  opening: 0,
  isOpeningRendition: false,
  renewedUrls: new Set(),
  timeline: guessTimeline({ id: '', url: '' }, 1),
  media: { status: 'loading', target: { frame: 0, play: false }, source: null, loadedPart: 0 },
  length: null,
  position: { frame: 0, milliseconds: 0 },
  displayed: { kind: 'unknown' },
  certainty: 'assumed',
  isPlaying: false,
  speed: 1,
  loop: null,
})

export type ReadyVideoPlayerState = VideoPlayerState & { readonly media: ReadyMedia }
export const isMediaReady = (state: VideoPlayerState): state is ReadyVideoPlayerState => state.media.status === 'ready'

/** The source of the <video>; null while there is none. */
export const clipSourceOf = ({ media }: VideoPlayerState): VideoElementSource | null =>
  media.status === 'unprepared' ? null : media.source

/** Where to go once another source is ready: the pending target if there is one, otherwise the current position. */
export function resumeTargetOf(state: VideoPlayerState): RequestedPlayerPosition {
  if (!isMediaReady(state)) return (state.media as UnreadyMedia).target
  const { frame, milliseconds } = state.position
  return { ...(state.media.source.timeline ? { frame } : { at: milliseconds }), play: state.isPlaying }
}

/** Whether the picture on the screen is known to show the current frame. */
export const isFrameProven = ({ certainty }: VideoPlayerState) => certainty === 'proven'

/** The current frame of an original if its picture could not be confirmed, even after retries; otherwise null. */
export const frameUnconfirmedAfterRetries = ({ media, certainty, isPlaying, position }: VideoPlayerState): number | null =>
  certainty === 'doubtful' && !isPlaying && media.status === 'ready' && media.seek.kind === 'idle' && !media.source.isRendition
    ? position.frame
    : null

/** Whether a seek has taken noticeably long without showing its picture. */
export const isPictureLate = ({ media }: VideoPlayerState) =>
  media.status === 'ready' && media.seek.kind === 'seeking' && media.seek.isPictureLate

/** The fraction of the rendition that has been downloaded; 0 unless the video is loading or its URL is being renewed. */
export const downloadedFraction = ({ media }: VideoPlayerState) => ('loadedPart' in media ? media.loadedPart : 0)

/** The frame whose picture is on the screen; undefined if the browser does not report it. */
export const shownFrame = ({ displayed, timeline }: VideoPlayerState) =>
  displayed.kind === 'presented' ? timeline.at(displayed.seconds) : undefined

/** Where a note written now is pinned: milliseconds, plus the frame unless the picture is doubtful or there is no frame table. */
export const positionForNewNote = (state: VideoPlayerState) => ({
  at: state.position.milliseconds,
  frame: clipSourceOf(state)?.timeline && state.certainty !== 'doubtful' ? state.position.frame : undefined,
})
