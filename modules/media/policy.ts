/**
 * The lifetime of the signed URLs that browsers and our processes use to upload objects, and our processes to download them. The store
 * checks it only when a request begins.
 */
export const TRANSFER_URL_SECONDS = 3600
/**
 * How long the server returns the same playback URL, so that the browser finds the video in its cache. The URL is valid for
 * twice as long.
 */
export const PLAYBACK_URL_REUSE_SECONDS = 900
/** Files of this size or larger are uploaded in parts. */
export const MAX_SINGLE_UPLOAD_BYTES = 25 * 1024 * 1024
export const UPLOAD_PART_BYTES = 8 * 1024 * 1024
/** An unfinished upload is deleted if it has made no progress for this long. Objects to which no event refers are deleted at this age. */
export const UNFINISHED_UPLOAD_HOURS = 24
/** How long a review video is kept after it was made. */
export const REVIEW_VIDEO_DAYS = 30
export const MAX_UPLOADED_POSTER_BYTES = 300_000
/** The metadata tag in which Android stores how many frames the camera recorded per second. */
export const CAPTURE_RATE_TAG = 'com.android.capture.fps'
/** A file that declares a longer duration is refused as damaged. */
export const MAX_DECLARED_VIDEO_HOURS = 12

/** The length of a rendition's shorter side in pixels, whichever way the phone was held; less if the original is smaller. */
export const RENDITION_SHORTER_SIDE_PX = 720
/** The maximum number of frames from one keyframe to the next. To step back, a browser decodes at most this many. */
export const MAX_FRAMES_PER_KEYFRAME = 12

/** The AAC bit rate of a converted voice-over, as FFmpeg writes it: 48,000 bits per second. */
export const CONVERTED_VOICE_AAC_BIT_RATE = '48k'

/** Limits for the preparation of a video, far above what a swing needs. A file that exceeds one of them is refused. */
export const MAX_VIDEO_MINUTES = 30
export const MAX_VIDEO_SIDE_PIXELS = 8192
/** Frames × pixels: more than a minute of 4K at 120 frames per second. */
export const MAX_PIXELS_IN_ALL_FRAMES = 8e10
/**
 * The maximum number of sound packets per second of video. The shortest packets that recorders write last 2.5 ms (Opus), 400 per
 * second. A file with more has a damaged table, or was made to keep a server busy.
 */
export const MAX_SOUND_PACKETS_PER_SECOND = 500
/** Sound packets allowed beyond duration × `MAX_SOUND_PACKETS_PER_SECOND`, because a recorder writes some before its first frame. */
export const MAX_SURPLUS_SOUND_PACKETS = 1000
/** The limits for probing a file. The wall-clock limit is much higher, because the machine may be busy with other work. */
export const MAX_PROBE_CPU_SECONDS = 10
export const MAX_PROBE_WALL_SECONDS = 60
/** The wall-clock limit of a preparation, whatever the file declares. */
export const MAX_PREPARATION_WALL_SECONDS = 45 * 60
/** CPU seconds allowed for any preparation, to load FFmpeg and make the stills. A three-second swing takes 3 CPU seconds in total. */
export const BASE_PREPARATION_CPU_SECONDS = 30
/**
 * A preparation must process at least this many of the original's pixels per CPU second. A small server manages 30 million, even for noise
 * or HDR; a tenth of that leaves room for slower machines, and for videos that are harder to decode.
 */
export const MIN_PIXELS_PER_CPU_SECOND = 3_000_000
/** CPU seconds allowed for each frame in addition to those for its pixels: ten times the measured value. */
export const CPU_SECONDS_PER_FRAME = 0.005
/** A preparation must decode and encode at least this many seconds of sound per CPU second. A small server manages a hundred. */
export const MIN_SOUND_SECONDS_PER_CPU_SECOND = 5
/**
 * A preparation may take this long by the clock, plus `WALL_SECONDS_PER_CPU_SECOND` for each CPU second of its budget, because other
 * processes use the machine as well.
 */
export const BASE_PREPARATION_WALL_SECONDS = 5 * 60
export const WALL_SECONDS_PER_CPU_SECOND = 3
/** All tries of a file together may use this many times the budget of a single try. */
export const CPU_BUDGET_MULTIPLIER_FOR_ALL_TRIES = 3
/**
 * The version of renditions. Raise it if the existing renditions of HDR videos look wrong: workers then remake those, and only those.
 * Version 1 showed HDR one stop too dark.
 */
export const HDR_RENDITION_VERSION = 2
/** The maximum resident memory of a preparation process together with the processes that it started. */
export const MAX_PREPARATION_MEMORY_BYTES = 1_500_000_000
/** The maximum size of any file that a preparation process writes. */
export const MAX_PREPARATION_OUTPUT_FILE_BYTES = 600_000_000
/**
 * A file is refused if its preparation crashes on the try with this number, counted from 1, or on a later one. Tries that ended for a
 * reason outside the file do not count.
 */
export const MAX_PREPARATION_CRASHES = 5
/**
 * A file is refused if its preparation exceeds the wall-clock limit on the try with this number, or on a later one. For any other limit
 * one try is enough, because only the file can be the cause.
 */
export const MAX_TIMED_OUT_TRIES = 2
/**
 * A file is refused after this many of its tries ended for a reason outside the file: an operator or the system killed the process, for
 * example. The pauses between tries double, so that takes over 15 minutes.
 */
export const MAX_KILLED_TRIES = 11

const even = (n: number) => Math.max(2, Math.round(n / 2) * 2)

/** The size of a picture after its shorter side is scaled down to `lines`, but never up. Both sides are rounded to even numbers. */
export function scaledSize({ width, height }: { width: number; height: number }, lines: number): { width: number; height: number } {
  const factor = Math.min(1, lines / Math.min(width, height))
  return { width: even(width * factor), height: even(height * factor) }
}
