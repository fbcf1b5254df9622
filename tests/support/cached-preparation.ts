/**
 * Preloaded into a server under test (`--import`): caches the result of processing a video, so that a second upload of the same file only
 * stores the cached files. Processing takes a third of a second of CPU, and the user journeys upload the same swing a hundred times.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import {
  type ChildMessage,
  OUTPUT_FILES,
  OUTPUT_FILES_BY_KIND,
  type OutputFile,
  type PreparationOrder,
  type UploadUrls,
} from '../../modules/media/child/protocol.ts'
import { supervise as prepare, type SupervisedProcess } from '../../modules/media/supervise.ts'

// Replaces the real function that processes a video.
registerHooks({
  resolve: (specifier, context, next) =>
    next(
      context.parentURL?.endsWith('/modules/media/preparation.ts') && specifier === './supervise.ts' ? import.meta.url : specifier,
      context,
    ),
})

export { PreparationCrash, PreparationInterrupted } from '../../modules/media/supervise.ts'

type Say = (word: ChildMessage) => Promise<UploadUrls | undefined>
interface Prepared {
  words: Extract<ChildMessage, { is: 'looked' | 'made' }>[]
  files: Map<OutputFile, Buffer<ArrayBuffer>>
}
const known = new Map<string, Prepared>()
/** Results of larger files are not cached. */
const LARGEST = 4_000_000

export function supervise(order: PreparationOrder, on: Say, options?: Parameters<typeof prepare>[2]): SupervisedProcess {
  const original = order.sources[0]!
  if (order.kind !== 'rendition' || original.bytes > LARGEST) return prepare(order, on, options)
  let child: SupervisedProcess | undefined
  let killed = false
  const outcome = async (): Promise<Awaited<SupervisedProcess['outcome']>> => {
    const answer = await fetch(original.url)
    const key = createHash('sha256')
      .update(order.type)
      .update(new Uint8Array(await answer.arrayBuffer()))
      .digest('hex')
    const its = known.get(key)
    if (its && !killed) return again(its, on)
    const words: Prepared['words'] = []
    const heard: Say = word => {
      if (word.is === 'looked' || word.is === 'made') words.push(word)
      return on(word)
    }
    child = prepare(order, heard, options)
    if (killed) child.kill()
    const end = await child.outcome
    if (answer.ok && end.is === 'stored') {
      const files = OUTPUT_FILES_BY_KIND.rendition.map(
        async file => [file, await readFile(join(order.dir, OUTPUT_FILES[file].name))] as const,
      )
      known.set(key, { words, files: new Map(await Promise.all(files)) })
    }
    return end
  }
  const kill = () => {
    killed = true
    child?.kill()
  }
  return { pid: undefined, kill, cpuSeconds: () => child?.cpuSeconds() ?? 0, outcome: outcome() }
}

/** Repeats the messages of the first run, and stores the cached files. */
async function again({ words, files }: Prepared, on: Say) {
  for (const word of words) {
    const places = await on(word)
    for (const [file, body] of places ? files : []) {
      const answer = await fetch(places![file]!, { method: 'PUT', body, headers: { 'content-type': OUTPUT_FILES[file].type } })
      if (!answer.ok) return { is: 'away' } as const
    }
  }
  return { is: 'stored' } as const
}
