/** Where a file is written before it is given to the browser's downloads: on the disk, not in memory. */
const STORE = 'taken-along.zip'

/** A place on this device's disk that only this site sees; null where the browser has none that pages may write to. */
async function shelf(): Promise<FileSystemFileHandle | null> {
  try {
    const root = await navigator.storage.getDirectory()
    const file = await root.getFileHandle(STORE, { create: true })
    return 'createWritable' in file ? file : null
  } catch {
    return null
  }
}

/**
 * Saves a stream as a download of this name. It goes to the disk as it comes; only where the browser has no such place is it collected first.
 * @throws what the stream throws; DOMException `QuotaExceededError` where the device is full, `AbortError` by the signal
 */
export async function save(name: string, stream: ReadableStream<Uint8Array>, signal: AbortSignal) {
  const place = await shelf()
  let file: Blob
  if (place) {
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
  // The browser copies it in its own time.
  setTimeout(() => URL.revokeObjectURL(url), 600_000)
}
