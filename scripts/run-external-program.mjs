/** Runs programs from the project's root, with the project's own Node and tools first on the PATH. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const projectRoot = resolve(dirname(fileURLToPath(import.meta.url)), '..')
/** The path of a program from an npm package. */
export const packageBinPath = name => join(projectRoot, 'node_modules/.bin', name)
/** The environment in which scripts run programs, unless they pass another one. Scripts may add variables to it. */
export const programEnv = { ...process.env, PATH: `${join(projectRoot, 'node_modules/.bin')}:${process.env.PATH}` }

export const printStep = text => console.log(`\x1b[32m◆\x1b[0m ${text}`)
export const exitWithError = text => {
  console.error(`\x1b[31m◆\x1b[0m ${text}`)
  process.exit(1)
}

/** Runs a program to its end and passes its output through. Resolves to its exit code: 128 + n for signal n, 127 if it did not start. */
export function runProgramForExitCode(command, args = [], options = {}) {
  return new Promise(resolve => {
    const child = spawn(command, args, { cwd: projectRoot, env: programEnv, stdio: 'inherit', ...options })
    child.once('error', error => {
      console.error(`${command}: ${error.message}`)
      resolve(127)
    })
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]))
  })
}

export const hasProgram = name => programEnv.PATH.split(delimiter).some(dir => existsSync(join(dir, name)))
