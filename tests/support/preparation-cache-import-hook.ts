/**
 * Preloaded into a server under test (`--import`): caches the result of processing a video, so that a second upload of the same file only
 * stores the cached files. Processing takes a third of a second of CPU, and the user journeys upload the same swing a hundred times.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import {
  OUTPUT_FILES,
  OUTPUT_FILES_BY_JOB_KIND,
  type OutputFileKind,
  type PreparationMessage,
  type SupervisedPreparationOrder,
  type UploadUrls,
} from '../../modules/media/preparation-process/protocol.ts'
import { type SupervisedPreparation, supervisePreparation as superviseUncached } from '../../modules/media/supervise-preparation.ts'

// Makes the media job handler import this file instead of the real `supervise-preparation.ts`.
registerHooks({
  resolve: (specifier, context, next) =>
    next(
      context.parentURL?.endsWith('/modules/media/media-job-handler.ts') && specifier === './supervise-preparation.ts'
        ? import.meta.url
        : specifier,
      context,
    ),
})

export { PreparationCrashError, PreparationMachineError } from '../../modules/media/supervise-preparation.ts'

type MessageListener = (message: PreparationMessage) => Promise<UploadUrls | undefined>
interface Prepared {
  messages: Extract<PreparationMessage, { is: 'probed' | 'made' }>[]
  files: Map<OutputFileKind, Buffer<ArrayBuffer>>
}
const cachedResults = new Map<string, Prepared>()
/** Results of larger files are not cached. */
const MAX_CACHED_BYTES = 4_000_000

export function supervisePreparation(
  order: SupervisedPreparationOrder,
  on: MessageListener,
  options?: Parameters<typeof superviseUncached>[2],
): SupervisedPreparation {
  const original = order.sources[0]!
  if (order.kind !== 'rendition' || original.bytes > MAX_CACHED_BYTES) return superviseUncached(order, on, options)
  let child: SupervisedPreparation | undefined
  let killed = false
  const outcome = async (): Promise<Awaited<SupervisedPreparation['outcome']>> => {
    const answer = await fetch(original.url)
    const key = createHash('sha256')
      .update(order.type)
      .update(new Uint8Array(await answer.arrayBuffer()))
      .digest('hex')
    const cached = cachedResults.get(key)
    if (cached && !killed) return replay(cached, on)
    const messages: Prepared['messages'] = []
    const recordMessage: MessageListener = message => {
      if (message.is === 'probed' || message.is === 'made') messages.push(message)
      return on(message)
    }
    child = superviseUncached(order, recordMessage, options)
    if (killed) child.kill()
    const end = await child.outcome
    if (answer.ok && end.is === 'stored') {
      const files = OUTPUT_FILES_BY_JOB_KIND.rendition.map(
        async file => [file, await readFile(join(order.dir, OUTPUT_FILES[file].name))] as const,
      )
      cachedResults.set(key, { messages, files: new Map(await Promise.all(files)) })
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
async function replay({ messages, files }: Prepared, on: MessageListener) {
  for (const message of messages) {
    const uploadUrls = await on(message)
    for (const [file, body] of uploadUrls ? files : []) {
      const answer = await fetch(uploadUrls![file]!, { method: 'PUT', body, headers: { 'content-type': OUTPUT_FILES[file].type } })
      if (!answer.ok) return { is: 'unavailable' } as const
    }
  }
  return { is: 'stored' } as const
}
