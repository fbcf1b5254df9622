/** Seconds that a signed URL to PUT a part lives; it is checked when the PUT begins. */
export const PUT_URL_SECONDS = 3600
/** A playback URL stays the same for this long (so that the browser's cache knows it) and lives this long past that. */
export const PLAYBACK_URL_SECONDS = 900
/** An upload that is not finished by then is swept away. */
export const UNFINISHED_UPLOAD_HOURS = 24
/** How long the video of a review is kept after it was made. */
export const REVIEW_VIDEO_DAYS = 30
export const MAX_POSTER_BYTES = 300_000
/** A file that declares a longer duration is invalid. */
export const MAX_DECLARED_HOURS = 12

/** A rendition's shorter side: 720 lines, whichever way the phone was held. */
export const RENDITION_LINES = 720
/** Frames from one key frame to the next, at most: a step back decodes no more than these. */
export const MAX_FRAMES_PER_KEYFRAME = 12

/** AAC of a voice-over, bits a second. */
export const VOICE_BIT_RATE = '48k'

/** Limits for the preparation of a video. A swing needs a thousandth of them; a file that needs more is damaged or hostile. */
export const MAX_VIDEO_MINUTES = 30
export const MAX_SIDE_PIXELS = 8192
/** Frames × pixels: more than a minute of 4K at 120 frames a second. */
export const MAX_VIDEO_PIXELS = 8e10
/**
 * Packets of sound for a second of picture. The shortest that a recorder writes are those of Opus with 2.5 ms, 400 a second; a file with
 * more of them than that has a damaged table, or was made to keep a server busy.
 */
export const MAX_SOUND_PACKETS_PER_SECOND = 500
/** Packets of a track beyond those that its length explains: what a recorder wrote before its first picture. */
export const MAX_UNEXPLAINED_PACKETS = 1000
/** To look into a file: seconds of one core; and of the clock, where a machine is busy. */
export const PROBE_CPU_SECONDS = 10
export const PROBE_SECONDS = 60
/** To prepare a video, seconds of the clock, whatever it promised. */
export const PREPARE_SECONDS = 45 * 60
/** What any preparation may take, in seconds of one core: to load FFmpeg and make the stills. A swing of three seconds takes 3 in all. */
export const BASE_CPU_SECONDS = 30
/**
 * Pixels of original pictures that are prepared in a second of one core, at least. A small server manages 30 million where the pictures are
 * noise or HDR; a tenth of that leaves room for slower machines, and for kinds of video that are harder to decode.
 */
export const PIXELS_PER_CPU_SECOND = 3_000_000
/** What a picture costs beside its pixels, seconds of one core: ten times what is measured. */
export const CPU_SECONDS_PER_FRAME = 0.005
/** Sound that is decoded and encoded in a second of one core, at least: a small server manages a hundred times real time. */
export const SOUND_SECONDS_PER_CPU_SECOND = 5
/** Seconds of the clock that any preparation may take, and for each second of a core that it may use: others use the machine as well. */
export const BASE_SECONDS = 5 * 60
export const SECONDS_PER_CPU_SECOND = 3
/** All tries at a file together may take so many times what one may. */
export const MAX_BUDGETS_OVER_ALL_TRIES = 3
/**
 * The version of what is made of a video: raised where renditions from before look wrong, which are then made again. Version 1 showed HDR a stop
 * too dark.
 */
export const RENDITION_VERSION = 2
/** Resident memory of the process that prepares, bytes. */
export const MAX_MEMORY_BYTES = 1_500_000_000
/** Bytes of any file that it writes. */
export const MAX_OUTPUT_BYTES = 600_000_000
/** How often a preparation may crash before it is given up. */
export const MAX_CRASHED_TRIES = 5
/** How often it may exceed the wall-clock limit. Any other limit fails at once, because only the file can cause it. */
export const MAX_TIMED_OUT_TRIES = 2
/** How often it may be killed from outside. Pauses double each time, so this many take more than a quarter of an hour. */
export const MAX_KILLED_TRIES = 11

const even = (n: number) => Math.max(2, Math.round(n / 2) * 2)

/** The picture's size when its shorter side has so many lines; never enlarged, always even. */
export function scaledSize({ width, height }: { width: number; height: number }, lines: number): { width: number; height: number } {
  const factor = Math.min(1, lines / Math.min(width, height))
  return { width: even(width * factor), height: even(height * factor) }
}
