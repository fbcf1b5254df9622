import { globSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import usual from '../../vitest.config.ts'
import { plantDefects } from './instrument-plugin.ts'

const root = join(import.meta.dirname, '../..')

// `include` rather than Stryker's `testFiles`: with those it plants what runs at the load of a module too late to be noticed.
const near = (process.env.MUTATE_TESTS ?? '').split(' ').flatMap(pattern => globSync(pattern, { cwd: root }))
const all = 'tests/{api,kernel,jobs,readers,modules,projections,stripe}/**/*.test.{ts,tsx}'

// Which files share a process is for the whole suite.
const { projects: _, ...test } = usual.test!

// Defects in a server that its tests start once: see tests/mutation/in-process-runner.ts.
const { MUTATE_STARTED: started, MUTATE_REPORT: report } = process.env
/** In the order in which they are named: the quick ones leave less to the others. */
class AsNamed extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const place = ({ moduleId }: TestSpecification) => near.findIndex(path => moduleId.endsWith(`/${path}`))
    return files.toSorted((a, b) => place(a) - place(b))
  }
}
const once = {
  ...{ maxWorkers: 1, fileParallelism: false, runner: './tests/mutation/in-process-runner.ts' },
  sequence: { sequencer: AsNamed },
  // A defect may cause an unhandled rejection.
  dangerouslyIgnoreUnhandledErrors: true,
}

/** What `npm run mutate` asks: none of the tests that start whole servers, or wait for the death of something. */
export default defineConfig({
  root,
  plugins: started ? [plantDefects(root, started, report!)] : [],
  test: { ...test, include: near.length ? near : [all], exclude: ['**/killed-s*.test.ts'], reporters: ['dot'], ...(started && once) },
})
