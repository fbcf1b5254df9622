import { globSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import usual from './vitest.config.ts'

// `include` rather than Stryker's `testFiles`: with those it plants what runs at the load of a module too late to be noticed.
const near = (process.env.MUTATE_TESTS ?? '').split(' ').flatMap(pattern => globSync(pattern))
const all = 'tests/{api,kernel,modules,projections,stripe}/**/*.test.{ts,tsx}'

// Which files share a process is for the whole suite.
const { projects: _, ...test } = usual.test!

/** What `npm run mutate` asks: none of the tests that start whole servers, or wait for the death of something. */
export default defineConfig({
  test: { ...test, include: near.length ? near : [all], exclude: ['**/kill.test.ts'], reporters: ['dot'] },
})
