import { defineConfig } from 'vitest/config'

/** Tests that leave nothing behind in the modules they load: their files share a process, which loads our half of npm once. */
const together =
  'tests/{islands,projections,events,spec,modules/{accounts,folders,instructors,letters,payments,reviews,rewards,support}}/**/*.test.{ts,tsx}'
const never = ['tests/pages/**', 'node_modules/**']

export default defineConfig({
  test: {
    globalSetup: 'tests/support/setup.ts',
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: { name: 'together', include: [together], exclude: never, isolate: false } },
      { extends: true, test: { name: 'alone', include: ['tests/**/*.test.{ts,tsx}'], exclude: [...never, together] } },
    ],
  },
})
