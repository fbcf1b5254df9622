import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ConfigWithAllServices } from '../../src/config.ts'
import { findFreePort } from '../../src/embedded/find-free-port.ts'

const root = resolve(import.meta.dirname, '../..')

/** A complete DiamondLink instance in a separate process, with embedded services in a separate directory. */
export interface AppProcess {
  /** The base URL, without a trailing slash. */
  url: string
  dataDir: string
  /** The effective configuration, including embedded services, for direct access in tests. */
  config: ConfigWithAllServices
  pages: { mailbox: string; stripe: string }
  pid: number
  /** Everything that the instance has printed since it was last started. */
  output(): string
  /** Sends a signal and waits until the process has exited; its data is kept. */
  kill(signal: NodeJS.Signals): Promise<void>
  /** Starts it again with the same data and port. */
  restart(): Promise<void>
  /** Stops it for good, and deletes its data unless `startApp` got a `dataDir`. */
  stop(): Promise<void>
  /** Letters sent to an address, newest first. */
  letters(to: string): Promise<{ id: string; subject: string; html?: string; text?: string }[]>
}

const running = new Map<string, AppProcess>()
/** Returns the instance that this process has started at this origin; it must exist. */
export const startedAppByOrigin = (origin: string): AppProcess => running.get(origin)!

/**
 * Starts an instance and waits until it is ready. `env` overrides the defaults, such as no demo data, log level warn, and rate limits
 * wide enough for many people at one IP address. `with` lists modules that Node preloads.
 * @throws Error if the pages are not built; Error with the instance's output if the instance exits instead
 */
export async function startApp(options: { env?: Record<string, string>; dataDir?: string; with?: string[] } = {}): Promise<AppProcess> {
  if (!existsSync(join(root, 'dist'))) throw new Error('The pages are not built. Run: npm run build')
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'diamondlink-app-')))
  let port = await findFreePort()
  let child: ChildProcess
  let output = ''
  let embeddedServices: Pick<AppProcess, 'config' | 'pages'>

  const start = async () => {
    output = ''
    const { NODE_ENV: _, VITEST: __, ...outer } = process.env
    // Like `npm start`, preload tsx.
    const loaded = ['tsx', ...(options.with ?? [])].flatMap(file => ['--import', file])
    child = spawn(process.execPath, ['--max-semi-space-size=8', ...loaded, 'src/server/main.ts'], {
      cwd: root,
      env: {
        ...outer,
        NODE_ENV: 'production',
        DEMO: 'off',
        LOG_LEVEL: 'warn',
        MALLOC_MMAP_THRESHOLD_: '1048576',
        RATE_LIMIT_SCALE: '100',
        // Deliver immediately; the test for undoing a delivery starts its own instance.
        DELIVERY_UNDO_SECONDS: '0',
        ...options.env,
        DATA_DIR: dataDir,
        HOST: '127.0.0.1',
        PORT: String(port),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const keep = (data: Buffer) => {
      output += data
    }
    child.stdout!.on('data', keep)
    child.stderr!.on('data', keep)
    while (!(await ready())) {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`The app ended instead of starting:\n${output}`)
      await sleep(50)
    }
    embeddedServices = JSON.parse(await readFile(join(dataDir, 'embedded.json'), 'utf8'))
  }
  const ready = () =>
    fetch(`http://127.0.0.1:${port}/api/ready`).then(
      reply => reply.ok,
      () => false,
    )
  const kill = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }
  const ended = () => child.kill('SIGKILL')
  process.once('exit', ended)
  for (let tries = 1; ; tries++) {
    try {
      await start()
      break
    } catch (error) {
      // Another program took the port before ours could listen on it.
      if (tries === 3 || !`${error}`.includes(`EADDRINUSE: address already in use 127.0.0.1:${port}`)) throw error
      port = await findFreePort()
    }
  }
  const instance: AppProcess = {
    url: `http://127.0.0.1:${port}`,
    dataDir,
    get config() {
      return embeddedServices.config
    },
    get pages() {
      return embeddedServices.pages
    },
    get pid() {
      return child.pid!
    },
    output: () => output,
    kill,
    restart: start,
    stop: async () => {
      await kill('SIGTERM')
      process.off('exit', ended)
      if (!options.dataDir) await rm(dataDir, { recursive: true, force: true })
    },
    letters: async to =>
      (await fetch(`${embeddedServices.pages.mailbox}/letters.json?to=${encodeURIComponent(to)}`)).json() as ReturnType<
        AppProcess['letters']
      >,
  }
  running.set(instance.url, instance)
  return instance
}
