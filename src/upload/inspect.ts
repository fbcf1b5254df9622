import type { Media, SeenInside } from '../../modules/media/contract.ts'
import { look } from './look.ts'
import { type Probed, probe } from './probe.ts'

export interface Inspected {
  probed: Probed
  /** What its container holds, with the frame table; null where that is not known. */
  inside: SeenInside | null
  media: Media | null
  /** This browser decodes it. */
  plays: boolean
  /** Mean of its still, 0 to 255. */
  brightness: number | null
}

/** All that a browser can tell of a file: what its container says, and what it makes of the picture itself. Never throws. */
export async function inspect(file: Blob, type: string, looking = look(file, type)): Promise<Inspected> {
  const [probed, inside] = await Promise.all([probe(file), looking])
  return { probed, inside, media: inside?.media ?? null, plays: probed.width > 0, brightness: probed.brightness }
}
