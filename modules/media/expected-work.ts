import type { Media } from './contract.ts'

/** Pixels that one core of a small server decodes and encodes again in a second (bench V3 measures 1.4e8 to 2e8 on two). */
const PIXELS_PER_SECOND = 1e8
/** Bytes of video that take a second of such work, as phones write it (4K at 30 frames a second: 6 MB for 2.5e8 pixels). */
const BYTES_PER_SECOND = 2.4e6

/** Work that is expected to take longer than this goes to the long lane: 10 s of 4K at 30 frames a second still count as short. */
export const SHORT_WORK_SECONDS = 25
/**
 * After so many seconds of a core a short job makes room for another that waits: a file that claims too little holds nobody up for longer. Not
 * seconds of the clock, of which an honest clip takes as many on a machine that has no time for it.
 */
export const MAX_SHORT_JOB_CPU_SECONDS = 40
/** The same limit in wall-clock time, for work that waits for something other than a CPU core. */
export const MAX_SHORT_JOB_SECONDS = 240

interface Promised {
  kind: 'rendition' | 'voice' | 'review'
  bytes: number
  /** What the file is said to be inside; null until somebody has looked, and then its size in bytes decides. */
  media: Pick<Media, 'frames' | 'width' | 'height'> | null
}

/** Seconds of work to expect of an upload. Its uploader may lie about it, so it only decides who waits for whom, never what is allowed. */
export function expectedPreparationSeconds({ kind, bytes, media }: Promised): number {
  // Sound costs next to nothing, and a voice-over is bounded to minutes.
  if (kind === 'voice') return 1
  return media ? (media.frames * media.width * media.height) / PIXELS_PER_SECOND : bytes / BYTES_PER_SECOND
}

export const isLongWork = (promised: Promised) => expectedPreparationSeconds(promised) > SHORT_WORK_SECONDS
