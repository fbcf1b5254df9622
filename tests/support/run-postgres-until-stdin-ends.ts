import { startTemporaryPostgres } from './postgres.ts'

// Starts a Postgres, prints its URL, and runs until its input closes. `npm run mutate` shares one such Postgres among its test processes.
const server = await startTemporaryPostgres()
console.log(server.url)
process.stdin.resume().once('end', async () => {
  await server.stop()
  process.exit()
})
