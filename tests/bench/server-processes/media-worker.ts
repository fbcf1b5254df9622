/** A process that only prepares videos and may be killed at any time. DATABASE_URL and S3 hold the stores' configuration, S3 as JSON. */

import { mediaWorker } from '../../../modules/media/media-worker.ts'
import { objectStore } from '../../../modules/media/object-store.ts'
import { createPostgresPool } from '../../../src/server/postgres-pool.ts'

const log = { info: () => {}, warn: () => {}, error: () => {} }
const worker = mediaWorker({
  sql: createPostgresPool(process.env.DATABASE_URL!),
  objects: objectStore(JSON.parse(process.env.S3!)),
  log,
  atOnce: 1,
  shortBeside: 1,
  lease: 2000,
})
await worker.start(new AbortController().signal)
