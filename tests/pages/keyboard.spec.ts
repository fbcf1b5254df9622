import type { Page } from '@playwright/test'
import { expect, PASSWORD, somebody, test } from '../support/members.ts'

/** Tabs on until something with this name has the focus. */
async function tabTo(page: Page, role: 'textbox' | 'button' | 'link' | 'tab' | 'radio', name: string | RegExp) {
  const wanted = page.getByRole(role, typeof name === 'string' ? { name, exact: true } : { name })
  for (let i = 0; i < 40; i++) {
    if (await wanted.evaluateAll(all => all.includes(document.activeElement as HTMLElement | SVGElement))) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${role} ${name}`)
}

test('from the landing page to a player account by keys alone', async ({ page }) => {
  const { email, firstName, lastName, phone } = somebody()
  await page.goto('/')
  await tabTo(page, 'textbox', 'Your email')
  await page.keyboard.type(email)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Tell us who you are' })).toBeFocused()
  await tabTo(page, 'button', "I'm a Player")
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/auth\?role=player/)
  await expect(page.getByRole('tab', { name: 'Register' })).toHaveAttribute('aria-selected', 'true')
  for (const [name, value] of [
    ['First name', firstName],
    ['Last name', lastName],
    ['Phone', phone],
  ] as const) {
    await tabTo(page, 'textbox', name)
    await page.keyboard.type(value)
  }
  await page.keyboard.press('Tab')
  await page.keyboard.type('05051990')
  await tabTo(page, 'textbox', 'Password')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL('/player/connect-instructor')
})

test('arrows turn the tabs of the way in, and the steps of the carousel', async ({ page }) => {
  await page.goto('/auth')
  await tabTo(page, 'tab', 'Login')
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('tab', { name: 'Register' })).toBeFocused()
  await expect(page.getByLabel('First name')).toBeVisible()
  await page.keyboard.press('Home')
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()

  await page.goto('/')
  const steps = page.getByRole('group', { name: 'Steps' })
  await steps.focus()
  await page.keyboard.press('End')
  await expect(page.getByRole('button', { name: /^Step 4/ })).toHaveAttribute('aria-current', 'step')
  await expect(page.getByRole('button', { name: 'Next' })).toBeDisabled()
})

test('a dialog keeps the focus, Escape closes it, and the focus is back where it was', async ({ as }) => {
  const page = await as('instructor', { firstName: 'Keys' })
  await page.goto('/instructor/profile-editor')
  const renew = page.getByRole('button', { name: 'Renew' })
  await renew.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  for (let i = 0; i < 6; i++) {
    await page.keyboard.press('Tab')
    expect(await dialog.evaluate(d => d.contains(document.activeElement))).toBe(true)
  }
  await expect(page.locator('html')).toHaveClass(/locked/)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(renew).toBeFocused()
  await expect(page.locator('html')).not.toHaveClass(/locked/)
})
