import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from '@playwright/test'
import { findHeadlessChromium } from '../../scripts/find-browsers.mjs'
import { SCREENSHOT_WIDTHS } from './page-driver.ts'

/**
 * Writes `index.html` into the screenshot folder, a page that shows each state side by side in all engines. If Chromium is installed, also
 * writes one PNG per state.
 * @returns the path of `index.html`
 */
export async function writeContactSheets(folder: string, engines: readonly string[]): Promise<string> {
  const all = await Promise.all(engines.map(engine => readdir(join(folder, engine)).catch(() => [])))
  const states = [...new Set(all.flat().flatMap(file => /^(\d\d-.+)-\d+\.png$/.exec(file)?.[1] ?? []))].sort()
  const picture = (engine: string, state: string, width: number) =>
    `<figure style="flex:${Math.max(width, 500)}"><img src="${engine}/${state}-${width}.png" alt=""><figcaption>${engine}, ${width} px</figcaption></figure>`
  const row = (state: string) => (engine: string) => `<div>${SCREENSHOT_WIDTHS.map(width => picture(engine, state, width)).join('')}</div>`
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>The same states in each browser</title>
<style>
  body { margin: 0; background: #777; font: 14px sans-serif }
  section { padding: 12px; width: 1800px }
  h2 { margin: 0 0 8px }
  div { display: flex; gap: 12px; align-items: start; margin-bottom: 12px }
  figure { margin: 0; min-width: 0 }
  img { display: block; width: 100% }
</style>
${states.map(state => `<section id="s${state}"><h2>${state}</h2>${engines.map(row(state)).join('')}</section>`).join('\n')}`
  const index = join(folder, 'index.html')
  await writeFile(index, html)
  const browser = await chromium.launch({ executablePath: findHeadlessChromium() }).catch(() => null)
  if (browser) {
    const page = await browser.newPage({ viewport: { width: 1824, height: 1000 } })
    await page.goto(pathToFileURL(index).href)
    for (const state of states) await page.locator(`#s${state}`).screenshot({ path: join(folder, `${state}.png`) })
    await browser.close()
  }
  return index
}
