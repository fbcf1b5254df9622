import type { Page } from '@playwright/test'
import { disablePreloadedData, expect, freezeClock, newInstructorInput, test, waitForPageTimer } from '../support/signed-in-fixtures.ts'
import { callApi } from './api-setup.ts'
import { expectPageFitsAndTargetsAreLarge } from './layout-checks.ts'

type CheckScreen = (name: string, page: Page) => Promise<void>
/** Checks the page with axe and at every width; with SCREENS=1, also takes a screenshot at every width. */
const screenTest = test.extend<{ checkScreen: CheckScreen }>({
  checkScreen: async ({ accessible, shoot }, use) =>
    use(async (name, page) => {
      await accessible(page)
      await expectPageFitsAndTargetsAreLarge(page)
      await shoot(name, page)
    }),
})
const instructors = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    id: `0190a000-0000-7000-8000-00000000000${i}`,
    user: { firstName: 'Coach', lastName: `Number${i}`, profileSlug: `coach-${i}` },
    profilePicture: null,
    type: ['baseball', 'softball'],
    skills: ['hitting', 'pitching', 'fielding', 'catching'],
    featured: false,
  }))
const searchResponseWith = (all: object[]) => ({ json: { instructors: all, next: null, total: all.length } })
const DATABASE_UNAVAILABLE = { status: 503, json: { message: 'Our database is not available right now. Try again in a moment.' } }
const neverRespond = () => {}

screenTest(
  'the landing page is accessible and fits in every state of its instructors',
  { tag: '@sweep' },
  async ({ page, checkScreen, problems }) => {
    problems.expect(/503/)
    const api = '**/api/instructors'
    await page.route(api, neverRespond)
    await page.goto('/')
    await expect(page.locator('[data-skeleton]:visible')).toHaveCount(3)
    await checkScreen('landing-waiting', page)
    for (const [name, answer, shows] of [
      ['full', { json: instructors(6) }, page.getByText('Coach Number5')],
      ['empty', { json: [] }, page.getByText('Instructors Coming Soon')],
      ['failed', DATABASE_UNAVAILABLE, page.getByText('The instructors did not load')],
    ] as const) {
      await page.unroute(api)
      await page.route(api, route => route.fulfill(answer))
      await page.goto('/')
      await expect(shows).toBeVisible()
      await checkScreen(`landing-${name}`, page)
    }
  },
)

screenTest('the email step with its error and the role step are accessible and fit', { tag: '@sweep' }, async ({ page, checkScreen }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Start now' }).click()
  await expect(page.getByText('Please enter a valid email address')).toBeVisible()
  await checkScreen('landing-error', page)
  await page.getByLabel('Your email').fill('looks@example.com')
  await page.getByRole('button', { name: 'Start now' }).click()
  await expect(page.getByRole('heading', { name: 'Tell us who you are' })).toBeVisible()
  await checkScreen('landing-role', page)
})

screenTest(
  'the forms of /auth are accessible and fit with every error and a refused login',
  { tag: '@sweep' },
  async ({ page, checkScreen }) => {
    for (const [name, path, submit, says] of [
      ['login', '/auth', 'Log in', 'Email is required'],
      ['player', '/auth?role=player', 'Create player account', 'First name is required'],
      ['instructor', '/auth?role=instructor', 'Create instructor account', 'Please select at least one skill'],
      ['forgot-email', '/forgot-email', 'Find my account', 'Phone number must be at least 10 digits'],
    ] as const) {
      await page.goto(path)
      await page.getByRole('button', { name: submit }).click()
      await expect(page.getByText(says)).toBeVisible()
      await checkScreen(`errors-${name}`, page)
    }
    await page.goto('/auth')
    await page.getByLabel('Email').fill('nobody@example.com')
    await page.getByLabel('Password', { exact: true }).fill('not the one')
    await page.getByRole('button', { name: 'Log in' }).click()
    await expect(page.getByText('Invalid username or password. Please try again.').first()).toBeVisible()
    await checkScreen('login-refused', page)
  },
)

