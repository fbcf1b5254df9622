/**
 * Configures how `npm run mutate [path…]` (tests/mutation/run.mjs) creates mutants and runs the tests.
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner', './tests/mutation/ignore-logging.mjs'],
  ignorers: ['log'],
  vitest: { configFile: 'tests/mutation/vitest.config.ts', pool: 'forks' },
  // Stryker must not rewrite our tsconfig: it refers to nothing outside the sandbox, and the rewriter needs an older TypeScript compiler.
  tsconfigFile: 'none',
  coverageAnalysis: 'perTest',
  concurrency: 2,
  incremental: true,
  // Tests wait for stores and threads, so only a test that hangs should time out.
  timeoutMS: 20_000,
  timeoutFactor: 2,
  dryRunTimeoutMinutes: 15,
  // Replace a worker after 100 runs, because its Vite and Postgres clients use more memory with every run.
  maxTestRunnerReuse: 100,
  reporters: ['clear-text', 'progress'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  ignorePatterns: ['/dist', '/.astro', '/.data*', '/test-results', '/playwright-report', '/reports', '/bench', '/docs', '/public'],
  tempDirName: '.stryker-tmp',
}
