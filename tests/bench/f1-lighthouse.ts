import lighthouse from 'lighthouse'
import type { BenchmarkFigure } from './benchmark-figure.ts'
import { pathLabel, startDemoAndBrowser } from './demo-and-browser.ts'
import { median } from './http-load-and-cpu-time-helpers.ts'

const categories = { performance: 'performance', 'best-practices': 'best practices', seo: 'SEO', accessibility: 'accessibility' }
const runs = 3

/**
 * F1: Lighthouse on most public pages, simulating a phone with slow 4G and 4 × CPU slowdown, median of three. Ignores
 * intentional findings: the zoom lock that the specification requires, and on the 404 page its status, `noindex` and the console message
 * about the status. One public route requires a login; visitors are redirected to /auth, which is measured.
 */
export default async function measurePublicPages(): Promise<BenchmarkFigure[]> {
  const site = await startDemoAndBrowser()
  const figures: BenchmarkFigure[] = []
  try {
    for (const path of [...site.paths, site.screen]) {
      const scores: Record<string, number[]> = Object.fromEntries(Object.keys(categories).map(id => [id, []]))
      const lost = new Map<string, string>()
      // If the first two runs agree, the median of three is known without a third run.
      const agree = () => Object.values(scores).every(([first, second]) => second !== undefined && first === second)
      for (let i = 0; i < runs && !agree(); i++) {
        const lhr = await runLighthouse(`${site.url}${path}`, site.port, path === '/no-such-page' ? exceptions : [])
        for (const [id, category] of Object.entries(lhr.categories)) {
          scores[id]!.push(Math.round((category.score ?? 0) * 100))
          for (const { id: audit, weight } of category.auditRefs) {
            const { score, displayValue = '' } = lhr.audits[audit]!
            if (weight > 0 && score !== null && score < 0.9) lost.set(audit, displayValue)
          }
        }
      }
      for (const [id, name] of Object.entries(categories)) {
        figures.push({ id: 'F1', name: `${name} of ${pathLabel(path)}`, value: median(scores[id]!), unit: '', bar: 100, better: 'more' })
      }
      if (lost.size) console.log(`${pathLabel(path)}: ${[...lost].map(([audit, value]) => `${audit} ${value}`).join('; ')}`)
    }
    return figures
  } finally {
    await site.stop()
  }
}

const exceptions = ['http-status-code', 'is-crawlable', 'errors-in-console']

/** Runs Lighthouse once. Retries a failed run up to twice, because a trace may be cut off if the machine is busy. */
async function runLighthouse(url: string, port: number, exceptions: string[]) {
  const flags = {
    port,
    onlyCategories: Object.keys(categories),
    skipAudits: ['meta-viewport', ...exceptions],
    ignoreStatusCode: true,
    logLevel: 'silent' as const,
  }
  for (let tries = 1; ; tries++) {
    const { lhr } = (await lighthouse(url, flags))!
    if (!lhr.runtimeError) return lhr
    if (tries === 3) throw new Error(`${url}: ${lhr.runtimeError.message}`)
  }
}
