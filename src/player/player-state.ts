import type { Timeline } from '../../modules/media/frames.ts'
import type { Calibration } from './media-time.ts'
import { type Clip, guessTimeline, type Source } from './source.ts'

/** Where to go: a frame, or the milliseconds of a note from before frames were counted. */
export interface SeekTarget {
  readonly frame?: number | undefined
  readonly at?: number
  readonly play: boolean
}

/** The frames that are played again and again; `whole`: the whole clip, whichever note is selected. */
export interface Loop {
  readonly from: number
  readonly to: number
  readonly whole?: boolean
}

/** What the browser can do; it never changes. */
export interface BrowserTraits {
  /** Whether it reports each frame that it presents. */
  readonly reportsFrames: boolean
  /** Whether it guesses how long frames last, as GStreamer does. */
  readonly guessesFrameLength: boolean
}

/** The seek that the player waits for. */
export type Seek =
  | { readonly kind: 'idle' }
  | {
      readonly kind: 'seeking'
      readonly frame: number
      /** How often this frame has been sought. */
      readonly tries: number
      /** Whether the screen still shows the picture of an earlier frame after a noticeable time. */
      readonly isPictureLate: boolean
    }
export const IDLE_SEEK: Seek = { kind: 'idle' }

/** The picture on the screen, as far as the browser reports it. */
export type DisplayedPicture =
  | { readonly kind: 'unknown' }
  | {
      readonly kind: 'presented'
      /** Its time by the frame table. */
      readonly seconds: number
      /** The frame that it is known to be; null where nothing proves one. */
      readonly provenFrame: number | null
    }

/**
 * Whether the picture on the screen is that of the current frame. `assumed`: nothing speaks against it, but nothing has proved it yet.
 * `proven`: it is, and the frame's number may be shown. `doubtful`: the browser presented something else, or gave no proof.
 */
export type FrameCertainty = 'assumed' | 'proven' | 'doubtful'

export interface ReadyMedia {
  readonly status: 'ready'
  readonly source: Source
  readonly calibration: Calibration
  readonly seek: Seek
  /** Where the <video> was sought last, in seconds of its own, and by which of a frame's two seek points. */
  readonly lastSeek: { readonly seconds: number; readonly point: 0 | 1 }
}
/** All but `ready` know where to go once the video is ready. */
export type UnreadyMedia =
  /** `source` is null until it is opened; then the player waits for the browser to know the video's length. `loadedPart`: 0 to 1. */
  | { readonly status: 'loading'; readonly target: SeekTarget; readonly source: Source | null; readonly loadedPart: number }
  /** The video stopped loading, and a fresh address has been requested. */
  | { readonly status: 'renewing'; readonly target: SeekTarget; readonly source: Source | null; readonly loadedPart: number }
  /** A fresh address did not help, as the server or the store does not answer. */
  | { readonly status: 'unreachable'; readonly target: SeekTarget; readonly source: Source | null }
  /** This browser cannot decode the video. */
  | { readonly status: 'unplayable'; readonly target: SeekTarget; readonly source: Source }
  /** There is nothing to play until the rendition is ready. */
  | { readonly status: 'unprepared'; readonly target: SeekTarget }
export type Media = ReadyMedia | UnreadyMedia
export type PlayerStatus = Media['status']

export interface PlayerState {
  readonly browser: BrowserTraits
  readonly clip: Clip | null
  readonly media: Media
  /** Counts how often a clip was opened: an answer to an earlier opening is dropped. */
  readonly opening: number
  /** The rendition is being opened to take the place of the original. */
  readonly isOpeningRendition: boolean
  /** Addresses that failed and were renewed; each is renewed once. */
  readonly renewedAddresses: ReadonlySet<string>
  /** Frame times of the clip; guessed ones where nobody has counted its frames, and those of the clip before until a source is ready. */
  readonly timeline: Timeline
  /** Frames and milliseconds of the clip; null until they are known. */
  readonly length: { readonly frames: number; readonly milliseconds: number } | null
  /** The frame the player is on, counted from 0, and its start in whole milliseconds, rounded up. */
  readonly position: { readonly frame: number; readonly milliseconds: number }
  readonly displayed: DisplayedPicture
  readonly certainty: FrameCertainty
  /** As the browser reported it last. */
  readonly isPlaying: boolean
  readonly speed: number
  readonly loop: Loop | null
}

export const createPlayerState = (browser: BrowserTraits): PlayerState => ({
  ...{
    browser,
    clip: null,
    opening: 0,
    isOpeningRendition: false,
    renewedAddresses: new Set(),
    timeline: guessTimeline({ id: '', url: '' }, 1),
  },
  media: { status: 'loading', target: { frame: 0, play: false }, source: null, loadedPart: 0 },
  ...{ length: null, position: { frame: 0, milliseconds: 0 }, displayed: { kind: 'unknown' }, certainty: 'assumed' },
  ...{ isPlaying: false, speed: 1, loop: null },
})

export type ReadyState = PlayerState & { readonly media: ReadyMedia }
export const isReady = (state: PlayerState): state is ReadyState => state.media.status === 'ready'

/** What the <video> plays; null while it has nothing. */
export const sourceOf = ({ media }: PlayerState): Source | null => (media.status === 'unprepared' ? null : media.source)

/** Where to go once another source is ready: the target that waits already, or else where the player is now. */
export function currentTarget(state: PlayerState): SeekTarget {
  if (!isReady(state)) return (state.media as UnreadyMedia).target
  const { frame, milliseconds } = state.position
  return { ...(state.media.source.timeline ? { frame } : { at: milliseconds }), play: state.isPlaying }
}

/** Whether the picture on the screen is known to be that of the current frame. */
export const isConfirmed = ({ certainty }: PlayerState) => certainty === 'proven'

/** The frame of an original whose picture the browser gave no proof of, however often it was asked; else null. */
export const unprovenFrame = ({ media, certainty, isPlaying, position }: PlayerState): number | null =>
  certainty === 'doubtful' && !isPlaying && media.status === 'ready' && media.seek.kind === 'idle' && !media.source.isRendition
    ? position.frame
    : null

export const isPictureLate = ({ media }: PlayerState) =>
  media.status === 'ready' && media.seek.kind === 'seeking' && media.seek.isPictureLate

/** How much of the rendition has been downloaded, 0 to 1. */
export const loadedPart = ({ media }: PlayerState) => ('loadedPart' in media ? media.loadedPart : 0)

/** The frame whose picture is on the screen; undefined where the browser does not report it. */
export const shownFrame = ({ displayed, timeline }: PlayerState) =>
  displayed.kind === 'presented' ? timeline.at(displayed.seconds) : undefined

/** Where a note is pinned that is written now: milliseconds, and the frame where it is certain which one is shown. */
export const notePosition = (state: PlayerState) => ({
  at: state.position.milliseconds,
  frame: sourceOf(state)?.timeline && state.certainty !== 'doubtful' ? state.position.frame : undefined,
})
