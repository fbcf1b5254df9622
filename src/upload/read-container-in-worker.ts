import type { BrowserMediaFindings } from '../../modules/media/contract.ts'
import type { RefusalCode } from '../../modules/media/preparation-process/media-refusal.ts'

/** What the browser read from a container. */
export interface ContainerReadResult {
  /** The container's metadata with the frame table; null if unknown. */
  inside: BrowserMediaFindings | null
  /** Why the server would refuse the file after the upload; null if it may accept it. */
  refused: RefusalCode | null
}

/** Reading is aborted after this time, because a damaged or hostile header may claim four billion frames. */
const READ_TIMEOUT_MS = 10_000

const NOTHING_READ: ContainerReadResult = { inside: null, refused: null }

/**
 * A video's container metadata and frame table, or why the server would refuse the file. Both are null if the file is damaged or takes too
 * long to read. Never throws.
 * @param type the file's real type, as found by `sniffContainer`
 */
export function readContainerInWorker(file: Blob, type: string): Promise<ContainerReadResult> {
  return new Promise(resolve => {
    const worker = new Worker(new URL('./read-container-worker.ts', import.meta.url), { type: 'module' })
    const end = (found: ContainerReadResult) => {
      clearTimeout(timer)
      worker.terminate()
      resolve(found)
    }
    const timer = setTimeout(end, READ_TIMEOUT_MS, NOTHING_READ)
    worker.onmessage = ({ data }) => end(data)
    worker.onerror = () => end(NOTHING_READ)
    worker.postMessage({ file, type })
  })
}
