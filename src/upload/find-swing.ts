import type { FrameTimeline } from '../../modules/media/frames.ts'
import { findSwingByMotion } from './find-swing-by-motion.ts'
import { findSwingBySound, type ProposedSwing } from './find-swing-by-sound.ts'

/**
 * Proposes the part of a video with the swing: around the hit if one is heard, otherwise around the strongest motion. Null if neither
 * stands out, if this browser can decode neither sound nor frames, or if the swing takes up the whole video. `signal` ends the search.
 */
export async function findSwing(file: Blob, times: FrameTimeline, signal: AbortSignal): Promise<ProposedSwing | null> {
  // The search by sound reads the whole file into memory, which may fail; the search by motion needs only some of its frames.
  const swing = await findSwingBySound(file, times).catch(() => null)
  if (swing || signal.aborted) return swing
  return findSwingByMotion(file, times, signal).catch(() => null)
}
