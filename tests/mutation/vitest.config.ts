import { globSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import usual from '../../vitest.config.ts'
import { instrumentationPlugin } from './instrumentation-plugin.ts'

const root = join(import.meta.dirname, '../..')

// This sets `include` instead of Stryker's `testFiles`, because with `testFiles` Stryker activates a mutant after the modules have loaded,
// too late for code that runs on load.
const selectedTests = (process.env.MUTATE_TESTS ?? '').split(' ').flatMap(pattern => globSync(pattern, { cwd: root }))
const all = 'tests/{api,kernel,jobs,readers,modules,projections,stripe}/**/*.test.{ts,tsx}'

// Leave out `projects`: it decides which files share a process, which matters only when the whole suite runs.
const { projects: _, ...test } = usual.test!

// If MUTATE_STARTED names the file with the mutants, one process tries all of them, and what a test file started, such as a server, keeps
// running; see tests/mutation/in-process-runner.ts.
const { MUTATE_STARTED: started, MUTATE_REPORT: report } = process.env
/** Runs the test files in the order of MUTATE_TESTS: name fast ones first, so that slow ones have fewer mutants left to check. */
class InGivenOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const place = ({ moduleId }: TestSpecification) => selectedTests.findIndex(path => moduleId.endsWith(`/${path}`))
    return files.toSorted((a, b) => place(a) - place(b))
  }
}
const once = {
  maxWorkers: 1,
  fileParallelism: false,
  runner: './tests/mutation/in-process-runner.ts',
  sequence: { sequencer: InGivenOrder },
  // A mutant may cause an unhandled rejection.
  dangerouslyIgnoreUnhandledErrors: true,
}

/** The tests of `npm run mutate`: those that MUTATE_TESTS selects, otherwise those of `all`; never the `killed-s*` tests. */
export default defineConfig({
  root,
  plugins: started ? [instrumentationPlugin(root, started, report!)] : [],
  test: {
    ...test,
    include: selectedTests.length ? selectedTests : [all],
    exclude: ['**/killed-s*.test.ts'],
    reporters: ['dot'],
    ...(started && once),
  },
})
