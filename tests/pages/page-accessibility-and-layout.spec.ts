import { expect, test } from '../support/signed-in-fixtures.ts'
import { expectPageFitsAndTargetsAreLarge } from './layout-checks.ts'

const visitors = {
  landing: '/',
  auth: '/auth',
  'auth-player': '/auth?role=player',
  'auth-instructor': '/auth?role=instructor',
  'auth-invited': '/auth?invite=ABCD2345',
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
  'video-format-test-id': '/video-format-test/an-id',
  guardian: '/guardian/no-such-link',
  family: '/family',
  'family-link': '/family?token=x',
  start: '/start',
  'start-problem': '/start?step=email&email=nobody',
  'start-role': '/start?step=role&email=a%40b.example',
  'start-login': '/start?step=login&email=a%40b.example',
  'not-found': '/no/such/page',
}
const players = { 'connect-instructor': '/player/connect-instructor', progress: '/player/progress', account: '/account' }
const instructors = { 'profile-editor': '/instructor/profile-editor', 'complete-profile': '/fix-instructor-profile' }

for (const [name, path] of Object.entries(visitors)) {
  test(`${path} is accessible and fits at every width for visitors`, { tag: '@sweep' }, async ({ page, accessible, shoot }) => {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await accessible()
    await expectPageFitsAndTargetsAreLarge(page)
    await shoot(name)
  })
}

for (const [role, pages] of Object.entries({ player: players, instructor: instructors } as const)) {
  for (const [name, path] of Object.entries(pages)) {
    test(`${path} is accessible and fits at every width for its ${role}s`, { tag: '@sweep' }, async ({ as, accessible, shoot }) => {
      const page = await as(role as 'player' | 'instructor')
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.getByRole('status').filter({ hasText: /^Loading/ })).toHaveCount(0)
      await accessible(page)
      await expectPageFitsAndTargetsAreLarge(page)
      await shoot(name, page)
    })
  }
}

test('the landing page on a phone has its own steps and prices', { tag: '@sweep' }, async ({ page, accessible, shoot }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/')
  await expect(page.getByRole('link', { name: 'View Pricing' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Next' })).toBeHidden()
  await accessible()
  await shoot('landing-phone')
})

test('the first Tab key press offers to skip the header', { tag: '@sweep' }, async ({ page }) => {
  await page.goto('/faq')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
})
