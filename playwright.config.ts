import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'

// Debian's Chromium if it is there: it plays H.264; without a window of its own it takes half the time. Else the one that Playwright downloads.
const executablePath =
  process.env.CHROMIUM ||
  ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(name => `/usr/bin/${name}`).find(existsSync)

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
    launchOptions: { executablePath },
    viewport: { width: 1440, height: 900 },
    contextOptions: { reducedMotion: 'reduce' },
    // A trace of every test makes all of them slower; `--trace on` takes one.
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
  },
})
