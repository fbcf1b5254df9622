import { makeZip } from 'client-zip'
import type { Folder } from '../../modules/folders/contract.ts'
import type { InkColors } from '../drawing/paint-shape.ts'
import type { ReviewedSession } from '../folders/reviewed-session.ts'
import { contents } from './contents.ts'
import { fileName } from './file-name.ts'
import { save } from './save.ts'

/**
 * Saves a session as a zip, file by file, so that no more than a part of one is ever in memory. `told` hears how many bytes are done.
 * @throws Unfetched, DOMException as `save`
 */
export async function pack(folder: Folder, session: ReviewedSession, inks: InkColors, told: (done: number) => void, signal: AbortSignal) {
  let done = 0
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, out) {
      done += part.length
      out.enqueue(part)
    },
  })
  // A bar moves a few times a second, not with every part.
  const timer = setInterval(() => told(done), 250)
  try {
    const files = contents(folder, session, inks, signal)
    const zip = makeZip(files)
    await save(`${fileName(folder.name)}.zip`, zip.pipeThrough(count, { signal }), signal)
  } finally {
    clearInterval(timer)
  }
}
