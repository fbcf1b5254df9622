import { readFileSync, writeFileSync } from 'node:fs'
import { type RunnerTask, type RunnerTestCase, type RunnerTestSuite, TestRunner } from 'vitest'
import type { DefectReport } from './instrument-plugin.ts'

/** The maximum time of a test with a defect: five times its usual time and a little more, at most this. A test that hangs is noticed, too. */
const PATIENCE = 20_000
const patienceFor = ({ milliseconds }: Asked) => Math.min(PATIENCE, 3000 + 5 * milliseconds)
/** How often a defect may be passed in a test: one that never ends is noticed, too. */
const ROUNDS = 100_000

interface Asked {
  test: RunnerTestCase
  milliseconds: number
  /** Ids of the defects that the test executes. */
  meets: string[]
}
/** The state that the instrumented file reads: the active defect, and the record of defects that a test executes. */
const planted = { hitLimit: ROUNDS, mutantCoverage: { static: {}, perTest: {} } } as {
  activeMutant?: string
  hitCount?: number
  hitLimit: number
  currentTestId?: string
  mutantCoverage: { static: Record<string, number>; perTest: Record<string, Record<string, number>> }
}
;(globalThis as unknown as { __stryker__: typeof planted }).__stryker__ = planted

const report = process.env.MUTATE_REPORT!
const testsIn = (task: RunnerTask): number =>
  task.type === 'suite' ? task.tasks.reduce((sum, t) => sum + testsIn(t), 0) : task.mode === 'run' ? 1 : 0

/**
 * Runs a file's tests as usual, and with its last one, while all that the file started is still there, wakes the planted defects one by one
 * and asks the tests that meet them again. A test that then fails must pass without the defect right after, or it does not count.
 */
export default class extends TestRunner {
  #asked: Asked[] = []
  #tests = 0

  override async onBeforeRunSuite(suite: RunnerTestSuite) {
    await super.onBeforeRunSuite(suite)
    if (!('filepath' in suite)) return
    this.#tests = testsIn(suite)
    this.#asked = []
  }

  /** Hooks before each test count as part of the test. */
  override onBeforeTryTask(test: RunnerTestCase) {
    super.onBeforeTryTask(test)
    planted.currentTestId = test.id
  }

  async runTask(test: RunnerTestCase) {
    const from = performance.now()
    try {
      await TestRunner.getTestFn(test)()
    } finally {
      planted.currentTestId = undefined
      const meets = Object.keys(planted.mutantCoverage.perTest[test.id] ?? {})
      this.#asked.push({ test, milliseconds: performance.now() - from, meets })
      if (this.#asked.length === this.#tests) await this.#wake()
    }
  }

  async #wake() {
    const all = JSON.parse(readFileSync(report, 'utf8')) as DefectReport
    const [mutants] = Object.values(all.files).map(file => file.mutants)
    for (const mutant of mutants!) if (mutant.status === 'NoCoverage' && planted.mutantCoverage.static[mutant.id]) mutant.status = 'Ignored'
    const met = mutants!
      .filter(mutant => mutant.status !== 'Killed')
      .map(mutant => ({ mutant, meeting: this.#asked.filter(a => a.meets.includes(mutant.id)).sort((a, b) => cost(a) - cost(b)) }))
      .filter(({ meeting }) => meeting.length)
      // What few tests meet comes first: what many meet may leave the server in a state in which none of them passes any more.
      .sort((a, b) => a.meeting.length - b.meeting.length)
    const unsteady = new Map<Asked, number>()
    for (const { mutant, meeting } of met) {
      const was = mutant.status
      mutant.status = 'Survived'
      let reached = false
      for (const asked of meeting) {
        const before = unsteady.get(asked) ?? 0
        const passed = before > 1 || (await passes(asked, mutant.id))
        reached ||= before > 1 || planted.hitCount! > 0
        if (passed) continue
        if (await passes(asked)) {
          mutant.status = 'Killed'
          break
        }
        unsteady.set(asked, before + 1)
        console.error(`Fails when it is run again: ${asked.test.name}`)
      }
      // It runs where a test loads the file, which is done once.
      if (!reached) mutant.status = was === 'NoCoverage' ? 'Ignored' : was
      writeFileSync(report, JSON.stringify(all))
    }
  }
}

/** The quick and particular ones first. */
const cost = ({ milliseconds, meets }: Asked) => milliseconds * meets.length

/** What is done before or after each test of the suites around one, the outermost first. */
const around = (suite: RunnerTestSuite | undefined, which: 'beforeEach' | 'afterEach'): (() => unknown)[] =>
  suite ? [...around(suite.suite ?? (suite.file === suite ? undefined : suite.file), which), ...hooksOf(suite, which)] : []
const hooksOf = (suite: RunnerTestSuite, which: 'beforeEach' | 'afterEach') =>
  TestRunner.getSuiteHooks(suite)[which] as unknown as (() => unknown)[]

async function passes(asked: Asked, mutant?: string): Promise<boolean> {
  const { test } = asked
  // Expectations that are awaited stay with the test.
  test.promises = []
  planted.activeMutant = mutant
  planted.hitCount = 0
  const { promise: late, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(resolve, patienceFor(asked), false)
  const suite = test.suite ?? test.file
  // A defect may ask its own process to end.
  const stay = () => {}
  process.on('SIGTERM', stay)
  const run = async () => {
    for (const before of around(suite, 'beforeEach')) await before()
    await TestRunner.getTestFn(test)()
    return true
  }
  let passed = await Promise.race([run(), late]).catch(() => false)
  clearTimeout(timer)
  process.off('SIGTERM', stay)
  planted.activeMutant = undefined
  test.promises = []
  for (const after of around(suite, 'afterEach').reverse()) {
    try {
      await after()
    } catch {
      // It meets what the defect left.
      passed = false
    }
  }
  return passed
}
