import { existsSync } from 'node:fs'
import { printStep, programEnv, runProgramForExitCode } from './run-external-program.mjs'

/** Installs Debian packages if this is Debian and we are root; otherwise does nothing. Reports no failure: the caller has to check. */
export async function installDebianPackages(...names) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  printStep(`Installing ${names.join(', ')}…`)
  const aptGet = (...args) =>
    runProgramForExitCode('apt-get', ['-qq', '-o', 'Acquire::http::Timeout=20', '-o', 'Acquire::Retries=0', ...args], {
      env: { ...programEnv, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: 'ignore',
    })
  const install = ['install', '-y', '--no-install-recommends', ...names]
  if ((await aptGet(...install)) !== 0 && (await aptGet('update')) === 0) await aptGet(...install)
}
