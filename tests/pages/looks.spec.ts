import type { Page } from '@playwright/test'
import { widths } from '../support/browser.ts'
import { expect, test } from '../support/members.ts'

const visitors = {
  landing: '/',
  auth: '/auth',
  'auth-player': '/auth?role=player',
  'auth-instructor': '/auth?role=instructor',
  pricing: '/pricing',
  faq: '/faq',
  privacy: '/privacy-policy',
  terms: '/terms-of-service',
  support: '/support',
  'forgot-password': '/forgot-password',
  'forgot-email': '/forgot-email',
  'reset-password': '/reset-password?token=x',
  'admin-login': '/admin/login',
  'admin-register': '/admin/register',
  invite: '/invite/NOSUCHCODE',
  'video-format-test': '/video-format-test',
  'not-found': '/no/such/page',
}
const players = { 'connect-instructor': '/player/connect-instructor', account: '/account' }
const instructors = { 'profile-editor': '/instructor/profile-editor', 'fix-profile': '/fix-instructor-profile' }

/** Nothing to scroll sideways, one first heading, all targets that are not in running text at least 24 px. */
async function wellMade(page: Page) {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    const found = await page.evaluate(() => ({
      wide: document.documentElement.scrollWidth - innerWidth,
      headings: [...document.querySelectorAll('h1')].filter(h => h.checkVisibility()).length,
      small: [...document.querySelectorAll<HTMLElement>('button, a[href], input:not([type=checkbox], [type=radio], .sr-only), select')]
        .filter(e => e.checkVisibility() && e.tabIndex >= 0 && !e.closest('p, li, .sr-only') && e.getBoundingClientRect().height < 44)
        .filter(e => !e.classList.contains('sr-only'))
        .map(e => `${e.tagName} ${e.textContent?.trim().slice(0, 30)} ${e.getBoundingClientRect().height}`),
    }))
    // Small buttons are 36 px where there is a mouse, 44 on a phone.
    const small = found.small.filter(s => width < 768 || Number(s.split(' ').at(-1)) < 36)
    expect({ ...found, small, width }).toEqual({ wide: 0, headings: 1, small: [], width })
  }
}

for (const [name, path] of Object.entries(visitors)) {
  test(`${path} is well made at every width, for everybody`, async ({ page, accessible, shoot }) => {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await accessible()
    await wellMade(page)
    await shoot(name)
  })
}

for (const [role, pages] of Object.entries({ player: players, instructor: instructors } as const)) {
  for (const [name, path] of Object.entries(pages)) {
    test(`${path} is well made at every width, for everybody`, async ({ as, accessible, shoot }) => {
      const page = await as(role as 'player' | 'instructor')
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.getByRole('status').filter({ hasText: /^Loading/ })).toHaveCount(0)
      await accessible(page)
      await wellMade(page)
      await shoot(name, page)
    })
  }
}

test('the landing page on a phone has its own steps and prices', async ({ page, accessible, shoot }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/')
  await expect(page.getByRole('link', { name: 'View Pricing' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Next' })).toBeHidden()
  await accessible()
  await shoot('landing-phone')
})

test('the first key leads past the header', async ({ page }) => {
  await page.goto('/faq')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
})
