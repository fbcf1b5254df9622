import { defineConfig } from '@playwright/test'
import { headlessChromium } from './scripts/chromium.mjs'

export default defineConfig({
  testDir: 'tests/pages',
  outputDir: 'test-results/pages',
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env.CI),
  // A shared machine stalls now and then; a test that fails twice is wrong.
  retries: process.env.CI ? 1 : 0,
  reporter: 'list',
  use: {
    browserName: 'chromium',
    launchOptions: { executablePath: headlessChromium() },
    viewport: { width: 1440, height: 900 },
    contextOptions: { reducedMotion: 'reduce' },
    // A trace of every test makes all of them slower; `--trace on` takes one.
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
  },
})
