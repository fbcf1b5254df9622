import type { Media } from '../../../modules/media/contract.ts'
import { look } from './look.ts'
import { type Probed, probe } from './probe.ts'

/** All that a browser can tell of a file: what its container says, and what it makes of the picture itself. Never throws. */
export async function inspect(
  file: Blob,
  type: string,
): Promise<{ probed: Probed; media: Media | null; plays: boolean; brightness: number | null }> {
  const [probed, found] = await Promise.all([probe(file), look(file, type)])
  return { probed, media: found?.media ?? null, plays: probed.width > 0, brightness: probed.brightness }
}
