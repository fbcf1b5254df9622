import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type BrowserContext, type BrowserContextOptions, test as base, expect, type Page } from '@playwright/test'
import type Axe from 'axe-core'
import { type AppProcess, startApp } from './app-process.ts'

export { expect }

interface Fixtures {
  /**
   * Problems in the browser: exceptions, console errors, policy violations, 5xx responses. A test with problems fails at its end, unless it
   * declared that it provokes them: `problems.expect(/is not allowed/)`. A 4xx is a normal response, not a problem.
   */
  problems: { expect(pattern: RegExp): void }
  /** Opens a page for another person with separate cookies (or those of a storage state); monitored like `page`. */
  person: (options?: BrowserContextOptions) => Promise<Page>
  /** Fails on any axe violation on the page, except the zoom lock that the specification requires. */
  accessible: (page?: Page) => Promise<void>
  /** With SCREENS=1, saves screenshots of the page at 390, 768 and 1440 px to test-results/screens. */
  shoot: (name: string, page?: Page) => Promise<void>
}
interface WorkerFixtures {
  /** One complete instance for all tests of a worker, with separate data. */
  app: AppProcess
}

declare global {
  interface Window {
    axe: typeof Axe
  }
}
// Every page has to parse this. The minified file is half the size of `axe.source`.
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** Makes the server send screens without data to this browser, so that pages fetch the data and a test can mock the responses. */
export const disablePreloadedData = (page: Page) =>
  page.context().addCookies([{ name: 'plain', value: '1', domain: '127.0.0.1', path: '/', httpOnly: true }])

export const VIEWPORT_WIDTHS = [390, 768, 1440] as const

export const test = base.extend<Fixtures, WorkerFixtures>({
  app: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
    async ({}, use) => {
      const instance = await startApp({ with: [join(import.meta.dirname, 'preparation-cache-import-hook.ts')] })
      await use(instance)
      await instance.stop()
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  baseURL: async ({ app }, use) => use(app.url),

  problems: [
    async ({ context }, use) => {
      const found: string[] = []
      const expected: RegExp[] = []
      watch(context, found)
      await use(Object.assign({ expect: (pattern: RegExp) => void expected.push(pattern) }, { found }))
      await endRoutes(context)
      expect(found.filter(text => !expected.some(pattern => pattern.test(text)))).toEqual([])
    },
    { auto: true },
  ],

  person: async ({ browser, baseURL, problems }, use) => {
    const contexts: BrowserContext[] = []
    await use(async options => {
      const context = await browser.newContext({ baseURL, reducedMotion: 'reduce', ...options })
      contexts.push(context)
      watch(context, (problems as unknown as { found: string[] }).found)
      return context.newPage()
    })
    await Promise.all(contexts.map(endRoutes))
    await Promise.all(contexts.map(context => context.close()))
  },

  accessible: async ({ page }, use) =>
    use(async (at = page) => {
      const look = async () => {
        if (!(await at.evaluate(() => 'axe' in window))) await at.evaluate(axeSource)
        const { violations } = await at.evaluate(() =>
          window.axe.run({ rules: { 'meta-viewport': { enabled: false } }, resultTypes: ['violations'] }),
        )
        return violations.flatMap(v => v.nodes.map(node => `${v.id}: ${node.target.join(' ')} (${v.help})`))
      }
      let found: string[]
      let same: boolean
      do {
        // If the page changes while axe runs, axe may report elements that were removed, so its result does not count.
        const before = await at.evaluateHandle(unchanged)
        found = await look()
        same = await before.evaluate(told => told())
        await before.dispose()
      } while (found.length && !same)
      expect(found).toEqual([])
    }),

  shoot: async ({ page }, use) =>
    use(async (name, at = page) => {
      if (!process.env.SCREENS) return
      const before = at.viewportSize()
      for (const width of VIEWPORT_WIDTHS) {
        await at.setViewportSize({ width, height: width === 390 ? 844 : 900 })
        await at.screenshot({ path: `test-results/screens/${name}-${width}.png`, fullPage: true, animations: 'disabled' })
      }
      if (before) await at.setViewportSize(before)
    }),
})

/** Runs in the page. Returns a function that tells whether the page's elements and their visibility are as when `unchanged` was called. */
function unchanged() {
  let same = true
  const observer = new MutationObserver(() => {
    same = false
  })
  observer.observe(document, { childList: true, subtree: true, attributeFilter: ['class', 'hidden', 'style'] })
  return () => {
    same &&= !observer.takeRecords().length
    observer.disconnect()
    return same
  }
}

/** Removes the routes of a test, so that a request that a page sends at the end of the test does not fail the test. */
const endRoutes = (context: BrowserContext) =>
  Promise.all([context, ...context.pages()].map(routed => routed.unrouteAll({ behavior: 'ignoreErrors' })))

function watch(context: BrowserContext, found: string[]) {
  context.on('weberror', error => found.push(`exception: ${error.error().message}`))
  context.on('console', message => {
    const text = message.text()
    if (message.type() === 'error' && !/^Failed to load resource: the server responded with a status of 4\d\d/.test(text))
      found.push(`console: ${text} (${message.location().url})`)
  })
  context.on('response', reply => {
    if (reply.status() >= 500) found.push(`${reply.status()}: ${reply.request().method()} ${reply.url()}`)
  })
}
