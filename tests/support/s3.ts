import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import pino from 'pino'
import type { S3Config } from '../../src/config.ts'
import { startS3 } from '../../src/embedded/start-s3.ts'

/** Starts an empty S3 that runs until stop() or until this process exits. `origin`: the origin that CORS allows. */
export async function startTemporaryS3(origin = 'http://127.0.0.1:4321') {
  const dataDir = await mkdtemp(join(tmpdir(), 'diamondlink-s3-'))
  const server = await startS3({ dataDir, log: pino({ level: 'warn' }), origin })
  return {
    config: server.config,
    stop: async () => {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Creates an empty bucket in the run's S3. It allows no browser access. */
export async function createTestBucket(): Promise<S3Config> {
  const config: S3Config = JSON.parse(process.env.TEST_S3!)
  const name = `test-${randomUUID()}`
  const client = new S3Client({ endpoint: config.endpoint!, region: config.region, forcePathStyle: true, credentials: config })
  await client.send(new CreateBucketCommand({ Bucket: name }))
  client.destroy()
  return { ...config, bucket: name }
}
