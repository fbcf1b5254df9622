import type { Media } from '../../../modules/media/contract.ts'
import type { FrameTable } from '../../../modules/media/frames.ts'

/** A header may claim four billion frames: after this long, ms, we know enough. */
const PATIENCE = 10_000

/** What is inside a file, and its frame table; null where it does not say, or is damaged. Never throws. */
export function look(file: Blob, type: string): Promise<{ media: Media; table: FrameTable } | null> {
  return new Promise(resolve => {
    const worker = new Worker(new URL('./look-worker.ts', import.meta.url), { type: 'module' })
    const end = (found: { media: Media; table: FrameTable } | null) => {
      clearTimeout(timer)
      worker.terminate()
      resolve(found)
    }
    const timer = setTimeout(end, PATIENCE, null)
    worker.onmessage = ({ data }) => end(data)
    worker.onerror = () => end(null)
    worker.postMessage({ file, type })
  })
}
