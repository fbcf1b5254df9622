/** What a machine needs before anything of ours runs: the packages, and the built pages. Plain Node 20, nothing installed. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
export const bin = name => join(root, 'node_modules/.bin', name)
/** The project's own Node and tools come first. */
export const env = { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` }

export const say = text => console.log(`\x1b[32m◆\x1b[0m ${text}`)
export const fail = text => {
  console.error(`\x1b[31m◆\x1b[0m ${text}`)
  process.exit(1)
}

/** Runs a command with its output in ours. Answers with its exit code, 128 + n when a signal ended it. */
export function run(command, args = [], options = {}) {
  return new Promise(done => {
    const child = spawn(command, args, { cwd: root, env, stdio: 'inherit', ...options })
    child.once('error', error => {
      console.error(`${command}: ${error.message}`)
      done(127)
    })
    child.once('exit', (code, signal) => done(code ?? 128 + (signal === 'SIGINT' ? 2 : 15)))
  })
}

/** Whether a program is on the path. */
export const has = name => env.PATH.split(delimiter).some(dir => existsSync(join(dir, name)))

/** Installs packages of Debian's, if this is one and we may. */
export async function apt(...names) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  say(`Getting ${names.join(', ')}…`)
  const get = (...args) =>
    run('apt-get', ['-qq', '-o', 'Acquire::http::Timeout=20', '-o', 'Acquire::Retries=0', ...args], {
      env: { ...env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: 'ignore',
    })
  const wanted = ['install', '-y', '--no-install-recommends', ...names]
  if ((await get(...wanted)) !== 0 && (await get('update')) === 0) await get(...wanted)
}

/** Two starts at once on one checkout must not install or build over each other. */
async function alone(work) {
  const file = join(tmpdir(), `diamondlink-${createHash('sha256').update(root).digest('hex').slice(0, 16)}.lock`)
  for (let told = false; ; await sleep(200)) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' })
      break
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    if (!held(file)) rmSync(file, { force: true })
    else if (!told) {
      say('Another start is installing or building; waiting for it…')
      told = true
    }
  }
  try {
    return await work()
  } finally {
    rmSync(file, { force: true })
  }
}

function held(file) {
  try {
    const pid = Number(readFileSync(file, 'utf8'))
    if (Date.now() - statSync(file).mtimeMs > 15 * 60_000) return false
    if (!pid) return true
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** The packages that the lock file names are there, in those versions. */
function installed() {
  const read = file => JSON.parse(readFileSync(join(root, file), 'utf8')).packages
  if (!existsSync(bin('node'))) return false
  try {
    const there = read('node_modules/.package-lock.json')
    return Object.entries(read('package-lock.json')).every(
      ([path, wanted]) => path === '' || (there[path] ? there[path].version === wanted.version : wanted.optional || wanted.peer),
    )
  } catch {
    return false
  }
}

/** Installs what package-lock.json says, unless it is there. */
export async function install() {
  if (installed()) return
  await alone(async () => {
    if (installed()) return
    say('Installing packages (a minute or two, once)…')
    // By the machine's own Node: ours lies in what is being replaced.
    const PATH = process.env.PATH.split(':').filter(p => !p.startsWith(join(root, 'node_modules')))
    const quiet = ['--include=dev', '--no-audit', '--no-fund', '--loglevel=error']
    const code = await run('npm', ['ci', ...quiet], { env: { ...process.env, PATH: PATH.join(':') } })
    if (code !== 0) fail('npm ci failed; what went wrong is above.')
    if (!existsSync(bin('node')))
      fail('npm did not run the install scripts, so Node 24 is missing. Allow them (ignore-scripts=false) and start again.')
  })
}

const inputs = ['src', 'modules', 'public', 'astro.config.mjs', 'package-lock.json', 'tsconfig.json']
// What only the server reads; the pages are the same without it.
const serverOnly = /^src\/(embedded|api)\//

function* files(path) {
  const full = join(root, path)
  if (!existsSync(full)) return
  if (!statSync(full).isDirectory()) return yield path
  for (const name of readdirSync(full).sort()) yield* files(`${path}/${name}`)
}

function fingerprint() {
  // Links to the site itself are in the pages.
  const sum = createHash('sha256').update(`${process.env.ORIGIN ?? ''}\0`)
  for (const path of inputs.flatMap(i => [...files(i)]).filter(p => !serverOnly.test(p)))
    sum
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0')
  return sum.digest('hex')
}

/** Builds the pages, unless they were built from these very sources. */
export async function build() {
  const stamp = join(root, '.astro/built')
  const fresh = now => existsSync(join(root, 'dist/server')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === now
  if (fresh(fingerprint())) return
  await alone(async () => {
    const now = fingerprint()
    if (fresh(now)) return
    say('Building the pages…')
    const began = Date.now()
    rmSync(stamp, { force: true })
    const code = await run(bin('astro'), ['build', '--silent'], { env: { ...env, ASTRO_TELEMETRY_DISABLED: '1' } })
    if (code !== 0) fail('The pages do not build; what is wrong is above.')
    mkdirSync(dirname(stamp), { recursive: true })
    writeFileSync(stamp, now)
    say(`Built in ${((Date.now() - began) / 1000).toFixed(1)} s.`)
  })
}
