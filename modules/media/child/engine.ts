import type { Engine } from './engine-interface.ts'
import { Refusal } from './refusal.ts'

/** A program where one is named, else the library that comes as a package; where its platform has none, there is nothing to prepare with. @throws Refusal */
export async function engine(ffmpeg: string | null): Promise<Engine> {
  if (ffmpeg) return (await import('./program.ts')).program(ffmpeg)
  const av = await import('node-av').catch(() => {
    throw new Refusal('no-encoder')
  })
  return (await import('./library.ts')).library(av)
}
