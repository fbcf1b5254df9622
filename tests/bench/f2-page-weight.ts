import type { BrowserContextOptions } from '@playwright/test'
import type { BenchmarkFigure } from './benchmark-figure.ts'
import { type DemoAndBrowser, pathLabel, SCREEN_PATHS_BY_ROLE, startDemoAndBrowser } from './demo-and-browser.ts'

interface Load {
  path: string
  document: number
  script: number
  fonts: number
  foreign: number
}
const KB = 1024
const most = (loads: Load[], what: 'document' | 'script' | 'fonts' | 'foreign') => loads.reduce((a, b) => (b[what] > a[what] ? b : a))

/** F2: the transfer size of a page's first load, without interaction and with an empty cache. Inline scripts count as document. */
export default async function measurePageWeight(): Promise<BenchmarkFigure[]> {
  const site = await startDemoAndBrowser()
  try {
    const open: Load[] = []
    for (const path of site.paths) open.push(await load(site, path, { baseURL: site.url }))
    const guarded: Load[] = []
    for (const [role, paths] of Object.entries(SCREEN_PATHS_BY_ROLE)) {
      const who = await site.signedIn(role)
      for (const path of paths) guarded.push(await load(site, path, who))
    }
    const figure = (name: string, loads: Load[], what: 'document' | 'script' | 'fonts' | 'foreign', bar: number): BenchmarkFigure => {
      const { path, [what]: value } = most(loads, what)
      return {
        id: 'F2',
        name: `${name}, maximum (${pathLabel(path)})`,
        value,
        unit: what === 'fonts' ? 'files' : what === 'foreign' ? 'requests' : 'B',
        bar,
        better: 'less',
      }
    }
    return [
      figure('script of a public page', open, 'script', 5 * KB),
      figure('document of a public page', open, 'document', 14 * KB),
      figure('fonts of a public page', open, 'fonts', 1),
      figure('requests of a public page to other origins', open, 'foreign', 0),
      figure('script of a screen', guarded, 'script', 110 * KB),
    ]
  } finally {
    await site.stop()
  }
}

async function load({ browser, url }: DemoAndBrowser, path: string, options: BrowserContextOptions): Promise<Load> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const sum: Load = { path, document: 0, script: 0, fonts: 0, foreign: 0 }
  const counting: Promise<void>[] = []
  page.on('requestfinished', request => {
    const type = request.resourceType()
    if (!request.url().startsWith(url) && !/^(data|blob):/.test(request.url())) sum.foreign++
    if (type === 'font') sum.fonts++
    if (type !== 'document' && type !== 'script') return
    const count = async () => {
      sum[type] += (await request.sizes()).responseBodySize
    }
    counting.push(count())
  })
  await page.goto(path, { waitUntil: 'networkidle' })
  await Promise.all(counting)
  await context.close()
  return sum
}
