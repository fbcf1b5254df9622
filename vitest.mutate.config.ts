import { globSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import usual from './vitest.config.ts'

// `include` rather than Stryker's `testFiles`: with those it plants what runs at the load of a module too late to be noticed.
const chosen = (process.env.MUTATE_TESTS ?? 'tests/{api,kernel,modules,projections,stripe}/**/*.test.{ts,tsx}').split(' ')

/** What `npm run mutate` asks: none of the tests that start whole servers, or wait for the death of something. */
export default defineConfig({
  test: { ...usual.test, include: chosen.flatMap(pattern => globSync(pattern)), exclude: ['**/kill.test.ts'], reporters: ['dot'] },
})
