import { createDownloadFile, deleteDownloadFile } from '../client/download-file.ts'
import { currentAccountId } from '../client/session.ts'

/** A browser copies a download in its own time; after so long it has, ms. */
const COPYING_MS = 600_000

/**
 * Saves a stream as a download of this name. It goes to the disk as it comes; only where the browser has no such place is it collected first.
 * @throws what the stream throws; DOMException `QuotaExceededError` where the device is full, `AbortError` by the signal
 */
export async function save(name: string, stream: ReadableStream<Uint8Array>, signal: AbortSignal) {
  const place = await createDownloadFile(currentAccountId())
  let file: Blob
  // Safari before 26 has such files and lets only workers write to them.
  if (place && 'createWritable' in place) {
    // What was there from the last time is overwritten.
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
