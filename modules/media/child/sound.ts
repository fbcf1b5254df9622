import type { Timeline } from '../frames.ts'

/** FFmpeg filters that make the sound of a rendition or a voice-over. */

/** Samples a second. */
export const SAMPLE_RATE = 48_000
/** A block of AAC, seconds. */
const AAC_BLOCK = 1024 / SAMPLE_RATE

/** From its first sound on, without holes. */
export const RESAMPLE_FILTER = `aresample=${SAMPLE_RATE}:async=1000:first_pts=0`

/**
 * Sound that ends before the picture goes on in silence: WebKitGTK never ends a seek to where there is none. By a block of AAC more, as the
 * last is left out where it is not full.
 */
export const padSoundToPicture = (times: Timeline) => `apad=whole_dur=${(times.seconds + AAC_BLOCK).toFixed(6)}`
/** Sound that goes on after the picture ends with it. */
export const trimSoundToPicture = (times: Timeline) => `atrim=end=${(times.seconds + AAC_BLOCK).toFixed(6)}`
