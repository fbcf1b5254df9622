import type { FrameTimeline } from '../frames.ts'

/** FFmpeg filters for the sound of a rendition or a voice-over. */

export const SOUND_SAMPLE_RATE_HZ = 48_000
/** The length of an AAC block, in seconds. */
const AAC_BLOCK = 1024 / SOUND_SAMPLE_RATE_HZ

/** Starts the sound at time 0, by cutting what is earlier or padding with silence, and fills gaps. */
export const RESAMPLE_FILTER = `aresample=${SOUND_SAMPLE_RATE_HZ}:async=1000:first_pts=0`

/**
 * Pads sound that ends before the picture with silence, because WebKitGTK never completes a seek to a place without sound. The padding is
 * one AAC block longer than the picture, because an incomplete last block is dropped.
 */
export const padSoundFilter = (times: FrameTimeline) => `apad=whole_dur=${(times.seconds + AAC_BLOCK).toFixed(6)}`
/** Cuts the sound off one AAC block after the end of the picture, where the padding ends as well. */
export const trimSoundToPictureFilter = (times: FrameTimeline) => `atrim=end=${(times.seconds + AAC_BLOCK).toFixed(6)}`
