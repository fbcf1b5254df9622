import type { BrowserContext, Page } from '@playwright/test'
import type { BenchmarkFigure } from './benchmark-figure.ts'
import { type DemoAndBrowser, startDemoAndBrowser } from './demo-and-browser.ts'
import { median } from './http-load-and-cpu-time-helpers.ts'
import { throttleCpu } from './interaction-recorder.ts'

declare global {
  interface Window {
    /** Times on the page's clock, in ms. */
    tappedAt?: number
    hydratedAt?: number
  }
}

const ROUNDS = 5
/** A phone's connection as Lighthouse simulates it: 150 ms to the server and back, 1.6 Mbit/s down, 0.75 up. */
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 }

/** The hints that the server writes into a page so that the browser requests modules early, and how to remove each kind. */
const HINTS = [
  ['with all hints', (html: string) => html],
  ['without the lists of modules of islands', (html: string) => html.replaceAll(/ data-modules="[^"]*"/g, '')],
  ['without modulepreload links', (html: string) => html.replaceAll(/<link rel="modulepreload"[^>]*>/g, '')],
] as const

interface Scene {
  name: string
  path: string
  who?: string
  /** The island hydrates when somebody taps this tab. If absent, it hydrates by itself, and the time starts with the navigation. */
  tab?: string
}
const scenes: Scene[] = [
  { name: 'login page, from a tap', path: '/auth', tab: 'Register' },
  { name: "player's dashboard, from the navigation", path: '/player/dashboard', who: 'player' },
  { name: 'bills, from the navigation', path: '/player/payment', who: 'player' },
  { name: 'account, from the navigation', path: '/account', who: 'player' },
  { name: 'queue, from the navigation', path: '/instructor/dashboard', who: 'instructor' },
]

/** Records when the user first taps and when the first island is hydrated, both in ms since the navigation. */
const RECORDER = `
  addEventListener('pointerdown', e => { window.tappedAt ??= performance.now() }, true)
  for (const type of ['hydrated', 'astro:hydrate']) addEventListener(type, e => { window.hydratedAt ??= performance.now() }, true)`

/**
 * F7: the time until an island is hydrated on a slow phone (a quarter of this machine's speed, slow 4G, an empty cache), with and without
 * the hints that the server writes into pages so that browsers request modules early (`src/server/modulepreload.ts`).
 */
export default async function measureHydration(): Promise<BenchmarkFigure[]> {
  const site = await startDemoAndBrowser()
  const took = new Map<string, number[]>()
  try {
    for (let round = 0; round < ROUNDS; round++) {
      for (const scene of scenes) {
        for (const [hints, change] of HINTS) {
          const key = `${scene.name}, ${hints}`
          took.set(key, [...(took.get(key) ?? []), await hydrationMs(site, scene, change)])
        }
      }
    }
  } finally {
    await site.stop()
  }
  for (const [name, times] of took) console.log(`${name}: ${times.map(Math.round).join(' · ')} ms`)
  return [...took].map(([name, times]) => ({ id: 'F7', name, value: median(times), unit: 'ms' }))
}

/** Measures the time until a scene's island is hydrated, in ms. `change` edits the server's HTML before the browser gets it. */
async function hydrationMs({ browser, url, signedIn }: DemoAndBrowser, { path, who, tab }: Scene, change: (html: string) => string) {
  const context = await browser.newContext({
    ...(who ? await signedIn(who) : { baseURL: url }),
    viewport: { width: 390, height: 844 },
    hasTouch: true,
  })
  try {
    await changeDocuments(context, path, change)
    const page = await context.newPage()
    await page.addInitScript(RECORDER)
    const cdp = await context.newCDPSession(page)
    await cdp.send('Network.emulateNetworkConditions', SLOW_4G)
    await throttleCpu(cdp)
    await page.goto(path, { waitUntil: 'networkidle' })
    if (tab) await page.getByRole('tab', { name: tab }).tap()
    return await hydratedAfterMs(page)
  } finally {
    await context.close()
  }
}

const changeDocuments = (context: BrowserContext, path: string, change: (html: string) => string) =>
  context.route(
    url => url.pathname === path,
    async route => {
      const response = await route.fetch()
      await route.fulfill({ response, body: change(await response.text()) })
    },
  )

/** The time until the first island is hydrated, in ms from the tap, or from the navigation if there was no tap. */
async function hydratedAfterMs(page: Page): Promise<number> {
  const hydratedAt = await page.waitForFunction(() => window.hydratedAt)
  return (await hydratedAt.jsonValue())! - (await page.evaluate(() => window.tappedAt ?? 0))
}
