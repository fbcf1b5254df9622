import { startTemporaryPostgres } from './postgres.ts'

// Starts a Postgres, prints its URL, and runs until its input closes; it saves time for anybody who runs the tests repeatedly.
const server = await startTemporaryPostgres()
console.log(server.url)
process.stdin.resume().once('end', async () => {
  await server.stop()
  process.exit()
})
