import { startTemporaryPostgres } from './postgres.ts'
import { startTemporaryS3 } from './s3.ts'

/**
 * Starts one Postgres and one S3 for the whole run. If TEST_DATABASE_URL is set, the tests use that Postgres instead; its user must be able
 * to create databases.
 */
export default async function setup() {
  const s3 = await startTemporaryS3()
  process.env.TEST_S3 = JSON.stringify(s3.config)
  if (process.env.TEST_DATABASE_URL) return s3.stop
  const server = await startTemporaryPostgres()
  process.env.TEST_DATABASE_URL = server.url
  return () => Promise.all([server.stop(), s3.stop()])
}
