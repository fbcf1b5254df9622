/** Builds the pages with Astro, but only if one of their sources has changed. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { withProjectLock } from './project-lock.mjs'
import { exitWithError, packageBinPath, printStep, programEnv, projectRoot, runProgramForExitCode } from './run-external-program.mjs'

const BUILD_INPUTS = ['src', 'modules', 'public', 'astro.config.mjs', 'package-lock.json', 'tsconfig.json']
/** Sources used only by the server, so a change to them does not affect the pages. */
const SERVER_ONLY = /^src\/(embedded|api)\//

function* listFiles(path) {
  const full = join(projectRoot, path)
  if (!existsSync(full)) return
  if (!statSync(full).isDirectory()) return yield path
  for (const name of readdirSync(full).sort()) yield* listFiles(`${path}/${name}`)
}

/** A hash of everything that the built pages depend on, including ORIGIN, because canonical links contain it. */
function hashInputs() {
  const hash = createHash('sha256').update(`${process.env.ORIGIN ?? ''}\0`)
  for (const path of BUILD_INPUTS.flatMap(input => [...listFiles(input)]).filter(path => !SERVER_ONLY.test(path)))
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(projectRoot, path)))
      .update('\0')
  return hash.digest('hex')
}

/** Builds the pages, unless the existing build was made from exactly these sources. Exits the process if the build fails. */
export async function buildPages() {
  const stamp = join(projectRoot, '.astro/built')
  const isCurrent = hash => existsSync(join(projectRoot, 'dist/server')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash
  if (isCurrent(hashInputs())) return
  await withProjectLock(async () => {
    const hash = hashInputs()
    if (isCurrent(hash)) return
    printStep('Building the pages…')
    const startedAt = Date.now()
    rmSync(stamp, { force: true })
    const code = await runProgramForExitCode(packageBinPath('astro'), ['build', '--silent'], {
      env: { ...programEnv, ASTRO_TELEMETRY_DISABLED: '1' },
    })
    if (code !== 0) exitWithError('The pages do not build; the reason is above.')
    mkdirSync(dirname(stamp), { recursive: true })
    writeFileSync(stamp, hash)
    printStep(`Built in ${((Date.now() - startedAt) / 1000).toFixed(1)} s.`)
  })
}
