import { chromium } from '@playwright/test'
import lighthouse from 'lighthouse'
import type { DemoAndBrowser } from './demo-and-browser.ts'

/** The limits for the largest contentful paint of dashboards, and of folders and the studio. */
export const MAX_DASHBOARD_PAINT_MS = 1500
export const MAX_STAGE_PAINT_MS = 1800

/** The largest element of a screen, and when it was painted, in ms. */
export interface LargestPaint {
  ms: number
  what: string
}

/** Returns the path of the demo player's folder that has feedback. */
export async function pathOfFolderWithFeedback({ browser, signedIn }: DemoAndBrowser) {
  const context = await browser.newContext(await signedIn('player'))
  const { folders } = await (await context.request.get('/api/folders')).json()
  await context.close()
  return `/player/folder/${folders.find((f: { status: string }) => f.status === 'feedback-given').id}`
}

/** Starts or continues the first review in the demo instructor's queue. Returns the path of its studio. @throws Error if there is none */
export async function startNextWaitingReview({ browser, signedIn, url }: DemoAndBrowser) {
  const context = await browser.newContext({ ...(await signedIn('instructor')), extraHTTPHeaders: { origin: url } })
  const { folders } = await (await context.request.get('/api/queue')).json()
  try {
    for (const { id, assignment, status } of folders) {
      if (status !== 'assigned' && status !== 'in-review') continue
      // Sessions that a benchmark has added to the read models alone are not in the log and cannot be started.
      if (!(await context.request.post(`/api/folders/${id}/review?session=${assignment}`)).ok()) continue
      return `/instructor/folder/${id}?session=${assignment}`
    }
    throw new Error("The demo's instructor has no session to review.")
  } finally {
    await context.close()
  }
}

/**
 * Measures one load of a screen by a signed-in user with an empty HTTP cache. Lighthouse simulates a phone: slow 4G, and a CPU that is four
 * times slower.
 */
export async function measureLargestPaintOfScreen(
  { url, port, signedIn }: DemoAndBrowser,
  who: string,
  path: string,
): Promise<LargestPaint> {
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
    let { lhr } = (await lighthouse(url + path, flags))!
    // On a busy machine the trace may miss the navigation; Lighthouse then asks to be run again.
    if (lhr.runtimeError?.code === 'NO_NAVSTART') lhr = (await lighthouse(url + path, flags))!.lhr
    if (lhr.runtimeError) throw new Error(`${path}: ${lhr.runtimeError.message}`)
    const snippet = JSON.stringify(lhr.audits['lcp-breakdown-insight']?.details ?? '').match(/"selector":"([^"]*)"/)?.[1] ?? ''
    return { ms: lhr.audits['largest-contentful-paint']!.numericValue!, what: snippet }
  } finally {
    await browser.close()
  }
}
