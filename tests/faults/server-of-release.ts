import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '../../src/embedded/find-free-port.ts'

export interface ReleaseServer {
  /** For error messages: `release N+1, server 2`. */
  name: string
  url: string
  stop(signal?: NodeJS.Signals): Promise<void>
}

/** No provider is reachable, and nothing that the test waits for needs one. */
const unreachableProviders = {
  S3_ENDPOINT: 'http://127.0.0.1:9',
  S3_BUCKET: 'bucket',
  S3_ACCESS_KEY_ID: 'key',
  S3_SECRET_ACCESS_KEY: 'secret',
  STRIPE_SECRET_KEY: 'sk_test_x',
  STRIPE_WEBHOOK_SECRET: 'whsec_x',
  RESEND_API_KEY: 're_x',
  MEDIA_WORKERS: '0',
}

const running = new Set<ReleaseServer>()
export const killRunningServers = () => Promise.all([...running].map(server => server.stop('SIGKILL')))

/** Starts a server of the release in the directory `cwd`. Resolves once it responds. @throws Error with its output if it exits instead */
export async function startReleaseServer(name: string, cwd: string, databaseUrl: string): Promise<ReleaseServer> {
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const child: ChildProcess = spawn(process.execPath, ['--import', 'tsx', 'src/server/main.ts'], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      DEMO: 'off',
      LOG_LEVEL: 'warn',
      RATE_LIMIT_SCALE: '10000',
      ...unreachableProviders,
    },
  })
  let output = ''
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', data => {
      output += data
    })
  const ended = once(child, 'exit')
  const server = {
    name,
    url,
    stop: async (signal: NodeJS.Signals = 'SIGTERM') => {
      running.delete(server)
      child.kill(signal)
      await ended
    },
  }
  running.add(server)
  const isUp = () =>
    fetch(`${url}/api/health`).then(
      answer => answer.ok,
      () => false,
    )
  while (!(await isUp())) {
    if (child.exitCode !== null) throw new Error(`The server ended instead of starting:\n${output}`)
    await sleep(50)
  }
  return server
}
