import { chromium } from '@playwright/test'
import { expect, test } from '../support/signed-in-fixtures.ts'

// Playwright hides scrollbars, as phones do; this test is about a desktop with scrollbars.
test('opening a dialog moves nothing behind it, and shades the whole page', { tag: '@sweep' }, async ({ member, app }, { project }) => {
  const { state } = await member('player', {})
  const browser = await chromium.launch({ ...project.use.launchOptions, ignoreDefaultArgs: ['--hide-scrollbars'] })
  try {
    const page = await browser.newPage({
      baseURL: app.url,
      storageState: state,
      reducedMotion: 'reduce',
      viewport: { width: 1200, height: 600 },
    })
    await page.goto('/player/dashboard')
    await page.getByText('Your first folder').waitFor()
    expect(await page.evaluate(() => innerWidth - document.documentElement.clientWidth)).toBeGreaterThan(0)
    const places = () => page.evaluate(() => [...document.querySelectorAll('h1, [data-chat]')].map(e => e.getBoundingClientRect().right))
    const before = await places()
    await page.getByRole('button', { name: 'New folder' }).click()
    await page.getByRole('dialog').waitFor()
    expect(await places()).toEqual(before)
    expect(await page.evaluate(() => document.querySelector('.bg-shade')!.getBoundingClientRect().width)).toBe(1200)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await places()).toEqual(before)
  } finally {
    await browser.close()
  }
})
