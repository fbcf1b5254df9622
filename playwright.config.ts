import { defineConfig } from '@playwright/test'
import { findHeadlessChromium } from './scripts/find-browsers.mjs'

export default defineConfig({
  testDir: 'tests/pages',
  outputDir: 'test-results/pages',
  // Three workers run even on a machine with two processors, because some tests mostly wait, for example for a video or a voice-over.
  workers: 3,
  // These timeouts only end tests that hang. A busy machine makes tests slower, but must not make them fail.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  forbidOnly: Boolean(process.env.CI),
  // CI machines are shared and stall now and then, so one retry is allowed; a test that fails twice has found a bug.
  retries: process.env.CI ? 1 : 0,
  reporter: 'list',
  use: {
    browserName: 'chromium',
    launchOptions: {
      executablePath: findHeadlessChromium(),
      args: [
        // All pages of a browser context share one renderer process, and Chromium starts no spare one in advance.
        '--renderer-process-limit=1',
        // A fake microphone that beeps. It is set for all tests, because launch options of a single test file would need another worker,
        // with a browser and a server of its own.
        ...['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream', '--autoplay-policy=user-gesture-required'],
      ],
    },
    viewport: { width: 1440, height: 900 },
    contextOptions: { reducedMotion: 'reduce' },
    // Recording a trace of every test would slow all of them down; `--trace on` records one on demand.
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
  },
})
