import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { weigh } from '../support/weight.ts'

const KB = 1024

// Over the built files alone, without a browser; `npm run bench f2` asks one.
test('a public page is at most 5 KB of script and a document of 14 KB, a screen at most 110 KB of script', async () => {
  const pages = await weigh(join(import.meta.dirname, '../../dist'))
  expect(pages.length).toBeGreaterThan(20)
  const tooMuch = pages.filter(p => p.document > 14 * KB || p.script > (p.guarded ? 110 : 5) * KB)
  expect(tooMuch.map(p => `${p.path}: document ${p.document}, script ${p.script}`)).toEqual([])
})

test('a page has one font file and asks nobody else for anything', async () => {
  const pages = await weigh(join(import.meta.dirname, '../../dist'))
  expect(pages.filter(p => p.fonts.length !== 1 || p.foreign.length).map(({ path, fonts, foreign }) => ({ path, fonts, foreign }))).toEqual(
    [],
  )
})
