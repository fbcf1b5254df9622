import type { Voice } from '../../reviews/contract.ts'
import type { Media } from '../contract.ts'
import type { ContainerFacts } from '../read-container.ts'
import type { Made } from './words.ts'

/** What decodes, scales and encodes. Both write the same rendition; its frames are compared with the original's in any case. */
export interface Engine {
  /** @throws Refusal */
  render(original: string, out: string, looked: ContainerFacts, progress: (part: number) => void): Promise<void>
  /** AAC of a voice-over, from its first sound on. @throws Refusal */
  voice(original: string, type: Voice['type'], out: string): Promise<void>
  /** Both as JPEG. */
  stills(rendition: string, media: Media, out: { poster: string; filmstrip: string }): Promise<Omit<Made['filmstrip'], 'bytes'>>
}
