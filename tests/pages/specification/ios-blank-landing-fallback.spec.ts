import type { Page } from '@playwright/test'
import { expect, freezeClock, test } from '../../support/signed-in-fixtures.ts'

const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1'
/** Serves the landing page with an empty root element, as if its content had not loaded. */
const serveBlankPage = (page: Page) =>
  page.route('/', async route => {
    const response = await route.fetch()
    const html = await response.text()
    const empty = html.replace(/<div id="root">[\s\S]*?(?=<div id="fallback")/, '<div id="root"></div>')
    await route.fulfill({ response, body: empty })
  })

// @spec:2.103 @spec:9.18
test('on iOS a blank page shows the fallback after 5 seconds', { tag: '@sweep' }, async ({ person, problems }) => {
  // The page's scripts cannot find their elements, and throw.
  problems.expect(/of null/)
  const page = await person({ userAgent: PHONE, viewport: { width: 390, height: 844 } })
  await freezeClock(page)
  await serveBlankPage(page)
  await page.goto('/')
  await page.clock.runFor(4999)
  await expect(page.locator('#fallback')).toBeHidden()
  await page.clock.runFor(1)
  await expect(page.locator('#fallback')).toBeVisible()
  await expect(page.locator('#root')).toBeHidden()

  await page.unroute('/')
  await page.goto('/')
  await page.clock.runFor(5001)
  await expect(page.locator('#fallback')).toBeHidden()
  await expect(page.locator('#root')).toBeVisible()
})

// @spec:2.104
test('on systems other than iOS a blank page has no fallback', { tag: '@sweep' }, async ({ page, problems }) => {
  problems.expect(/of null/)
  await freezeClock(page)
  await serveBlankPage(page)
  await page.goto('/')
  await page.clock.runFor(5001)
  await expect(page.locator('#fallback')).toBeHidden()
})
