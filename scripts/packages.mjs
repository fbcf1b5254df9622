/** Installing npm packages: what runs the product, what tests it, and what only a benchmark or a mutation run needs. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { withCheckoutLock } from './checkout-lock.mjs'
import { exitWithError, packageBin, printStep, root, run } from './processes.mjs'

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
  if (isReady()) return
  await withCheckoutLock(async () => {
    if (isReady()) return
    const isAddition = withDev && existsSync(packageBin('node')) && isInstalled(root, { withDev: false })
    printStep(isAddition ? 'Installing what the tests need (once)…' : 'Installing packages (a minute or two, once)…')
    const command = isAddition ? ['install', '--no-save'] : ['ci']
    const options = [withDev ? '--include=dev' : '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error']
    const code = await run('npm', [...command, ...options], { env: environmentForNpm() })
    if (code !== 0) exitWithError(`npm ${command[0]} failed; the reason is above.`)
    if (!existsSync(packageBin('node')))
      exitWithError('npm did not run the install scripts, so Node 24 is missing. Allow them (ignore-scripts=false) and start again.')
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
