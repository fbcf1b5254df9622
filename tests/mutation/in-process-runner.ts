import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type RunnerTask, type RunnerTestCase, type RunnerTestSuite, TestRunner } from 'vitest'
import type { MutationReport } from './instrumentation-plugin.ts'

/**
 * The cap on a test's time limit when it runs with a mutant, in ms. The limit is 3 s plus five times the test's normal time; a test that
 * exceeds it counts as failed.
 */
const MAX_TEST_MS = 20_000
const timeLimitFor = ({ milliseconds }: TimedTest) => Math.min(MAX_TEST_MS, 3000 + 5 * milliseconds)
/** How often a test may execute a mutant before it counts as an endless loop. */
const MAX_MUTANT_EXECUTIONS = 100_000

interface TimedTest {
  test: RunnerTestCase
  milliseconds: number
  /** Ids of the mutants that the test executes. */
  executedMutants: string[]
}
interface ReachedMutant {
  mutant: MutationReport['files'][string]['mutants'][number]
  testsOfMutant: TimedTest[]
}
/** The state that the instrumented file reads: the active mutant, and a record of the mutants that a test executes. */
const instrumentation = { hitLimit: MAX_MUTANT_EXECUTIONS, mutantCoverage: { static: {}, perTest: {} } } as {
  activeMutant?: string
  hitCount?: number
  hitLimit: number
  currentTestId?: string
  mutantCoverage: { static: Record<string, number>; perTest: Record<string, Record<string, number>> }
}
;(globalThis as unknown as { __stryker__: typeof instrumentation }).__stryker__ = instrumentation

const report = process.env.MUTATE_REPORT!
const restartsForEachMutant = process.env.MUTATE_RESTART === 'true'
const testsIn = (task: RunnerTask): number =>
  task.type === 'suite' ? task.tasks.reduce((sum, t) => sum + testsIn(t), 0) : task.mode === 'run' ? 1 : 0

/**
 * Runs the tests of a file as usual. During the last one, while everything that the file started is still running, it activates the
 * mutants one by one and repeats the tests that execute them. A failure counts only if the test passes without the mutant right afterwards.
 * With MUTATE_RESTART, it repeats `beforeAll` and the tests in order for each mutant, until one fails or the last one that executes the
 * mutant has passed, because some tests depend on the tests before them, or cannot be repeated on the same database.
 */
export default class extends TestRunner {
  #timedTests: TimedTest[] = []
  #tests = 0

  override async onBeforeRunSuite(suite: RunnerTestSuite) {
    await super.onBeforeRunSuite(suite)
    if (!('filepath' in suite)) return
    this.#tests = testsIn(suite)
    this.#timedTests = []
  }

  /** Runs before the `beforeEach` hooks, so that the mutants they execute count as executed by the test. */
  override onBeforeTryTask(test: RunnerTestCase) {
    super.onBeforeTryTask(test)
    instrumentation.currentTestId = test.id
  }

  async runTask(test: RunnerTestCase) {
    const from = performance.now()
    try {
      await TestRunner.getTestFn(test)()
    } finally {
      instrumentation.currentTestId = undefined
      const executedMutants = Object.keys(instrumentation.mutantCoverage.perTest[test.id] ?? {})
      this.#timedTests.push({ test, milliseconds: performance.now() - from, executedMutants })
      if (this.#timedTests.length === this.#tests) await this.#runMutants()
    }
  }

  async #runMutants() {
    // The report exists once a test file has loaded the file with the mutants; test files before that have nothing to check.
    if (!existsSync(report)) return
    const all = JSON.parse(readFileSync(report, 'utf8')) as MutationReport
    const [mutants] = Object.values(all.files).map(file => file.mutants)
    for (const mutant of mutants!)
      if (mutant.status === 'NoCoverage' && instrumentation.mutantCoverage.static[mutant.id]) mutant.status = 'Ignored'
    writeFileSync(report, JSON.stringify(all))
    const reachedMutants: ReachedMutant[] = mutants!
      .filter(mutant => mutant.status !== 'Killed')
      .map(mutant => ({
        mutant,
        testsOfMutant: this.#timedTests.filter(a => a.executedMutants.includes(mutant.id)).sort((a, b) => cost(a) - cost(b)),
      }))
      .filter(({ testsOfMutant }) => testsOfMutant.length)
      // Mutants that few tests execute come first, because a mutant that many tests execute may leave the server
      // broken for all later tests.
      .sort((a, b) => a.testsOfMutant.length - b.testsOfMutant.length)
    if (restartsForEachMutant) await this.#runMutantsWithRestarts(reachedMutants, all)
    else await this.#runMutantsWithoutRestarts(reachedMutants, all)
  }

