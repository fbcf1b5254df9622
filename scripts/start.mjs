/**
 * `npm start`: installs and builds what is missing or outdated, then runs the server. With `--dev`, serves the pages without building them,
 * and restarts the server or reloads pages when their code changes.
 */
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { constants } from 'node:os'
import { join } from 'node:path'
import { buildPages } from './build-pages.mjs'
import { installNpmPackages } from './install-npm-packages.mjs'
import { packageBinPath, printStep, programEnv, projectRoot } from './run-external-program.mjs'

const isDev = process.argv.includes('--dev')
const args = process.argv.slice(2).filter(arg => arg !== '--dev')
// The first start installs only runtime packages. `npm run dev` needs no others either, because it does not type-check.
await installNpmPackages({ withDev: false })

// With a larger young generation, a server that handles many small requests collects garbage less often. The malloc threshold makes glibc
// return the memory of a password hash to the system immediately.
const server = ['--max-semi-space-size=8', '--import', 'tsx', 'src/server/main.ts', ...args]
programEnv.MALLOC_MMAP_THRESHOLD_ ??= '1048576'
// React's production build renders a letter in half the time of its development build.
const productionEnv = { ...programEnv, NODE_ENV: process.env.NODE_ENV ?? 'production' }
if (isDev) {
  const host = process.env.HOST || '127.0.0.1'
  const port = process.env.PORT || '4321'
  const ORIGIN = process.env.ORIGIN || `http://${host === '0.0.0.0' ? 'localhost' : host}:${port}`
  const API = String(await findFreePortAbove(Number(port)))
  const serverFiles = readdirSync(join(projectRoot, 'src'))
    .filter(name => name.endsWith('.ts'))
    .map(name => `src/${name}`)
  const watchedPaths = [...serverFiles, 'src/server', 'src/embedded', 'src/api', 'src/demo', 'migrations', 'modules', 'projections']
  printStep(`Pages and API on ${ORIGIN}; both follow what you change.`)
  runTogether([
    [
      packageBinPath('node'),
      ['--watch', '--watch-preserve-output', ...watchedPaths.map(path => `--watch-path=${path}`), ...server],
      { ...programEnv, HOST: '127.0.0.1', PORT: API, ORIGIN },
    ],
    [packageBinPath('node'), ['scripts/dev-pages.mjs'], { ...programEnv, HOST: host, PORT: port, ORIGIN, API: `http://127.0.0.1:${API}` }],
  ])
} else {
  await buildPages()
  runTogether([[packageBinPath('node'), server, productionEnv]])
}

/** Runs the commands until one of them exits, stops the others, and exits with the code of the first. */
function runTogether(commands) {
  const children = commands.map(([command, args, env]) => spawn(command, args, { cwd: projectRoot, env, stdio: 'inherit' }))
  let code
  for (const child of children)
    child.once('exit', (status, signal) => {
      code ??= status ?? 128 + constants.signals[signal]
      for (const other of children) if (other.exitCode === null && other.signalCode === null) other.kill('SIGTERM')
      if (children.every(c => c.exitCode !== null || c.signalCode !== null)) process.exit(code)
    })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      // The terminal sends Ctrl-C to the children, too.
      if (signal === 'SIGINT' && process.stdin.isTTY) return
      for (const child of children) child.kill(signal)
    })
}

async function findFreePortAbove(port) {
  const isFree = candidate =>
    new Promise(done => {
      const probe = createServer().once('error', () => done(false))
      probe.listen(candidate, '127.0.0.1', () => probe.close(() => done(true)))
    })
  do port++
  while (!(await isFree(port)))
  return port
}
