import { currentAccountId } from '../client/login-session.ts'
import { createDownloadFile, deleteDownloadFile } from '../client/temporary-download-file.ts'

/** The temporary file is deleted only after this delay, because the browser copies it to the downloads folder in the background. */
const COPYING_MS = 600_000

/**
 * Saves a stream as a download. It is first written to a file in the origin private file system or, if the browser does not let pages
 * write there, collected in memory.
 * @throws the stream's errors; DOMException `QuotaExceededError` if the device is full, `AbortError` after an abort
 */
export async function saveStream(name: string, stream: ReadableStream<Uint8Array>, signal: AbortSignal) {
  const place = await createDownloadFile(currentAccountId())
  let file: Blob
  // Before version 26, Safari lets only workers write to such files (no `createWritable`).
  if (place && 'createWritable' in place) {
    // Overwrites a file left over from an earlier download.
    const writable = await place.createWritable()
    await stream.pipeTo(writable, { signal })
    file = await place.getFile()
  } else {
    const parts: Blob[] = []
    await stream.pipeTo(new WritableStream<Uint8Array>({ write: part => void parts.push(new Blob([part as BlobPart])) }), { signal })
    file = new Blob(parts)
  }
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => {
    URL.revokeObjectURL(url)
    if (place) deleteDownloadFile()
  }, COPYING_MS)
}
