/** `npm start`: installs and builds what is missing or stale, then runs the server. `--dev`: it restarts, and pages reload, on change. */
import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { constants } from 'node:os'
import { bin, build, env, install, root, say } from './ground.mjs'

const [dev, args] = [process.argv.includes('--dev'), process.argv.slice(2).filter(a => a !== '--dev')]
await install()

// A young generation that a server of small requests does not outgrow; and what a password hash takes goes back to the system at once.
const server = ['--max-semi-space-size=8', '--import', 'tsx', 'src/server/main.ts', ...args]
env.MALLOC_MMAP_THRESHOLD_ ??= '1048576'
if (dev) {
  const host = process.env.HOST || '127.0.0.1'
  const port = process.env.PORT || '4321'
  const ORIGIN = process.env.ORIGIN || `http://${host === '0.0.0.0' ? 'localhost' : host}:${port}`
  const API = String(await freeAbove(Number(port)))
  const watched = ['src/server', 'src/embedded', 'src/api', 'modules', 'projections'].map(path => `--watch-path=${path}`)
  say(`Pages and API on ${ORIGIN}; both follow what you change.`)
  together([
    [bin('node'), ['--watch', '--watch-preserve-output', ...watched, ...server], { ...env, HOST: '127.0.0.1', PORT: API, ORIGIN }],
    [bin('node'), ['scripts/pages.mjs'], { ...env, HOST: host, PORT: port, ORIGIN, API: `http://127.0.0.1:${API}` }],
  ])
} else {
  await build()
  together([[bin('node'), server, env]])
}

/** Runs them until one ends, ends the others, and ends as the first did. */
function together(commands) {
  const children = commands.map(([command, args, env]) => spawn(command, args, { cwd: root, env, stdio: 'inherit' }))
  let code
  for (const child of children)
    child.once('exit', (status, signal) => {
      code ??= status ?? 128 + constants.signals[signal]
      for (const other of children) if (other.exitCode === null && other.signalCode === null) other.kill('SIGTERM')
      if (children.every(c => c.exitCode !== null || c.signalCode !== null)) process.exit(code)
    })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      // Ctrl-C in a terminal has reached the children too.
      if (signal === 'SIGINT' && process.stdin.isTTY) return
      for (const child of children) child.kill(signal)
    })
}

/** The next port above `port` that nobody listens on. */
async function freeAbove(port) {
  const free = candidate =>
    new Promise(done => {
      const probe = createServer().once('error', () => done(false))
      probe.listen(candidate, '127.0.0.1', () => probe.close(() => done(true)))
    })
  do port++
  while (!(await free(port)))
  return port
}
