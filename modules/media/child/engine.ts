import type { Voice } from '../../reviews/contract.ts'
import type { Media } from '../contract.ts'
import type { Looked } from '../inside.ts'
import { Refusal } from './refusal.ts'
import type { Made } from './words.ts'

/** What decodes, scales and encodes. Both write the same rendition; its frames are compared with the original's in any case. */
export interface Engine {
  /** @throws Refusal */
  render(original: string, out: string, looked: Looked, progress: (part: number) => void): Promise<void>
  /** AAC of a voice-over, from its first sound on. @throws Refusal */
  voice(original: string, type: Voice['type'], out: string): Promise<void>
  /** Both as JPEG. */
  stills(rendition: string, media: Media, out: { poster: string; filmstrip: string }): Promise<Omit<Made['filmstrip'], 'bytes'>>
}

/** A program where one is named, else the library that comes as a package; where its platform has none, there is nothing to prepare with. @throws Refusal */
export async function engine(ffmpeg: string | null): Promise<Engine> {
  if (ffmpeg) return (await import('./program.ts')).program(ffmpeg)
  const av = await import('node-av').catch(() => {
    throw new Refusal('no-encoder')
  })
  return (await import('./library.ts')).library(av)
}
