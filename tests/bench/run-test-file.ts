import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** Runs one test file with these environment variables. @returns how many of its tests passed and failed */
export async function runTestFile(file: string, env: Record<string, string>): Promise<{ passed: number; failed: number }> {
  const root = resolve(import.meta.dirname, '../..')
  const directory = await mkdtemp(join(tmpdir(), 'diamondlink-test-run-'))
  const report = join(directory, 'report.json')
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const child = spawn(process.execPath, [vitest, 'run', file, '--reporter=default', '--reporter=json', `--outputFile=${report}`], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  })
  const [code] = await once(child, 'exit')
  const { numPassedTests, numFailedTests } = JSON.parse(await readFile(report, 'utf8'))
  await rm(directory, { recursive: true })
  return { passed: numPassedTests, failed: Math.max(numFailedTests, code ? 1 : 0) }
}
