/** A process that only listens to the database DATABASE_URL as a server does, on a channel without notifications. */
import { createPostgresPool } from '../../../src/server/postgres-pool.ts'

await createPostgresPool(process.env.DATABASE_URL!, { max: 1 }).listen('nothing', () => {})
console.log(JSON.stringify({ port: 0 }))
process.on('SIGTERM', () => process.exit(0))
