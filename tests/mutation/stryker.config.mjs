/**
 * How `npm run mutate [path…]` (tests/mutation/run.mjs) plants defects and asks the tests.
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner', './tests/mutation/ignore-logging.mjs'],
  ignorers: ['log'],
  vitest: { configFile: 'tests/mutation/vitest.config.ts', pool: 'forks' },
  // Ours names nothing outside the sandbox; to rewrite it, Stryker would need TypeScript's compiler of before.
  tsconfigFile: 'none',
  coverageAnalysis: 'perTest',
  concurrency: 2,
  incremental: true,
  // Tests wait for stores and threads; only what stands still is a timeout.
  timeoutMS: 20_000,
  timeoutFactor: 2,
  dryRunTimeoutMinutes: 15,
  // A worker's Vite and Postgres clients grow with every run.
  maxTestRunnerReuse: 100,
  reporters: ['clear-text', 'progress'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  ignorePatterns: ['/dist', '/.astro', '/.data*', '/test-results', '/playwright-report', '/reports', '/bench', '/docs', '/public'],
  tempDirName: '.stryker-tmp',
}
