import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { pageQueries } from '../../src/page-load/page-queries.ts'
import { astroRenderer } from '../../src/server/astro-renderer.ts'
import { type PageWeight, weighPage, weighPages } from '../support/built-page-weight.ts'

const KB = 1024
const dist = join(import.meta.dirname, '../../dist/client')

let weighed: Promise<PageWeight[]> | undefined
/** The built pages, and those rendered on demand. */
const all = () => {
  weighed ??= weighAll()
  return weighed
}
async function weighAll() {
  const render = astroRenderer(new URL('../../dist/server/entry.mjs', import.meta.url).href)
  const origin = 'https://ours.test'
  const profile = {
    id: '0190',
    user: { firstName: 'Casey', lastName: 'Cole', profileSlug: 'casey' },
    profilePicture: null,
    featured: false,
    type: ['baseball' as const],
    skills: ['hitting' as const],
    about: 'x '.repeat(1000),
    experience: 'y '.repeat(1000),
    followers: 2,
    since: '2025-04-28T00:00:00.000Z',
    responseHours: 20,
    sessionsGiven: 12,
    checks: [],
    rating: { average: 4.8, count: 12 },
    ratings: [],
  }
  const made = ['/i/casey', '/start', ...Object.keys(pageQueries)].map(async path =>
    weighPage(dist, path, (await render(path, { origin, profile })).body),
  )
  return [...(await weighPages(dist)), ...(await Promise.all(made))]
}

// Checks the built files without a browser; `npm run bench f2` measures in one.
test('public pages load at most 5 KB of scripts, and screens at most 110 KB', async () => {
  const pages = await all()
  expect(pages.length).toBeGreaterThan(20)
  const tooMuch = pages.filter(p => p.document > 14 * KB || p.script > (p.guarded ? 110 : 5) * KB)
  expect(tooMuch.map(p => `${p.path}: document ${p.document}, script ${p.script}`)).toEqual([])
})

// On a slow connection, loading 24 KB takes 130 ms, and each round trip 150 ms.
test('a page waits for at most 24 KB of fonts, and preloads all modules it imports', async () => {
  const pages = await all()
  expect(pages.filter(p => p.font > 24 * KB || p.late.length).map(({ path, font, late }) => ({ path, font, late }))).toEqual([])
})

test('a page has one font file, and requests nothing from other hosts', async () => {
  const pages = await all()
  expect(pages.filter(p => p.fonts.length !== 1 || p.foreign.length).map(({ path, fonts, foreign }) => ({ path, fonts, foreign }))).toEqual(
    [],
  )
})