screenTest(
  'a screen is accessible while loading, without a session and for the wrong role',
  { tag: '@sweep' },
  async ({ as, page, checkScreen }) => {
    const shot = async (name: string, at: Page) => {
      await expect(at.getByRole('main')).not.toBeEmpty()
      await checkScreen(name, at)
    }
    const early = await as('player')
    await early.route('**/api/user', neverRespond)
    await early.goto('/player/dashboard')
    await expect(early.getByRole('heading', { name: 'Loading your account...' })).toBeVisible()
    await shot('session-loading', early)

    const player = await as('player')
    await freezeClock(player)
    await player.route('**/api/user', neverRespond)
    await player.goto('/player/dashboard')
    await waitForPageTimer(player, 5000)
    await player.clock.runFor(5000)
    await expect(player.getByRole('heading', { name: 'Having trouble loading?' })).toBeVisible()
    // axe relies on the page's clock, so the clock has to run.
    await player.clock.resume()
    await shot('session-trouble', player)

    await page.goto('/faq')
    await page.evaluate(() => localStorage.setItem('isLoggedIn', 'true'))
    await page.goto('/instructor/dashboard')
    await expect(page.getByRole('heading', { name: 'Session Error Detected' })).toBeVisible()
    await shot('session-error', page)

    const other = await as('instructor')
    await other.goto('/admin/dashboard')
    await expect(other.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
    await shot('access-denied', other)
  },
)

screenTest('an error message without spaces stays inside its card', { tag: '@sweep' }, async ({ as, problems }) => {
  problems.expect(/503/)
  const page = await as('instructor')
  await disablePreloadedData(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.route(/\/api\/(?!user$)/, route => route.fulfill({ status: 503, json: { message: 'x'.repeat(200) } }))
  await page.goto('/instructor/dashboard')
  await expect(page.getByText('Your queue did not load')).toBeVisible()
  const messages = page.getByText(/^x{200}$/)
  // The queue shows one message; the invitation card and the earnings card show one each.
  await expect(messages).toHaveCount(3)
  for (const message of await messages.all()) {
    const isInside = await message.evaluate(text => {
      const [inner, outer] = [text, text.parentElement!].map(element => element.getBoundingClientRect())
      return inner!.left >= outer!.left && inner!.right <= outer!.right
    })
    expect(isInside).toBe(true)
  }
})

screenTest(
  'the connect page is accessible and fits in every state of its instructors',
  { tag: '@sweep' },
  async ({ as, checkScreen, problems }) => {
    problems.expect(/503/)
    const page = await as('player')
    const api = '**/api/instructor-search*'
    await page.route(api, neverRespond)
    await page.goto('/player/connect-instructor')
    await expect(page.getByText('Loading the instructors')).toBeAttached()
    const heading = page.getByRole('heading', { level: 1 })
    await expect(heading).toBeVisible()
    await checkScreen('connect-waiting', page)
    for (const [name, answer, shows] of [
      ['full', searchResponseWith(instructors(5)), page.getByRole('link', { name: 'Coach Number4' })],
      ['empty', searchResponseWith([]), page.getByRole('heading', { name: 'Instructors Coming Soon' })],
      ['failed', DATABASE_UNAVAILABLE, page.getByRole('heading', { name: 'The instructors did not load' })],
    ] as const) {
      await page.unroute(api)
      await page.route(api, route => route.fulfill(answer))
      await page.goto('/player/connect-instructor')
      await expect(shows).toBeVisible()
      await checkScreen(`connect-${name}`, page)
    }
    await page.unroute(api)
    await page.route(api, route => route.fulfill(searchResponseWith(route.request().url().includes('name=') ? [] : instructors(5))))
    await page.goto('/player/connect-instructor')
    await page.getByLabel('Name').fill('nobody is called this')
    await expect(page.getByRole('heading', { name: 'No instructors found' })).toBeVisible()
    await checkScreen('connect-nobody', page)
  },
)

screenTest(
  'pages of an instructor, an invitation and a profile are accessible and fit',
  { tag: '@sweep' },
  async ({ as, member, page, checkScreen }) => {
    const long = { about: 'Quick hands, quiet feet. '.repeat(20), experience: 'Twelve years of college ball.', slug: 'looks-like-this' }
    const { user, api } = await member('instructor', newInstructorInput({ firstName: 'Looks', lastName: 'Likethis' }))
    await api.put('/api/profile', { data: { type: ['baseball', 'softball'], skills: ['hitting', 'catching'], ...long } })
    const { code } = await (await api.get('/api/invite')).json()
    await page.goto(`/invite/${code}`)
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Looks Likethis')
    await checkScreen('invite-known', page)
    await page.goto(`/i/${long.slug}`)
    await expect(page.getByText('Twelve years of college ball.')).toBeVisible()
    await checkScreen('profile', page)
    const player = await as('player')
    await player.goto(`/player/select-instructor/${long.slug}?invite=${code}`)
    await expect(player.getByRole('heading', { level: 1, name: `${user.firstName} ${user.lastName}` })).toBeVisible()
    await checkScreen('select-instructor', player)
    await player.goto('/player/select-instructor/nobody-at-all')
    await expect(player.getByRole('heading', { name: 'Instructor not found' })).toBeVisible()
    await checkScreen('select-instructor-gone', player)
    await player.route('**/api/instructors/*', neverRespond)
    await player.goto(`/player/select-instructor/${long.slug}`)
    await expect(player.getByRole('main').getByRole('status').filter({ hasText: 'Loading...' })).toBeAttached()
    await checkScreen('select-instructor-waiting', player)
  },
)

screenTest(
  'the phone menu, each step of the chat and a toast are accessible and fit',
  { tag: '@sweep' },
  async ({ as, checkScreen, accessible, shoot }) => {
    const page = await as('player')
    await page.goto('/faq')
    await expect(page.getByRole('banner')).toContainText('Hi, ')
    await page.getByRole('button', { name: 'Support Chat' }).click()
    const chat = page.getByRole('dialog', { name: 'Support Chat' })
    await expect(chat.getByText(/^Hi /)).toBeVisible()
    await checkScreen('chat-options', page)
    await chat.getByRole('button', { name: 'Ask a Question' }).click()
    await chat.getByRole('button', { name: 'Next' }).click()
    await expect(page.getByText('Input too short').first()).toBeVisible()
    await checkScreen('chat-content-toast', page)
    await chat.getByLabel('Your request').fill('Where do I see my receipts?')
    await chat.getByRole('button', { name: 'Next' }).click()
    await expect(chat.getByLabel(/Your suggestion/)).toBeVisible()
    await checkScreen('chat-suggestion', page)
    await chat.getByRole('button', { name: 'Submit' }).click()
    await expect(chat.getByText('Thanks for your feedback!')).toBeVisible()
    await checkScreen('chat-thanks', page)

    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/pricing')
    await page.getByRole('button', { name: 'Menu' }).click()
    await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
    await accessible(page)
    await shoot('menu', page)
  },
)

test('skeletons match what loads in number, position and shape', { tag: '@sweep' }, async ({ as, member }) => {
  await member('instructor', { firstName: 'Waits', lastName: 'Here' })
  const page = await as('player', { firstName: 'Shape' })
  for (const name of ['Tee work', 'Bullpen']) await callApi(page, 'POST', '/api/folders', { id: crypto.randomUUID(), name })
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto('/player/dashboard')
    const cards = page.getByRole('region', { name: 'Folders' }).locator('> *')
    await expect(cards).toHaveCount(2)
    const there = await cards.last().boundingBox()
    await page.route('**/api/folders', neverRespond)
    await disablePreloadedData(page)
    await page.reload()
    const shapes = page.getByRole('status').filter({ hasText: 'Loading your folders' }).locator('> span:last-child > *')
    await expect(shapes).toHaveCount(2)
    const { x, y, width: wide } = (await shapes.last().boundingBox())!
    expect([x, wide]).toEqual([there!.x, there!.width])
    expect(Math.abs(y - there!.y)).toBeLessThan(8)
    await page.unroute('**/api/folders')
  }
  await page.setViewportSize({ width: 390, height: 900 })
  await page.route('**/api/instructors/*', neverRespond)
  await page.goto('/player/select-instructor/waits-here')
  const picture = page.getByRole('main').getByRole('status').locator('.rounded-full\\!').first()
  const { width, height } = (await picture.boundingBox())!
  expect(width).toBe(height)
})

test('the header on a phone fits text at twice the normal size', { tag: '@sweep' }, async ({ as }) => {
  const page = await as('player')
  await page.setViewportSize({ width: 390, height: 844 })
  for (const path of ['/player/dashboard', '/player/rewards', '/faq']) {
    await page.goto(path)
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%'
    })
    await expect(page.getByRole('button', { name: 'Menu' })).toBeInViewport()
    expect(await page.getByRole('banner').evaluate(header => header.scrollWidth - innerWidth)).toBe(0)
  }
})

test('with forced colors buttons have borders, and selections stay visible', { tag: '@sweep' }, async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  const edge = (e: Element) => getComputedStyle(e).borderTopColor
  await page.goto('/auth')
  const tab = (selected: boolean) => page.getByRole('tab', { selected })
  expect(await tab(true).evaluate(edge)).not.toBe(await tab(false).evaluate(edge))
  const button = page.getByRole('button', { name: 'Log in', exact: true })
  expect(await button.evaluate(e => getComputedStyle(e).borderTopWidth)).toBe('1px')
  await page.goto('/')
  const dot = (current: boolean) =>
    page.locator(`[aria-label^="Step "]${current ? '[aria-current]' : ':not([aria-current])'} > span`).first()
  expect(await dot(true).evaluate(edge)).not.toBe(await dot(false).evaluate(edge))
})
