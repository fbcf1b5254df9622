import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { s3 } from '../../src/embedded/s3.ts'

/** An empty S3 that is gone after stop(), or with this process. `origin`: where browsers may come from. */
export async function temporaryS3(origin = 'http://127.0.0.1:4321') {
  const dataDir = await mkdtemp(join(tmpdir(), 'diamondlink-s3-'))
  const server = await s3({ dataDir, log: pino({ level: 'warn' }), origin })
  return {
    config: server.config,
    stop: async () => {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
