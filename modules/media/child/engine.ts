import { Refusal } from './refusal.ts'

/** FFmpeg, which comes as a package for each platform; where a platform has none, nothing can be prepared. @throws Refusal */
export async function engine() {
  const av = await import('node-av').catch(() => {
    throw new Refusal('no-encoder')
  })
  return (await import('./library.ts')).library(av)
}
export type Engine = Awaited<ReturnType<typeof engine>>
