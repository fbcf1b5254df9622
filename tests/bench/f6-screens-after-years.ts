import { createPostgresPool } from '../../src/server/postgres-pool.ts'
import { addYearsOfDataToDemo } from './add-years-to-demo-read-models.ts'
import type { BenchmarkFigure } from './benchmark-figure.ts'
import type { DemoAndBrowser } from './demo-and-browser.ts'
import { startDemoAndBrowser } from './demo-and-browser.ts'
import { median } from './http-load-and-cpu-time-helpers.ts'
import {
  MAX_DASHBOARD_PAINT_MS,
  MAX_STAGE_PAINT_MS,
  measureLargestPaintOfScreen,
  pathOfFolderWithFeedback,
  startNextWaitingReview,
} from './largest-paint-measurement.ts'

/** How many times each screen is loaded: more often if its paint time has a limit (`bar`), because single loads differ by up to 300 ms. */
const RUNS = 3
const RUNS_WITH_BAR = 5

/**
 * F6: F4's measurement for screens whose data grows over years: with the demo as it is, and with 300 more folders for its player, 5,000
 * more sessions for its instructor and 100,000 more people. In addition to the largest contentful paint (median of all loads), it reports
 * what the amount of data changes: the compressed bytes of the document and of the API's responses, and the longest time to first byte
 * of any of them. Only the paint times of dashboards, folders and the studio have limits. Both sites run at the same time and are measured
 * in turns, so that other load affects both.
 */
export default async function measureScreensAfterYears(): Promise<BenchmarkFigure[]> {
  const sites: DemoAndBrowser[] = []
  try {
    for (let i = 0; i < 2; i++) sites.push(await startDemoAndBrowser())
    const [demo, heavy] = sites as [DemoAndBrowser, DemoAndBrowser]
    const [player, instructor] = [await idOf(heavy, 'player'), await idOf(heavy, 'instructor')]
    const sql = createPostgresPool(heavy.databaseUrl)
    await addYearsOfDataToDemo(sql, { player, instructor }).finally(() => sql.end())
    const figures: BenchmarkFigure[] = []
    const fixed = (path: string) => async () => path
    for (const [who, name, pathOf, bar] of [
      ['player', "player's dashboard", fixed('/player/dashboard'), MAX_DASHBOARD_PAINT_MS],
      ['instructor', 'queue', fixed('/instructor/dashboard'), MAX_DASHBOARD_PAINT_MS],
      ['player', 'folder with feedback', pathOfFolderWithFeedback, MAX_STAGE_PAINT_MS],
      ['instructor', 'studio', startNextWaitingReview, MAX_STAGE_PAINT_MS],
      ['player', 'progress', fixed('/player/progress')],
      ['player', 'bills', fixed('/player/payment')],
      ['instructor', 'earnings', fixed('/instructor/payments')],
      ['admin', 'overview and log', fixed('/admin/dashboard'), MAX_DASHBOARD_PAINT_MS],
      ['admin', 'a person', async site => `/admin/people/${await idOf(site, 'instructor')}`],
      ['admin', 'instructors', fixed('/admin/instructors?status=approved')],
      ['admin', 'support', fixed('/admin/support-management')],
    ] as [string, string, (site: DemoAndBrowser) => Promise<string>, number?][]) {
      const screens = [
        { site: demo, label: 'demo', path: await pathOf(demo), paints: [] as number[], loads: [] as Load[] },
        { site: heavy, label: 'after years', path: await pathOf(heavy), paints: [] as number[], loads: [] as Load[] },
      ]
      for (let i = 0; i < (bar ? RUNS_WITH_BAR : RUNS); i++) {
        for (const { site, path, paints, loads } of screens) {
          loads.push(await loadOnce(site, who, path))
          paints.push((await measureLargestPaintOfScreen(site, who, path)).ms)
        }
      }
      for (const { label, path, paints, loads } of screens) {
        console.log(`${path}: ${paints.map(Math.round).join(' · ')} ms; ${JSON.stringify(loads)}`)
        const figure = (what: string, value: number, unit: string) => ({ id: 'F6', name: `${name}, ${label}: ${what}`, value, unit })
        figures.push(
          { ...figure('largest contentful paint', median(paints), 'ms'), ...(bar && { bar, better: 'less' as const }) },
          figure('document and responses of the API', median(loads.map(l => l.bytes)) / 1024, 'KB'),
          figure('longest time to first byte', median(loads.map(l => l.firstByteMs)), 'ms'),
        )
      }
    }
    return figures
  } finally {
    for (const site of sites) await site.stop()
  }
}

async function idOf({ browser, signedIn }: DemoAndBrowser, who: string): Promise<string> {
  const context = await browser.newContext(await signedIn(who))
  const { id } = await (await context.request.get('/api/user')).json()
  await context.close()
  return id
}

interface Load {
  /** The compressed bytes of the document and of the API's responses. */
  bytes: number
  /** The longest time to first byte of any of those responses. */
  firstByteMs: number
}

/** Loads a screen once without throttling. */
async function loadOnce({ browser, signedIn }: DemoAndBrowser, who: string, path: string): Promise<Load> {
  const context = await browser.newContext(await signedIn(who))
  const page = await context.newPage()
  const sum: Load = { bytes: 0, firstByteMs: 0 }
  const counting: Promise<void>[] = []
  page.on('requestfinished', request => {
    if (request.resourceType() !== 'document' && !new URL(request.url()).pathname.startsWith('/api/')) return
    const count = async () => {
      const { requestStart, responseStart } = request.timing()
      sum.bytes += (await request.sizes()).responseBodySize
      sum.firstByteMs = Math.max(sum.firstByteMs, responseStart - requestStart)
    }
    counting.push(count())
  })
  await page.goto(path, { waitUntil: 'networkidle' })
  await Promise.all(counting)
  await context.close()
  return sum
}
