import type { BrowserMediaFindings } from '../../modules/media/contract.ts'

/** Reading is aborted after this time, because a damaged or hostile header may claim four billion frames. */
const READ_TIMEOUT_MS = 10_000

/**
 * A video's container metadata and frame table; null if the file has none, is damaged, or takes too long. Never throws.
 * @param type the file's real type, as found by `sniffContainer`
 */
export function readContainerInWorker(file: Blob, type: string): Promise<BrowserMediaFindings | null> {
  return new Promise(resolve => {
    const worker = new Worker(new URL('./read-container-worker.ts', import.meta.url), { type: 'module' })
    const end = (found: BrowserMediaFindings | null) => {
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
