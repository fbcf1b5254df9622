import { atom } from 'nanostores'
import type { Timeline } from '../../modules/media/frames.ts'
import type { MediaTimeCalibration } from './media-time.ts'
import { type Clip, guessTimeline, type Source } from './source.ts'

/**
 * `renewing`: the video stopped loading, and a fresh address has been requested. `unreachable`: that did not help, as the server or the store
 * does not answer. `unplayable`: this browser cannot decode the video. `unprepared`: there is nothing to play until the rendition is ready.
 */
export type PlayerStatus = 'loading' | 'ready' | 'renewing' | 'unreachable' | 'unplayable' | 'unprepared'

/** Where to go: a frame, or the milliseconds of a note from before frames were counted. */
export interface SeekTarget {
  frame?: number | undefined
  at?: number
  play: boolean
}

/** What screens subscribe to: a store for each value, so that a frame renders only what shows it. */
export const createPlayerStores = () => ({
  /** The frame the player is on, counted from 0. */
  $frame: atom(0),
  /** How many frames the clip has; 0 until that is known. */
  $frames: atom(0),
  /** When `$frame` begins, in whole milliseconds, rounded up. */
  $time: atom(0),
  /** Milliseconds of the clip; 0 until that is known. */
  $duration: atom(0),
  /** Whether the picture on the screen is known to be that of `$frame`. */
  $isConfirmed: atom(false),
  /** The frame of an original whose picture the browser gives no proof of, however often it is asked; else null. */
  $unprovenFrame: atom<number | null>(null),
  /** Whether the screen still shows the picture of an earlier frame after a noticeable time. */
  $isPictureLate: atom(false),
  $playing: atom(false),
  $speed: atom(1),
  $status: atom<PlayerStatus>('loading'),
  /** How much of the rendition has been downloaded, 0 to 1. */
  $loadedPart: atom(0),
  /** The frames that are played again and again; `whole`: the whole clip, whichever note is selected. */
  $loop: atom<{ from: number; to: number; whole?: boolean } | null>(null),
})
export type PlayerStores = ReturnType<typeof createPlayerStores>

/** What a player works on at present. */
export interface PlayerMedia {
  /** The attached <video>; null while there is none. */
  video: HTMLVideoElement | null
  clip: Clip | undefined
  source: Source | undefined
  /** Frame times of the source; guessed ones where nobody has counted its frames. */
  timeline: Timeline
  /** What the browser's media times are worth; undefined until it knows the video's length. */
  calibration: MediaTimeCalibration | undefined
  /** Where to go once the video is ready. */
  pending: SeekTarget | undefined
}
export const createPlayerMedia = (): PlayerMedia => ({
  ...{ video: null, clip: undefined, source: undefined, calibration: undefined, pending: undefined },
  timeline: guessTimeline({ id: '', url: '' }, 1),
})

/** The pending target, or else where the player is now, so that another source can go on from there. */
export const currentTarget = ({ pending, source }: PlayerMedia, { $frame, $time, $playing }: PlayerStores): SeekTarget =>
  pending ?? { ...(source?.timeline ? { frame: $frame.get() } : { at: $time.get() }), play: $playing.get() }
