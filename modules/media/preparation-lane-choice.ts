import type { VideoProperties } from './contract.ts'

/** Pixels that one core of a small server decodes and encodes in a second. Bench V3 measures 0.9e8 to 1.7e8 per CPU second at 1080p. */
const PIXELS_PER_SECOND = 1e8
/** Bytes of a phone video that take one CPU second: a second of 4K at 30 frames per second is 6 MB and 2.5e8 pixels, which take 2.5 s. */
const BYTES_PER_SECOND = 2.4e6

/** Work that is expected to take longer than this goes to the long lane: 10 s of 4K at 30 frames per second still count as short. */
export const MAX_SHORT_JOB_EXPECTED_CPU_SECONDS = 25
/**
 * After this much CPU time, the worker moves a job from the short lane to the long one if another short job is waiting, because a file may
 * be longer than its header says. CPU time rather than wall-clock time, because an honest clip may take long on a busy machine.
 */
export const SHORT_LANE_TURN_CPU_SECONDS = 40
/** The corresponding limit in wall-clock time, for work that waits for something other than a CPU core. */
export const SHORT_LANE_TURN_WALL_SECONDS = 240

interface DeclaredWork {
  kind: 'rendition' | 'voice' | 'review'
  bytes: number
  /** The declared or probed content; null if unknown, in which case the file size decides. */
  media: Pick<VideoProperties, 'frames' | 'width' | 'height'> | null
}

/** The expected CPU seconds to prepare an upload. The uploader may lie, so this decides only the queue's order, not what is accepted. */
export function expectedPreparationCpuSeconds({ kind, bytes, media }: DeclaredWork): number {
  // Transcoding sound is cheap, and a voice-over lasts only a few minutes.
  if (kind === 'voice') return 1
  return media ? (media.frames * media.width * media.height) / PIXELS_PER_SECOND : bytes / BYTES_PER_SECOND
}

export const isLongPreparation = (work: DeclaredWork) => expectedPreparationCpuSeconds(work) > MAX_SHORT_JOB_EXPECTED_CPU_SECONDS
