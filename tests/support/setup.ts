import { temporaryPostgres } from './postgres.ts'

/** One Postgres for the whole run, unless TEST_DATABASE_URL names one (whose user may create databases). */
export default async function setup() {
  if (process.env.TEST_DATABASE_URL) return
  const server = await temporaryPostgres()
  process.env.TEST_DATABASE_URL = server.url
  return server.stop
}
