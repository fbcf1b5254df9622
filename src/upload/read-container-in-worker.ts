import type { BrowserFindings } from '../../modules/media/contract.ts'

/** A header may claim four billion frames: whoever needs longer than this gives up. */
const READ_TIMEOUT_MS = 10_000

/**
 * What a file's container says of the video, and its frame table; null where it says nothing, is damaged, or takes too long. Never throws.
 * @param type the real type of the file, as `sniffContainer` found it
 */
export function readContainerInWorker(file: Blob, type: string): Promise<BrowserFindings | null> {
  return new Promise(resolve => {
    const worker = new Worker(new URL('./container-worker.ts', import.meta.url), { type: 'module' })
    const end = (found: BrowserFindings | null) => {
      clearTimeout(timer)
      worker.terminate()
      resolve(found)
    }
    const timer = setTimeout(end, READ_TIMEOUT_MS, null)
    worker.onmessage = ({ data }) => end(data)
    worker.onerror = () => end(null)
    worker.postMessage({ file, type })
  })
}
