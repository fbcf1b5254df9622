import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { type BucketConfig, objectStore } from '../../../modules/media/object-store.ts'
import { startS3 } from '../../../src/embedded/start-s3.ts'

/** Starts an S3 server with an empty bucket. `stop` deletes its data. */
export async function startTemporaryObjectStore() {
  const dataDir = await mkdtemp(join(tmpdir(), 'diamondlink-s3-'))
  const server = await startS3({ dataDir, log: pino({ level: 'silent' }), origin: 'http://127.0.0.1:4321' })
  const store = objectStore(server.config as BucketConfig)
  return {
    store,
    stop: async () => {
      store.close()
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export const putToSignedUrl = (url: string, body: Uint8Array, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'PUT', body: body as Uint8Array<ArrayBuffer>, headers })

export async function collectItems<T>(of: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of of) items.push(item)
  return items
}
