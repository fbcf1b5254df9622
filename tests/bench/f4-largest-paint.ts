import { chromium } from '@playwright/test'
import lighthouse from 'lighthouse'
import { type DemoBrowser, startDemoBrowser } from './demo-browser.ts'
import type { BenchmarkFigure } from './figure.ts'
import { median } from './load-generator.ts'

const runs = 3
const DASHBOARD_PAINT_MS = 1500
const STAGE_PAINT_MS = 1800

/** The largest element of a screen, and when it was painted, in ms. */
interface LargestPaint {
  ms: number
  what: string
}

/**
 * F4: the largest contentful paint of signed-in screens on a phone with slow 4G, 4 × CPU slowdown and an empty cache, simulated by
 * Lighthouse, median of three.
 */
export default async function measureLargestPaint(): Promise<BenchmarkFigure[]> {
  const site = await startDemoBrowser()
  const figures: BenchmarkFigure[] = []
  try {
    const [playersFolder, studio] = [await folderOf(site), await reviewOf(site)]
    for (const [who, path, name, bar] of [
      ['player', '/player/dashboard', "a player's dashboard", DASHBOARD_PAINT_MS],
      ['instructor', '/instructor/dashboard', 'the queue', DASHBOARD_PAINT_MS],
      ['player', playersFolder, 'a folder with feedback', STAGE_PAINT_MS],
      ['instructor', studio, 'the studio', STAGE_PAINT_MS],
    ] as const) {
      const seen: LargestPaint[] = []
      while (seen.length < runs) seen.push(await runLighthouse(site, who, path))
      console.log(`${path}: ${seen.map(({ ms, what }) => `${Math.round(ms)} ms ${what}`).join(' · ')}`)
      figures.push({
        id: 'F4',
        name: `largest contentful paint of ${name}`,
        value: median(seen.map(s => s.ms)),
        unit: 'ms',
        bar,
        better: 'less',
      })
    }
    return figures
  } finally {
    await site.stop()
  }
}

/** The demo player's folder with feedback. */
async function folderOf({ browser, signedIn }: DemoBrowser) {
  const context = await browser.newContext(await signedIn('player'))
  const { folders } = await (await context.request.get('/api/folders')).json()
  await context.close()
  return `/player/folder/${folders.find((f: { status: string }) => f.status === 'feedback-given').id}`
}

/** A started review of the demo's instructor. */
async function reviewOf({ browser, signedIn, url }: DemoBrowser) {
  const context = await browser.newContext({ ...(await signedIn('instructor')), extraHTTPHeaders: { origin: url } })
  const { folders } = await (await context.request.get('/api/queue')).json()
  const { id, assignment } = folders.find((f: { status: string }) => f.status === 'assigned' || f.status === 'in-review')
  await context.request.post(`/api/folders/${id}/review?session=${assignment}`)
  await context.close()
  return `/instructor/folder/${id}?session=${assignment}`
}

/** One measurement of a screen in a browser whose cache holds nothing but the login. */
async function runLighthouse({ url, port, signedIn }: DemoBrowser, who: string, path: string): Promise<LargestPaint> {
  const { storageState } = await signedIn(who)
  // Lighthouse opens its page in the browser's default context, so that context has to be signed in.
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`)
  const [own] = browser.contexts()
  try {
    await own!.clearCookies()
    await own!.addCookies((storageState as { cookies: Parameters<NonNullable<typeof own>['addCookies']>[0] }).cookies)
    const page = await own!.newPage()
    const cdp = await own!.newCDPSession(page)
    await cdp.send('Network.clearBrowserCache')
    await page.close()
    const flags = {
      port,
      onlyAudits: ['largest-contentful-paint', 'lcp-breakdown-insight', 'final-screenshot'],
      disableStorageReset: true,
      logLevel: 'silent' as const,
    }
    const { lhr } = (await lighthouse(url + path, flags))!
    if (lhr.runtimeError) throw new Error(`${path}: ${lhr.runtimeError.message}`)
    const snippet = JSON.stringify(lhr.audits['lcp-breakdown-insight']?.details ?? '').match(/"selector":"([^"]*)"/)?.[1] ?? ''
    return { ms: lhr.audits['largest-contentful-paint']!.numericValue!, what: snippet }
  } finally {
    await browser.close()
  }
}
