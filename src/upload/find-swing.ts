import type { Timeline } from '../../modules/media/frames.ts'
import { findSwingBySound, type ProposedSwing } from './find-swing-by-sound.ts'
import { findSwingByMotion } from './swing-by-motion.ts'

/**
 * Proposes the part of a video with the swing: around the hit if one is heard, otherwise around the strongest motion. Null if neither
 * stands out, or if this browser can decode neither. `signal` ends the search.
 */
export async function findSwing(file: Blob, times: Timeline, signal: AbortSignal): Promise<ProposedSwing | null> {
  // Reading a very large file into memory may fail; its pictures can still be looked at one by one.
  const heard = await findSwingBySound(file, times).catch(() => null)
  if (heard || signal.aborted) return heard
  return findSwingByMotion(file, times, signal).catch(() => null)
}
