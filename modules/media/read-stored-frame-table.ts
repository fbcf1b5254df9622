import type { FrameTable } from './frames.ts'
import { frameTableKey } from './object-keys.ts'
import type { ObjectStore } from './object-store.ts'

/** The maximum number of bytes that are read. Every frame table is smaller. */
const MAX_TABLE_BYTES = 4_000_000

/** The stored frame table of a video; null if there is none. @throws ObjectStoreUnavailableError */
export async function readStoredFrameTable(objects: Pick<ObjectStore, 'read'>, folder: string, video: string): Promise<FrameTable | null> {
  const bytes = await objects.read(frameTableKey(folder, video), 0, MAX_TABLE_BYTES)
  return bytes && JSON.parse(Buffer.from(bytes).toString())
}