  async #runMutantsWithRestarts(reachedMutants: ReachedMutant[], all: MutationReport) {
    const { file } = this.#timedTests[0]!.test
    await runHooks(file, 'afterAll')
    if (!(await this.#runFromBeforeAll(this.#timedTests))) throw new Error('The tests fail when they run a second time.')
    for (const { mutant, testsOfMutant } of reachedMutants) {
      const last = this.#timedTests.findLastIndex(timedTest => testsOfMutant.includes(timedTest))
      const passed = await this.#runFromBeforeAll(this.#timedTests.slice(0, last + 1), mutant.id)
      mutant.status = passed ? 'Survived' : 'Killed'
      writeFileSync(report, JSON.stringify(all))
    }
    await runHooks(file, 'beforeAll')
  }

  /** Runs `beforeAll`, these tests until one fails, and `afterAll`; the mutant is active during the tests only. */
  async #runFromBeforeAll(timedTests: TimedTest[], mutant?: string): Promise<boolean> {
    const { file } = timedTests[0]!.test
    await runHooks(file, 'beforeAll')
    let passed = true
    for (const timedTest of timedTests) passed &&= await runTestWithMutant(timedTest, mutant)
    await runHooks(file, 'afterAll')
    return passed
  }

  async #runMutantsWithoutRestarts(reachedMutants: ReachedMutant[], all: MutationReport) {
    const failuresWithoutMutant = new Map<TimedTest, number>()
    for (const { mutant, testsOfMutant } of reachedMutants) {
      const was = mutant.status
      mutant.status = 'Survived'
      let reached = false
      for (const timedTest of testsOfMutant) {
        const before = failuresWithoutMutant.get(timedTest) ?? 0
        const passed = before > 1 || (await runTestWithMutant(timedTest, mutant.id))
        reached ||= before > 1 || instrumentation.hitCount! > 0
        if (passed) continue
        if (await runTestWithMutant(timedTest)) {
          mutant.status = 'Killed'
          break
        }
        failuresWithoutMutant.set(timedTest, before + 1)
        console.error(`This test fails when it is repeated without a mutant: ${timedTest.test.name}`)
      }
      // No repeated test executed this mutant: it runs when its file is loaded, which happens only once.
      if (!reached) mutant.status = was === 'NoCoverage' ? 'Ignored' : was
      writeFileSync(report, JSON.stringify(all))
    }
  }
}

/** Fast tests that execute few mutants come first. */
const cost = ({ milliseconds, executedMutants }: TimedTest) => milliseconds * executedMutants.length

/** The `beforeEach` or `afterEach` hooks of a suite and of the suites around it; those of the outermost suite come first. */
const around = (suite: RunnerTestSuite | undefined, which: 'beforeEach' | 'afterEach'): (() => unknown)[] =>
  suite ? [...around(suite.suite ?? (suite.file === suite ? undefined : suite.file), which), ...hooksOf(suite, which)] : []
const hooksOf = (suite: RunnerTestSuite, which: 'beforeAll' | 'afterAll' | 'beforeEach' | 'afterEach') =>
  TestRunner.getSuiteHooks(suite)[which] as unknown as (() => unknown)[]

async function runHooks(file: RunnerTestSuite, which: 'beforeAll' | 'afterAll') {
  for (const hook of hooksOf(file, which)) await hook()
}

async function runTestWithMutant(timedTest: TimedTest, mutant?: string): Promise<boolean> {
  const { test } = timedTest
  // Drops assertions that an earlier run of this test left pending.
  test.promises = []
  instrumentation.activeMutant = mutant
  instrumentation.hitCount = 0
  const { promise: late, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(resolve, timeLimitFor(timedTest), false)
  const suite = test.suite ?? test.file
  // With a mutant, the code under test may send SIGTERM to its own process.
  const ignoreSignal = () => {}
  process.on('SIGTERM', ignoreSignal)
  const run = async () => {
    for (const before of around(suite, 'beforeEach')) await before()
    await TestRunner.getTestFn(test)()
    return true
  }
  let passed = await Promise.race([run(), late]).catch(error => {
    if (!mutant) console.error(error)
    return false
  })
  clearTimeout(timer)
  process.off('SIGTERM', ignoreSignal)
  instrumentation.activeMutant = undefined
  test.promises = []
  for (const after of around(suite, 'afterEach').reverse()) {
    try {
      await after()
    } catch {
      // The cleanup failed because of state that the mutant left behind.
      passed = false
    }
  }
  return passed
}
