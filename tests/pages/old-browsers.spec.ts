import type { Page } from '@playwright/test'
import { expect, test } from '../support/playwright-base-fixtures.ts'
import { signUpAsPlayer } from './api-setup.ts'

/** Makes pages behave as in a browser without popovers and without the features in these `@supports` conditions. */
async function removeFeatures(page: Page, ...features: string[]) {
  await page.route('**/*.css', async route => {
    const reply = await route.fetch()
    let body = await reply.text()
    for (const feature of features) {
      expect(body).toContain(`@supports not ${feature}`)
      body = body.replaceAll(`@supports not ${feature}`, '@supports (color:red)')
    }
    await route.fulfill({ response: reply, body })
  })
  await page.route(
    url => !url.pathname.includes('.') && !url.pathname.startsWith('/api/'),
    async route => {
      const reply = await route.fetch()
      await route.fulfill({ response: reply, body: (await reply.text()).replace(/\spopover(?=[\s>])/, '') })
    },
  )
}

test('in browsers without the popover API the menu opens by touch, mouse and keyboard', { tag: '@sweep' }, async ({ page, accessible }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signUpAsPlayer(page)
  await removeFeatures(page, 'selector(:popover-open)', 'selector(:has(a))')
  await page.goto('/player/dashboard')
  const logout = page.getByRole('button', { name: 'Logout' })
  await expect(page.getByRole('button', { name: 'Menu' })).toBeVisible()
  await expect(logout).toBeHidden()
  await page.getByRole('button', { name: 'Menu' }).click()
  await expect(logout).toBeVisible()
  await accessible()
  await page.mouse.click(20, 800)
  await expect(logout).toBeHidden()
  await page.getByRole('button', { name: 'Menu' }).focus()
  await page.keyboard.press('Tab')
  await expect(page.locator('#menu a:focus')).toBeVisible()
  await page.keyboard.press('Shift+Tab')
  await expect(page.getByRole('button', { name: 'Menu' })).toBeFocused()
})

test('a current browser does not show the warning about old browsers', { tag: '@sweep' }, async ({ page }) => {
  await page.goto('/')
  await expect(page.getByText('This browser is too old')).toBeHidden()
})
