import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installDebianPackages } from '../../scripts/install-debian-packages-as-root.mjs'
import { hasProgram } from '../../scripts/run-external-program.mjs'
import { findFreePort } from '../../src/embedded/find-free-port.ts'

/** Whether PgBouncer is on the PATH, after an attempt to install it. */
export async function installPgbouncerIfMissing(): Promise<boolean> {
  if (!hasProgram('pgbouncer')) await installDebianPackages('pgbouncer')
  return hasProgram('pgbouncer')
}

/**
 * Starts PgBouncer in transaction mode in front of a database, with so few connections that the server's sessions have to share them.
 * @param databaseUrl the URL of the database itself, including a user
 */
export async function startPgbouncer(databaseUrl: string, { connections = 3 } = {}) {
  const { hostname, port, pathname, username, password } = new URL(databaseUrl)
  const database = pathname.slice(1)
  const directory = await mkdtemp(join(tmpdir(), 'diamondlink-pgbouncer-'))
  // PgBouncer refuses to run as root. If root starts it, it switches to `nobody`, who has to be able to read this directory.
  await chmod(directory, 0o755)
  const listenPort = await findFreePort()
  const isRoot = process.getuid?.() === 0
  const settings = [
    '[databases]',
    `${database} = host=${hostname} port=${port} dbname=${database} user=${username}${password && ` password=${decodeURIComponent(password)}`}`,
    '[pgbouncer]',
    ...['listen_addr = 127.0.0.1', `listen_port = ${listenPort}`, 'unix_socket_dir =', 'auth_type = any', 'pool_mode = transaction'],
    `default_pool_size = ${connections}`,
    ...(isRoot ? ['user = nobody'] : []),
  ]
  const file = join(directory, 'pgbouncer.ini')
  await writeFile(file, `${settings.join('\n')}\n`, { mode: 0o644 })
  const child = spawn('pgbouncer', [file], { stdio: ['ignore', 'ignore', 'pipe'] })
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  let output = ''
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`PgBouncer did not start:\n${output}`)))
    child.stderr.on('data', data => {
      output += data
      if (/process up/.test(output)) resolve()
    })
  })
  return {
    url: `postgres://anyone@127.0.0.1:${listenPort}/${database}`,
    /** Everything that PgBouncer has logged. */
    output: () => output,
    async stop() {
      process.off('exit', end)
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
      await rm(directory, { recursive: true })
    },
  }
}
