import { temporaryPostgres } from './postgres.ts'

// Brings a Postgres, says where it is, and keeps it until its input ends: for whoever runs the tests many times.
const server = await temporaryPostgres()
console.log(server.url)
process.stdin.resume().once('end', async () => {
  await server.stop()
  process.exit()
})
