import type { SeenInside } from '../../modules/media/contract.ts'

/** A header may claim four billion frames: after this long, ms, we know enough. */
const PATIENCE = 10_000

/** What is inside a file, and its frame table; null where it does not say, or is damaged. Never throws. */
export function look(file: Blob, type: string): Promise<SeenInside | null> {
  return new Promise(resolve => {
    const worker = new Worker(new URL('./look-worker.ts', import.meta.url), { type: 'module' })
    const end = (found: SeenInside | null) => {
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
