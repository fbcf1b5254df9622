/**
 * Installs npm packages in groups: those that run the product, those that test it, and those used only by a benchmark or a mutation run.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withProjectLock } from './project-lock.mjs'
import { exitWithError, packageBinPath, printStep, projectRoot, runProgramForExitCode } from './run-external-program.mjs'

const readPackages = (directory, file) => JSON.parse(readFileSync(join(directory, file), 'utf8')).packages

/** Whether the packages in `package-lock.json` are installed in exactly those versions. Optional and peer packages may be missing. */
function isInstalled(directory, { withDev }) {
  try {
    const installed = readPackages(directory, 'node_modules/.package-lock.json')
    return Object.entries(readPackages(directory, 'package-lock.json')).every(([path, locked]) => {
      if (path === '' || (locked.dev && !withDev)) return true
      return installed[path] ? installed[path].version === locked.version : locked.optional || locked.devOptional || locked.peer
    })
  } catch {
    return false
  }
}

/** A file that records which patches have been applied to the packages. */
const patchStamp = join(projectRoot, 'node_modules/.patches')
const hashPatches = () => {
  const hash = createHash('sha256')
  for (const name of readdirSync(join(projectRoot, 'patches')).sort())
    hash.update(name).update(readFileSync(join(projectRoot, 'patches', name)))
  return hash.digest('hex')
}
/** Whether this checkout's patches have been applied. A patch can change even if no package version does. */
const isPatched = () => existsSync(patchStamp) && readFileSync(patchStamp, 'utf8') === hashPatches()
const markPatched = () => writeFileSync(patchStamp, hashPatches())

/** The environment with the machine's own Node on the PATH: the project's Node is in the directory that npm replaces. */
const environmentForNpm = () => {
  const PATH = process.env.PATH.split(':').filter(path => !path.startsWith(join(projectRoot, 'node_modules')))
  return { ...process.env, PATH: PATH.join(':') }
}

/**
 * Installs the packages in `package-lock.json`, unless they are already installed. `npm start` omits development packages. If only those
 * are missing, npm adds them (`install`) instead of starting over (`ci`), because a server may be running from this directory.
 */
export async function installNpmPackages({ withDev = true } = {}) {
  const isReady = () => existsSync(packageBinPath('node')) && isInstalled(projectRoot, { withDev })
  if (isReady() && isPatched()) return
  await withProjectLock(async () => {
    // patch-package skips packages that it has already patched. Over an older patch it fails, and then `npm ci` reinstalls all packages.
    if (
      isReady() &&
      (isPatched() || (await runProgramForExitCode(packageBinPath('patch-package'), ['--error-on-fail'], { stdio: 'ignore' })) === 0)
    )
      return markPatched()
    const isAddition = !isReady() && withDev && existsSync(packageBinPath('node')) && isInstalled(projectRoot, { withDev: false })
    printStep(isAddition ? 'Installing what the tests need (once)…' : 'Installing packages (a minute or two, once)…')
    const command = isAddition ? ['install', '--no-save'] : ['ci']
    const options = [withDev ? '--include=dev' : '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error']
    const code = await runProgramForExitCode('npm', [...command, ...options], { env: environmentForNpm() })
    if (code !== 0) exitWithError(`npm ${command[0]} failed; the reason is above.`)
    if (!existsSync(packageBinPath('node')))
      exitWithError('npm did not run the install scripts, so Node 24 is missing. Allow them (ignore-scripts=false) and start again.')
    markPatched()
  })
}

/** Installs the packages of a directory with its own `package.json`, such as `tests/bench`, unless they are already installed. */
export async function installNpmPackagesIn(directory) {
  const path = join(projectRoot, directory)
  if (isInstalled(path, { withDev: true })) return
  await withProjectLock(async () => {
    if (isInstalled(path, { withDev: true })) return
    printStep(`Installing the packages of ${directory} (once)…`)
    const code = await runProgramForExitCode('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: path,
      env: environmentForNpm(),
    })
    if (code !== 0) exitWithError(`npm ci failed in ${directory}; the reason is above.`)
  })
}
