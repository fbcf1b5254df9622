import type { FrameTimeline } from '../../modules/media/frames.ts'
import { detectOnsets } from '../technique/onset-detection.ts'

/** Seconds to keep before and after the hit. */
const [SECONDS_BEFORE, SECONDS_AFTER] = [2.5, 1.5]
/** Larger files are skipped, because decoding the sound reads the whole file into memory. */
const MAX_FILE_BYTES = 200 * 1024 * 1024
const SAMPLE_RATE_HZ = 48_000

/** The part of a video that probably shows the swing. */
export interface ProposedSwing {
  /** How the swing was found: by the sound of the hit, or by motion in the picture. */
  by: 'sound' | 'motion'
  /** When the hit is heard or the picture moves most, in seconds of presentation time. */
  seconds: number
  /** The first and the last frame around that moment. */
  from: number
  to: number
}

/** Proposes the frames around the moment of a swing; null if they are all the frames of the video. */
export function proposeFramesAroundSwing(seconds: number, times: FrameTimeline, by: ProposedSwing['by']): ProposedSwing | null {
  const [from, to] = [times.at(seconds - SECONDS_BEFORE), times.at(seconds + SECONDS_AFTER)]
  return from > 0 || to < times.frames - 1 ? { by, seconds, from, to } : null
}

/**
 * Finds the swing in a video by the sound of the hit; null if no hit is heard, if the file is too large, if the browser cannot decode the
 * sound, or if the swing takes up the whole video.
 * @throws if the file cannot be read into memory
 */
export async function findSwingBySound(file: Blob, times: FrameTimeline): Promise<ProposedSwing | null> {
  if (file.size > MAX_FILE_BYTES) return null
  const audio = await new OfflineAudioContext(1, 1, SAMPLE_RATE_HZ).decodeAudioData(await file.arrayBuffer()).catch(() => null)
  const hit = audio && detectOnsets(audio.getChannelData(0), audio.sampleRate, 1)[0]
  return hit ? proposeFramesAroundSwing(hit.seconds + times.start(0), times, 'sound') : null
}
