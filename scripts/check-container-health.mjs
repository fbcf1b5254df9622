/**
 * The health check of the image. A server is healthy if it responds. A worker (`--work`) serves no requests, so it is healthy as long as it
 * runs. Takes the path of the container's command line; by default, that of its first process.
 */
import { readFileSync } from 'node:fs'

// The first process may also be a shell or an init process, whose own command line ends with that of the worker.
const command = readFileSync(process.argv[2] ?? '/proc/1/cmdline', 'utf8').split(/[\0\s]/)
if (!command.includes('--work')) {
  const { ok } = await fetch(`http://127.0.0.1:${process.env.PORT}/api/health`).catch(() => ({ ok: false }))
  process.exit(ok ? 0 : 1)
}
