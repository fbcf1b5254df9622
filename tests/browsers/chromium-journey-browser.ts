import { chromium as playwright } from '@playwright/test'
import { findHeadlessChromium } from '../../scripts/find-browsers.mjs'
import { ENTER_KEY, expressionOfCall, type JourneyBrowser } from './browser-interface.ts'

/** Launches Chromium with Playwright. */
export async function launchChromiumForJourney(): Promise<JourneyBrowser> {
  const browser = await playwright.launch({
    executablePath: findHeadlessChromium(),
    // Chromium provides a fake microphone that beeps, and lets pages use it without asking.
    args: ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
  })
  return {
    name: `Chromium ${browser.version().split('.')[0]}`,
    microphone: true,
    close: () => browser.close(),
    person: async () => {
      const page = await browser.newPage({ reducedMotion: 'reduce' })
      const problems: string[] = []
      page.on('pageerror', error => problems.push(error.message))
      page.on('console', m => m.type() === 'error' && !/^Failed to load resource/.test(m.text()) && problems.push(m.text()))
      return {
        go: async url => void (await page.goto(url)),
        run: async (work, ...args) => JSON.parse((await page.evaluate(expressionOfCall(work, args))) as string),
        mouse: async ([first, ...rest]) => {
          await page.mouse.move(...first!)
          await page.mouse.down()
          for (const to of rest) await page.mouse.move(...to)
          await page.mouse.up()
        },
        type: text => (text === ENTER_KEY ? page.keyboard.press('Enter') : page.keyboard.type(text)),
        files: (selector, paths) => page.setInputFiles(selector, paths),
        resize: (width, height) => page.setViewportSize({ width, height }),
        picture: () => page.screenshot(),
        problems: async () => problems,
      }
    },
  }
}
