import type { Page } from '@playwright/test'
import { expect, installClock, newPersonInput, pauseClock, test, waitForPageTimer } from '../../support/signed-in-fixtures.ts'

/** Mocks the list of instructors: one for each set of fields in `more`. */
async function mockInstructors(page: Page, ...more: { firstName?: string; lastName?: string; [of: string]: unknown }[]) {
  const instructors = more.map(({ firstName = 'Ana', lastName = 'García', ...one }, i) => ({
    id: `0190a000-0000-7000-8000-00000000000${i}`,
    user: { firstName, lastName, profileSlug: null },
    profilePicture: null,
    type: ['baseball'],
    skills: ['hitting'],
    featured: false,
    ...one,
  }))
  await page.route('**/api/instructors', route => route.fulfill({ json: instructors }))
  await page.route('**/api/instructor-search*', route => route.fulfill({ json: { instructors, next: null, total: instructors.length } }))
}
const card = (page: Page, i: number) => page.getByRole('article').nth(i)

for (const [where, path] of [
  ['the landing page', '/'],
  ['a screen of the app', '/player/connect-instructor'],
] as const) {
  // @spec:2.96 @spec:2.97 @spec:2.98 @spec:2.99
  test(`a profile picture on ${where} loads from its name, its path or the default`, { tag: '@sweep' }, async ({ page, as }) => {
    const at = path === '/' ? page : await as('player')
    await at.route('**/*.jpeg', route => route.fulfill({ path: 'public/img/default-profile.jpeg' }))
    const pictures = [
      ['me.jpeg', '/uploads/profile/me.jpeg'],
      ['/uploads/profile/you.jpeg', '/uploads/profile/you.jpeg'],
      ['/img/other.jpeg', '/img/other.jpeg'],
      ['', '/img/default-profile.jpeg'],
      [null, '/img/default-profile.jpeg'],
      ['me.jpeg', '/img/default-profile.jpeg', 3],
    ] as const
    await mockInstructors(at, ...pictures.map(([profilePicture, , id], i) => ({ profilePicture, lastName: `No${i}`, ...(id && { id }) })))
    await at.goto(path)
    for (const [i, [, source]] of pictures.entries())
      await expect(at.getByRole('img', { name: `Ana No${i}` })).toHaveAttribute('src', source)
  })
}

// @spec:2.100
test('a picture that fails to load is replaced by at most 2 initials', async ({ page, as }) => {
  const people = [
    { firstName: 'Ana Maria', lastName: 'García', profilePicture: 'gone.webp' },
    { firstName: 'zoë', lastName: '', profilePicture: 'gone.webp' },
  ]
  const player = await as('player')
  for (const at of [page, player]) {
    await at.route('**/gone.webp', route => route.fulfill({ status: 404, body: '' }))
    await mockInstructors(at, ...people)
  }
  await page.goto('/')
  await player.goto('/player/connect-instructor')
  for (const at of [page, player]) {
    for (const letters of ['AM', 'Z']) await expect(at.getByText(letters, { exact: true })).toBeVisible()
    await expect(at.locator('img[src*="gone.webp"]:visible')).toHaveCount(0)
  }
})

// @spec:2.101
test('a picture without a name that fails to load is replaced by an icon', { tag: '@sweep' }, async ({ as }) => {
  const page = await as('player')
  await page.route('**/gone.webp', route => route.fulfill({ status: 404, body: '' }))
  await mockInstructors(page, { firstName: '', lastName: '', profilePicture: 'gone.webp' })
  await page.goto('/player/connect-instructor')
  await expect(page.getByRole('main').locator('[role=img] svg')).toBeVisible()
  await expect(page.locator('img[src*="gone.webp"]')).toHaveCount(0)
})

