import type { Page } from '@playwright/test'
import { expect, installClock, pauseClock, test, waitForPageTimer } from '../../support/signed-in-fixtures.ts'

const header = (page: Page) => page.getByRole('banner')
const toast = (page: Page) => page.locator('li[data-state=open]')
const isLoggedIn = (page: Page) => page.evaluate(() => localStorage.getItem('isLoggedIn'))
/** Causes a toast: the support chat refuses a request that is too short. */
async function causeToast(page: Page) {
  await page.getByRole('button', { name: 'Support Chat' }).click()
  await page.getByRole('button', { name: 'Ask a Question' }).click()
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(toast(page)).toHaveCount(1)
}

// @spec:1.3 @spec:2.51 @spec:2.52 @spec:2.59 @spec:2.88 @spec:6.5
test('anonymous visitors see logo, Login and footer, but no chat', async ({ page }) => {
  await page.clock.setFixedTime('2031-02-03')
  for (const path of ['/pricing', '/forgot-password', '/invite/NOBODY']) {
    await page.goto(path)
    await expect(header(page).getByRole('link', { name: 'DiamondLink' })).toHaveAttribute('href', '/')
    await expect(header(page).getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/auth')
    await expect(header(page).getByRole('link', { name: 'Login' })).toBeVisible()
  }
  for (const name of ['Support', 'Dashboard', 'Buy Folders', 'Instructors']) {
    await expect(header(page).getByRole('link', { name, exact: true })).toHaveCount(0)
  }
  await expect(header(page).getByRole('button', { name: 'Logout' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Support Chat' })).toHaveCount(0)
  const footer = page.getByRole('contentinfo')
  for (const [name, href] of Object.entries({
    FAQ: '/faq',
    'Privacy Policy': '/privacy-policy',
    'Terms of Service': '/terms-of-service',
  })) {
    await expect(footer.getByRole('link', { name })).toHaveAttribute('href', href)
  }
  await expect(footer).toContainText('© 2031')
  const viewport = await page.locator('meta[name=viewport]').getAttribute('content')
  expect(viewport).toMatch(/maximum-scale=1, user-scalable=no/)
})

// @spec:1.1 @spec:1.2
test('the landing page has the specified title and structured data', async ({ page }) => {
  await page.goto('/')
  await expect(page).toHaveTitle('Professional Baseball & Softball Instruction')
  const data = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent())!)
  expect(data).toMatchObject({ offers: { price: '0', priceCurrency: 'USD' }, aggregateRating: { ratingValue: '4.8', ratingCount: '145' } })
})

const navigation = {
  player: { Dashboard: '/player/dashboard', 'Buy Folders': '/player/payment', 'Purchase DiamondLink': '/player/payment' },
  instructor: { Dashboard: '/instructor/dashboard' },
  admin: { Dashboard: '/admin/dashboard', Instructors: '/admin/instructors' },
}
for (const role of ['player', 'instructor', 'admin'] as const) {
  // @spec:2.35 @spec:2.54 @spec:2.55 @spec:2.56 @spec:2.57 @spec:2.58 @spec:2.86 @spec:6.4
  test(`a logged-in ${role} sees avatar, name, navigation, Support, Logout and chat`, async ({ as, member }) => {
    const { user } = await member(role)
    const page = await as(role)
    await page.goto('/faq')
    await expect(header(page)).toContainText(`Hi, ${user.firstName}`)
    await expect(header(page)).toContainText(`${user.firstName} ${user.lastName}`)
    await expect(header(page).getByRole('link', { name: 'Login' })).toHaveCount(0)
    await expect(header(page).getByRole('link', { name: 'Support' })).toHaveAttribute('href', '/support')
    await expect(header(page).getByRole('button', { name: 'Logout' })).toBeVisible()
    await expect(header(page).locator('img[data-user=picture]:visible')).toHaveAttribute('src', '/img/default-profile.jpeg')
    const links = await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link')
      .evaluateAll(all => all.map(a => [a.textContent?.trim(), a.getAttribute('href')]))
    expect(Object.fromEntries(links)).toEqual(navigation[role])
    await expect(page.getByRole('button', { name: 'Support Chat' })).toBeVisible()
  })
}

// @spec:2.102 @spec:8.13
test('a picture that fails to load is replaced by initials', { tag: '@sweep' }, async ({ as }) => {
  const page = await as('player')
  await page.route('**/img/default-profile.jpeg', route => route.fulfill({ status: 404, body: '' }))
  await page.goto('/faq')
  await expect(header(page).getByText('AG', { exact: true }).locator('visible=true')).toHaveCount(1)
  await expect(header(page).locator('img[data-user=picture]')).toHaveCount(0)
})

// @spec:4.1
test('the session request on load sets the local flag or clears an outdated one', async ({ as, page }) => {
  const player = await as('player')
  await player.addInitScript(() => localStorage.removeItem('isLoggedIn'))
  await player.goto('/player/dashboard')
  await expect(header(player)).toContainText('Hi, ')
  expect(await isLoggedIn(player)).toBe('true')

  await page.goto('/faq')
  await page.evaluate(() => localStorage.setItem('isLoggedIn', 'true'))
  await page.reload()
  await expect(header(page).getByRole('link', { name: 'Login' })).toBeVisible()
  expect(await isLoggedIn(page)).toBeNull()
})

// @spec:4.2 @spec:9.31
test('the user is shown from a cache for 60 seconds while it is revalidated', { tag: '@sweep' }, async ({ as }) => {
  const page = await as('player')
  await page.goto('/faq')
  await expect(header(page)).toContainText('Hi, ')
  let release = () => {}
  const held = new Promise<void>(done => {
    release = done
  })
  await page.route('**/api/user', async route => {
    await held
    await route.continue()
  })
  await page.goto('/pricing')
  await expect(header(page)).toContainText('Hi, ')
  await page.evaluate(() => {
    const kept = JSON.parse(sessionStorage.getItem('user')!)
    sessionStorage.setItem('user', JSON.stringify({ ...kept, at: kept.at - 60_001 }))
  })
  await page.goto('/faq')
  await expect(header(page).getByRole('link', { name: 'Login' })).toHaveCount(0)
  await expect(header(page).locator('[data-user=hi]')).toBeEmpty()
  release()
  await expect(header(page)).toContainText('Hi, ')
})

for (const [how, title] of [
  ['', 'You have been successfully logged out.'],
  [' that the server does not hear', 'You have been logged out locally.'],
] as const) {
  // @spec:4.12 @spec:4.13 @spec:7.11 @spec:8.5 @spec:8.22 @spec:9.14
  test(`a logout${how} clears flag and user, shows a toast, and opens /auth after 50 ms`, async ({ as, problems }) => {
    problems.expect(/ERR_FAILED/)
    const page = await as('player', {})
    if (how) await page.route('**/api/logout', route => route.abort())
    await installClock(page)
    await page.goto('/faq')
    await expect(header(page)).toContainText('Hi, ')
    await pauseClock(page)
    await header(page).getByRole('button', { name: 'Logout' }).click()
    await expect(toast(page)).toContainText(title)
    if (!how) await expect(toast(page)).toContainText('Logged out')
    expect(await page.evaluate(() => [localStorage.getItem('isLoggedIn'), sessionStorage.getItem('user')])).toEqual([null, null])
    await page.clock.runFor(49)
    await expect(page).toHaveURL('/faq')
    await page.clock.runFor(1)
    await expect(page).toHaveURL('/auth')
  })
}

// @spec:7.3
test('if the developer-testing flag is set, requests carry it, and it has no effect', { tag: '@sweep' }, async ({ as }) => {
  const page = await as('player')
  await page.goto('/faq')
  await page.evaluate(() => localStorage.setItem('devTesting', 'enabled'))
  const asked = page.waitForRequest('**/api/user?dev_bypass=true')
  await page.goto('/admin/dashboard')
  expect((await asked).headers()['x-dev-testing']).toBe('true')
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
})

// @spec:9.34
test('a toast shows for 5000 ms', { tag: '@sweep' }, async ({ as }) => {
  const page = await as('player')
  await installClock(page)
  await page.goto('/faq')
  await expect(header(page)).toContainText('Hi, ')
  await pauseClock(page)
  await causeToast(page)
  await waitForPageTimer(page, 5000)
  await page.clock.runFor(4999)
  await expect(toast(page)).toHaveCount(1)
  await page.clock.runFor(1)
  await expect(toast(page)).toHaveCount(0)
})

// @spec:9.32 @spec:9.35 @spec:9.36
test('there is one toast at a time; F8 focuses it; a swipe over 50 px dismisses it', { tag: '@sweep' }, async ({ as }) => {
  const page = await as('player')
  await page.goto('/faq')
  await expect(header(page)).toContainText('Hi, ')
  await causeToast(page)
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.locator('ol li')).toHaveCount(1)
  await page.keyboard.press('F8')
  await expect(page.getByRole('region', { name: /Notification/ }).locator('ol')).toBeFocused()

  const box = (await toast(page).boundingBox())!
  const drag = async (by: number) => {
    await page.mouse.move(box.x + 40, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(box.x + 40 + by / 2, box.y + box.height / 2)
    await page.mouse.move(box.x + 40 + by, box.y + box.height / 2)
    await page.mouse.up()
  }
  await drag(-60)
  await drag(50)
  await expect(toast(page)).toHaveCount(1)
  await drag(51)
  await expect(toast(page)).toHaveCount(0)
})

// @spec:2.105
test('on iOS a page does not bounce when overscrolled, and extends under notches', { tag: '@sweep' }, async ({ person }) => {
  const page = await person({ userAgent: 'Mozilla/5.0 (iPad; CPU OS 19_0 like Mac OS X) Version/19.0 Safari/604.1' })
  await page.goto('/')
  await expect(page.locator('html')).toHaveClass(/\bios\b/)
  await expect(page.locator('html')).toHaveCSS('overscroll-behavior-y', 'none')
  await expect(page.locator('meta[name=viewport]')).toHaveAttribute('content', /viewport-fit=cover/)
})

// @spec:1.4
test('an app page shows Loading... while its code loads', async ({ as }) => {
  const page = await as('player')
  let release = () => {}
  const held = new Promise<void>(done => {
    release = done
  })
  await page.route('**/_astro/FindAndConnectInstructor*.js', async route => {
    await held
    await route.continue()
  })
  await page.goto('/player/connect-instructor', { waitUntil: 'commit' })
  await expect(page.getByText('Loading...')).toBeVisible()
  release()
  await expect(page.getByRole('heading', { name: 'Connect with an instructor' })).toBeVisible()
})
