/** Installing npm packages: what runs the product, what tests it, and what only a benchmark or a mutation run needs. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withCheckoutLock } from './checkout-lock.mjs'
import { exitWithError, packageBin, printStep, root, run } from './run-program.mjs'

const readPackages = (directory, file) => JSON.parse(readFileSync(join(directory, file), 'utf8')).packages

/** Whether the packages that `package-lock.json` names are installed in those versions. */
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

/** Says which patches the packages have. */
const patchStamp = join(root, 'node_modules/.patches')
const hashPatches = () => {
  const hash = createHash('sha256')
  for (const name of readdirSync(join(root, 'patches')).sort()) hash.update(name).update(readFileSync(join(root, 'patches', name)))
  return hash.digest('hex')
}
/** Whether the packages have the patches of this checkout: one may change while no version does. */
const isPatched = () => existsSync(patchStamp) && readFileSync(patchStamp, 'utf8') === hashPatches()
const markPatched = () => writeFileSync(patchStamp, hashPatches())

/** The environment with the machine's own Node first: the project's lies in the directory that npm replaces. */
const environmentForNpm = () => {
  const PATH = process.env.PATH.split(':').filter(path => !path.startsWith(join(root, 'node_modules')))
  return { ...process.env, PATH: PATH.join(':') }
}

/**
 * Installs what `package-lock.json` says, unless it is there. `npm start` leaves out development packages. Where the others are there
 * already, npm adds to them (`install`) instead of starting over (`ci`), because a server may be running from this directory.
 */
export async function installPackages({ withDev = true } = {}) {
  const isReady = () => existsSync(packageBin('node')) && isInstalled(root, { withDev })
  if (isReady() && isPatched()) return
  await withCheckoutLock(async () => {
    // patch-package leaves alone what it has patched before; over an older patch it fails, and npm brings the package anew.
    if (isReady() && (isPatched() || (await run(packageBin('patch-package'), ['--error-on-fail'], { stdio: 'ignore' })) === 0))
      return markPatched()
    const isAddition = !isReady() && withDev && existsSync(packageBin('node')) && isInstalled(root, { withDev: false })
    printStep(isAddition ? 'Installing what the tests need (once)…' : 'Installing packages (a minute or two, once)…')
    const command = isAddition ? ['install', '--no-save'] : ['ci']
    const options = [withDev ? '--include=dev' : '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error']
    const code = await run('npm', [...command, ...options], { env: environmentForNpm() })
    if (code !== 0) exitWithError(`npm ${command[0]} failed; the reason is above.`)
    if (!existsSync(packageBin('node')))
      exitWithError('npm did not run the install scripts, so Node 24 is missing. Allow them (ignore-scripts=false) and start again.')
    markPatched()
  })
}

/** Installs the packages of a directory with a `package.json` of its own, such as `tests/bench`, unless they are there. */
export async function installPackagesOf(directory) {
  const path = join(root, directory)
  if (isInstalled(path, { withDev: true })) return
  await withCheckoutLock(async () => {
    if (isInstalled(path, { withDev: true })) return
    printStep(`Installing the packages of ${directory} (once)…`)
    const code = await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: path, env: environmentForNpm() })
    if (code !== 0) exitWithError(`npm ci failed in ${directory}; the reason is above.`)
  })
}
