import type { Page, Route } from '@playwright/test'
import { SEARCH_DEBOUNCE_MS } from '../../../src/islands/connect-instructor/instructor-filter-defaults.ts'
import { expect, freezeClock, installClock, pauseClock, test } from '../../support/signed-in-fixtures.ts'

const field = (page: Page) => page.getByLabel('Name or invite code')
const foundInstructor = (page: Page) => page.getByRole('heading', { name: 'Sandy Koufax' })
const listedInstructor = (page: Page) => page.getByRole('heading', { name: 'Abner Doubleday' })
const instructor = (firstName: string, lastName: string) => ({
  id: '0190a000-0000-7000-8000-000000000001',
  user: { firstName, lastName, profileSlug: null },
  profilePicture: null,
  type: ['baseball'],
  skills: ['hitting'],
  featured: false,
  checks: [],
  responseHours: null,
  sessionsGiven: 0,
  rating: null,
})

/**
 * Opens the page where a player searches for an instructor by name or invite code. If no name matches, the page requests the instructor
 * with this code. @returns these requests
 */
async function openSearch(page: Page, answer: (route: Route) => void = route => route.fulfill({ json: instructor('Sandy', 'Koufax') })) {
  const asked: string[] = []
  await page.route('**/api/instructor-search*', route => {
    const instructors = new URL(route.request().url()).searchParams.has('name') ? [] : [instructor('Abner', 'Doubleday')]
    return route.fulfill({ json: { instructors, next: null, total: instructors.length } })
  })
  await page.route('**/api/instructors/by-invite/*', route => {
    asked.push(`${route.request().method()} ${new URL(route.request().url()).pathname} ${route.request().postData()}`)
    return answer(route)
  })
  await page.goto('/player/connect-instructor')
  await expect(listedInstructor(page)).toBeVisible()
  return asked
}

// @spec:7.24
test('a page fetches its data with GET requests', async ({ as }) => {
  const page = await as('player')
  const asked = await openSearch(page)
  await field(page).fill('2JGH9CBN')
  await expect(foundInstructor(page)).toBeVisible()
  expect(asked).toEqual(['GET /api/instructors/by-invite/2JGH9CBN null'])
})

// @spec:9.25 @spec:9.26 @spec:9.27
test('a response is fresh for 60,000 ms and shown while revalidating for 300,000 ms', { tag: '@sweep' }, async ({ as }) => {
  const page = await as('player')
  await installClock(page)
  let held = false
  const asked = await openSearch(page, route => {
    if (!held) route.fulfill({ json: instructor('Sandy', 'Koufax') })
  })
  await pauseClock(page)
  const type = async (text: string) => {
    await field(page).fill(text)
    // Advance by exactly the search's debounce delay, so that the test knows each response's age to the millisecond.
    await page.clock.runFor(SEARCH_DEBOUNCE_MS)
  }
  /** Searches for a code, clears the field, and searches for the code again `after` ms after the first time. */
  const back = async (code: string, after: number) => {
    held = false
    await type(code)
    await expect(foundInstructor(page)).toBeVisible()
    await type('')
    await expect(listedInstructor(page)).toBeVisible()
    await page.clock.runFor(after - 2 * SEARCH_DEBOUNCE_MS)
    held = true
    await type(code)
    await expect(listedInstructor(page)).toHaveCount(0)
  }
  const times = (code: string) => asked.filter(request => request.includes(code)).length

  await back('2JGH9CB2', 59_999)
  await expect(foundInstructor(page)).toBeVisible()
  expect(times('2JGH9CB2')).toBe(1)
  await back('2JGH9CB3', 60_000)
  await expect(foundInstructor(page)).toBeVisible()
  await expect.poll(() => times('2JGH9CB3')).toBe(2)
  await back('2JGH9CB4', 299_999)
  await expect(foundInstructor(page)).toBeVisible()
  await expect.poll(() => times('2JGH9CB4')).toBe(2)
  await back('2JGH9CB5', 300_000)
  await expect(page.getByText('Loading the instructors')).toBeAttached()
  await expect(foundInstructor(page)).toHaveCount(0)
  await expect.poll(() => times('2JGH9CB5')).toBe(2)
})

// @spec:9.28
test('a failed request is not retried automatically', async ({ as, problems }) => {
  problems.expect(/500/)
  const page = await as('player')
  await freezeClock(page)
  let asked = 0
  await page.route('**/api/rewards', route => {
    asked++
    return route.fulfill({ status: 500, json: { message: 'Away' } })
  })
  await page.goto('/player/rewards')
  await expect(page.getByText('Your rewards did not load')).toBeVisible()
  await page.clock.runFor(3_600_000)
  await expect(page.getByText('Your rewards did not load')).toBeVisible()
  expect(asked).toBe(1)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => asked).toBe(2)
})

// @spec:9.29
test('nothing is refetched on focus, on an interval or on reconnect', { tag: '@sweep' }, async ({ as }) => {
  const page = await as('player')
  await installClock(page)
  await page.goto('/player/rewards')
  await expect(page.getByRole('heading', { name: 'Your code' })).toBeVisible()
  await pauseClock(page)
  const asked: string[] = []
  page.on('request', r => {
    const { pathname } = new URL(r.url())
    if (pathname.startsWith('/api/')) asked.push(pathname)
  })
  await page.clock.runFor(3_600_000)
  await page.evaluate(() => {
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    window.dispatchEvent(new Event('focus'))
  })
  await page.context().setOffline(true)
  await page.context().setOffline(false)
  // A request caused by these events would have been sent before this one.
  await page.evaluate(() => fetch('/api/health').then(answer => answer.text()))
  expect(asked).toEqual(['/api/health'])
})

// @spec:9.30
test('a request is sent even if the browser says that it is offline', { tag: '@sweep' }, async ({ as }) => {
  const page = await as('player')
  const asked = await openSearch(page)
  // The page loads some scripts once it is idle, the toaster last; without a network they would fail.
  await page.waitForFunction(() => performance.getEntriesByType('resource').some(entry => entry.name.includes('/toaster.')))
  await page.waitForLoadState('networkidle')
  await page.context().setOffline(true)
  expect(await page.evaluate(() => navigator.onLine)).toBe(false)
  await field(page).fill('2JGH9CBN')
  await expect(foundInstructor(page)).toBeVisible()
  expect(asked).toHaveLength(1)
})
