import { defineConfig } from '@playwright/test'
import { findHeadlessChromium } from './scripts/find-browsers.mjs'

export default defineConfig({
  testDir: 'tests/pages',
  outputDir: 'test-results/pages',
  // More than processors: some wait, for a video that plays or a sentence that is spoken.
  workers: 3,
  // These end only what hangs: a busy machine makes tests slower, never red.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  forbidOnly: Boolean(process.env.CI),
  // A shared machine stalls now and then; a test that fails twice is wrong.
  retries: process.env.CI ? 1 : 0,
  reporter: 'list',
  use: {
    browserName: 'chromium',
    launchOptions: {
      executablePath: findHeadlessChromium(),
      args: [
        // Pages of one person share a process, and none is begun for a page that may come.
        '--renderer-process-limit=1',
        // A microphone that beeps. Options of a file's own would take another browser, another worker and another app.
        ...['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream', '--autoplay-policy=user-gesture-required'],
      ],
    },
    viewport: { width: 1440, height: 900 },
    contextOptions: { reducedMotion: 'reduce' },
    // A trace of every test makes all of them slower; `--trace on` takes one.
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
  },
})