// @spec:2.75 @spec:3.7
test("a card says 'Baseball', 'Softball' or 'Baseball/Softball', then 'Instructor'", { tag: '@sweep' }, async ({ page }) => {
  await mockInstructors(page, { type: 'baseball' }, { type: ['baseball'] }, { type: 'softball' }, { type: ['softball', 'baseball'] })
  await page.goto('/')
  const labels = ['Baseball Instructor', 'Baseball Instructor', 'Softball Instructor', 'Baseball/Softball Instructor']
  for (const [i, label] of labels.entries()) await expect(card(page, i).getByText(label, { exact: true })).toBeVisible()
})

// @spec:5.20 @spec:9.11
test('the email on the landing page may have 5 to 254 characters', { tag: '@sweep' }, async ({ page }) => {
  const roles = page.getByRole('heading', { name: 'Tell us who you are' })
  const long = newPersonInput().email
  const leave = async (address: string) => {
    await page.goto('/')
    await page.getByLabel('Your email').fill(address)
    await page.getByRole('button', { name: 'Start now' }).click()
  }
  for (const address of ['a@b.', '     @    ', 'nobody.example.com']) {
    await leave(address)
    await expect(page.getByText('Please enter a valid email address')).toBeVisible()
  }
  await leave(`${'x'.repeat(255 - long.length)}${long}`)
  await expect(page.getByText('Email address is too long')).toBeVisible()
  await expect(roles).toBeHidden()
  for (const address of ['a@b.c', `${'x'.repeat(254 - long.length)}${long}`]) {
    await leave(address)
    await expect(roles).toBeVisible()
  }
})

// @spec:2.1 @spec:2.67 @spec:9.20
test('a phone or tablet is recognized by its user agent or by a width under 768 px', { tag: '@sweep' }, async ({ page, person }) => {
  // The server sends phones a page without the carousel.
  const variant = async (userAgent: string) => {
    const html = await (await page.request.get('/', { headers: { 'user-agent': `Mozilla/5.0 (${userAgent})` } })).text()
    return html.includes('aria-roledescription="slide"') ? 'desktop' : 'mobile'
  }
  for (const device of ['iPhone; CPU iPhone OS 19_0', 'iPad; CPU OS 19_0', 'iPod touch', 'Linux; Android 16'])
    expect([device, await variant(device)]).toEqual([device, 'mobile'])
  for (const device of ['X11; Linux x86_64', 'Windows NT 10.0', 'Macintosh; Intel Mac OS X 10_15_7'])
    expect([device, await variant(device)]).toEqual([device, 'desktop'])

  for (const [width, mobile] of [
    [767, true],
    [768, false],
  ] as const) {
    const at = await person({ viewport: { width, height: 900 } })
    await at.goto('/')
    const pricing = at.getByRole('link', { name: 'View Pricing' })
    const carousel = at.getByRole('region', { name: 'How DiamondLink Works' })
    await expect(mobile ? pricing : carousel).toBeVisible()
    await expect(mobile ? carousel : pricing).toBeHidden()
    const lead = at.waitForRequest('**/api/landing-page/leads')
    await at.getByLabel('Your email').fill(newPersonInput().email)
    await at.getByRole('button', { name: 'Start now' }).click()
    expect((await lead).postDataJSON().metadata.isMobile).toBe(mobile)
  }
})

// @spec:9.33
test('a dismissed toast is removed after 1,000,000 ms', { tag: '@sweep' }, async ({ as }) => {
  const page = await as('player')
  await installClock(page)
  await page.goto('/faq')
  await page.getByRole('button', { name: 'Support Chat' }).click()
  await page.getByRole('button', { name: 'Ask a Question' }).click()
  await page.getByRole('button', { name: 'Next' }).click()
  const toast = page.locator('li[data-state=open]')
  await expect(toast).toBeVisible()
  await pauseClock(page)
  const long = () => page.evaluate(() => (window as unknown as { delays: number[] }).delays.filter(ms => ms >= 1_000_000))
  expect(await long()).toEqual([])
  await toast.getByRole('button', { name: 'Dismiss' }).click()
  await waitForPageTimer(page, 1_000_000)
  expect(await long()).toEqual([1_000_000])
  await page.clock.runFor(1_000_000)
  await expect(page.locator('ol li')).toHaveCount(0)
})
