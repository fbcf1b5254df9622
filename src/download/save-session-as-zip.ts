import { makeZip } from 'client-zip'
import type { Folder } from '../../modules/folders/contract.ts'
import type { InkColors } from '../drawing/ink-colors-from-theme.ts'
import type { ReviewedSession } from '../folders/reviewed-session-type.ts'
import { safeFileName } from './file-names.ts'
import { saveStream } from './save-stream.ts'
import { sessionZipEntries } from './session-zip-entries.ts'

/**
 * Streams a session into a zip file on the device, so that no whole video has to fit into memory (unless `saveStream` has to collect
 * everything there). `onProgress` gets the number of bytes written.
 * @throws MediaFetchError if a video cannot be fetched; DOMException as in `saveStream`
 */
export async function saveSessionAsZip(
  folder: Folder,
  session: ReviewedSession,
  inks: InkColors,
  onProgress: (done: number) => void,
  signal: AbortSignal,
) {
  let done = 0
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, out) {
      done += part.length
      out.enqueue(part)
    },
  })
  // Reports progress four times per second instead of with every chunk.
  const timer = setInterval(() => onProgress(done), 250)
  try {
    const files = sessionZipEntries(folder, session, inks, signal)
    const zip = makeZip(files)
    await saveStream(`${safeFileName(folder.name)}.zip`, zip.pipeThrough(count, { signal }), signal)
  } finally {
    clearInterval(timer)
  }
}
