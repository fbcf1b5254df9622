import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { expect, type SignedInTestUser, test } from '../support/signed-in-fixtures.ts'

const photo = () =>
  sharp({ create: { width: 300, height: 300, channels: 3, background: '#14532d' } })
    .png()
    .toBuffer()
const waitForProfileText = ({ api, user }: SignedInTestUser, what: string) =>
  expect.poll(async () => (await api.get(`/i/${user.profileSlug}`)).text()).toContain(what)
/** Gives the instructor a photo that fails to load. */
async function setBrokenPhoto(its: SignedInTestUser, page: Page) {
  const kept = await its.api.put('/api/user/picture', { data: await photo(), headers: { 'content-type': 'image/png' } })
  expect(kept.ok()).toBe(true)
  await waitForProfileText(its, '/uploads/profile/')
  await page.route('**/uploads/profile/**', route => route.abort())
}
const invitation = async ({ api }: SignedInTestUser) => `/invite/${(await (await api.get('/api/invite')).json()).code}`

test('a photo that fails to load is replaced by initials on public pages', { tag: '@sweep' }, async ({
  page,
  member,
  accessible,
  problems,
}) => {
  problems.expect(/Failed to load resource/)
  const instructor = await member('instructor', { firstName: 'Ximena', lastName: 'Zapata' })
  await setBrokenPhoto(instructor, page)
  await page.goto(`/i/${instructor.user.profileSlug}`)
  const face = page.getByRole('main').getByRole('img', { name: 'Ximena Zapata' })
  await expect(face).toHaveText('XZ')
  await accessible()

  await page.goto(await invitation(instructor))
  await expect(page.getByRole('heading', { level: 1, name: /Ximena Zapata wants you/ })).toBeVisible()
  await expect(page.getByText('XZ', { exact: true })).toBeVisible()
  await expect(page.locator('[data-invite=picture]')).toBeHidden()

  await page.route('**/api/instructors', async route => {
    const all: { user: { firstName: string } }[] = await (await route.fetch()).json()
    await route.fulfill({ json: all.filter(i => i.user.firstName === 'Ximena') })
  })
  await page.goto('/')
  await expect(page.getByRole('article').getByText('XZ', { exact: true })).toBeVisible()
})

test('top instructors that load again show it, and cannot be loaded twice at once', async ({ page, problems }) => {
  problems.expect(/503/)
  const api = '**/api/instructors'
  await page.route(api, route => route.fulfill({ status: 503, json: { message: 'Our database is not available right now.' } }))
  await page.goto('/')
  const tryAgain = page.getByRole('button', { name: 'Try again' })
  await expect(tryAgain).toBeVisible()
  await page.unroute(api)
  const answer = Promise.withResolvers<void>()
  await page.route(api, async route => {
    await answer.promise
    await route.fulfill({ json: [] })
  })
  await tryAgain.click()
  await expect(tryAgain).toBeHidden({ timeout: 5000 })
  await expect(page.locator('[data-skeleton]:visible')).toHaveCount(3)
  answer.resolve()
  await expect(page.getByText('Instructors Coming Soon')).toBeVisible()
  await expect(page.locator('[data-skeleton]:visible')).toHaveCount(0)
})

test('a photo that loads is shown', async ({ page, member }) => {
  const { user } = await member('instructor', { firstName: 'Yara', lastName: 'Quist' })
  await page.goto(`/i/${user.profileSlug}`)
  const face = page.getByRole('main').getByRole('img', { name: 'Yara Quist' })
  await expect(face).toHaveAttribute('src', '/img/default-profile.jpeg')
  await expect.poll(() => face.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  await expect(page.getByText('YQ', { exact: true })).toBeHidden()
})

test("long words never make an instructor's page scroll sideways on a phone", { tag: '@sweep' }, async ({ page, as, member }) => {
  const endless = 'b'.repeat(120)
  const instructor = await member('instructor', { firstName: endless.slice(0, 80), lastName: 'Unbroken' })
  const { user, api } = instructor
  const profile = await (await api.get('/api/profile')).json()
  const { type, skills } = profile
  const written = await api.put('/api/profile', { data: { slug: user.profileSlug, type, skills, about: endless, experience: endless } })
  expect(written.ok()).toBe(true)
  await waitForProfileText(instructor, endless)
  const invite = await invitation(instructor)
  const player = await as('player', {})
  const fits = async (page: Page, path: string) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(path)
    await expect(page.getByRole('main').getByText(endless.slice(0, 80)).first()).toBeVisible()
    const cut = await page.evaluate(() => {
      const room = document.documentElement.clientWidth
      const texts = [...document.querySelectorAll<HTMLElement>('main :is(h1, h2, p):not(.sr-only)')].filter(e => e.checkVisibility())
      return { wide: document.documentElement.scrollWidth - room, out: texts.filter(e => e.scrollWidth > e.clientWidth + 1).length }
    })
    expect({ path, ...cut }).toEqual({ path, wide: 0, out: 0 })
  }
  await fits(page, `/i/${user.profileSlug}`)
  await fits(page, invite)
  await fits(player, `/player/connect-instructor?invite=${invite.split('/').pop()}`)
  await expect(player.getByText('You are invited')).toBeVisible()
  await fits(player, `/player/select-instructor/${user.profileSlug}`)
})

/** The carousel of the landing page with its controls, and functions that wait until it is at a slide. */
function carouselOf(page: Page) {
  const carousel = page.getByRole('region', { name: 'How DiamondLink Works' })
  const [previous, next] = [carousel.getByRole('button', { name: 'Previous' }), carousel.getByRole('button', { name: 'Next' })]
  const steps = carousel.getByRole('group', { name: 'Steps' })
  const at = async (step: number) => {
    await expect(carousel.locator('button[aria-current=step]')).toHaveAttribute('aria-label', new RegExp(`^Step ${step}:`))
    await expect(carousel.locator('[aria-roledescription=slide]').nth(step - 1)).toBeInViewport({ ratio: 0.5 })
  }
  /** Waits until the track has stopped at a slide, because a touch before that would interrupt the movement. */
  const restsAt = (step: number) =>
    expect.poll(() => steps.evaluate((track, step) => Math.abs(track.scrollLeft - (step - 1) * track.clientWidth), step)).toBeLessThan(1)
  return { carousel, steps, previous, next, at, restsAt }
}

test('a finger swipe turns the carousel, and its dots and buttons follow', { tag: '@sweep' }, async ({ person }) => {
  const page = await person({ hasTouch: true, viewport: { width: 1024, height: 900 } })
  await page.goto('/')
  const { carousel, steps, previous, next, at, restsAt } = carouselOf(page)
  await carousel.scrollIntoViewIfNeeded()
  const track = (await steps.boundingBox())!
  const cdp = await page.context().newCDPSession(page)
  const y = track.y + track.height / 2
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number) =>
    cdp.send('Input.dispatchTouchEvent', { type, touchPoints: x === undefined ? [] : [{ x, y }] })
  /** How far the slides have been scrolled, in widths of the track. */
  const position = () => steps.evaluate(track => track.scrollLeft / track.clientWidth)
  /** Moves the finger until the slides have moved by more than half of their width: a busy Chromium drops the first moves. */
  const swipe = async (from: number, to: number) => {
    const start = await position()
    const hasFollowed = async () => Math.abs((await position()) - start) > 0.6
    await touch('touchStart', track.x + track.width * from)
    for (let part = 0.05; part <= 1 && !(await hasFollowed()); part += 0.05)
      await touch('touchMove', track.x + track.width * (from + (to - from) * part))
    await expect.poll(hasFollowed).toBe(true)
    await touch('touchEnd')
  }
  await at(1)
  await expect(previous).toBeDisabled()
  for (const to of [2, 3, 4]) {
    await swipe(0.95, 0.05)
    await restsAt(to)
    await at(to)
    await expect(previous).toBeEnabled()
  }
  await expect(next).toBeDisabled()
  await swipe(0.05, 0.95)
  await restsAt(3)
  await at(3)
  await expect(next).toBeEnabled()
})

test('by keyboard, the buttons of the carousel are disabled at its ends', { tag: '@sweep' }, async ({ page }) => {
  await page.goto('/')
  const { steps, previous, next, at } = carouselOf(page)
  await next.focus()
  for (const to of [2, 3, 4]) {
    await page.keyboard.press('Enter')
    await at(to)
  }
  await expect(next).toHaveJSProperty('disabled', true)
  await expect(steps).toBeFocused()
  await page.keyboard.press('Enter')
  await at(4)
  await page.keyboard.press('Tab')
  await expect(previous).toBeFocused()
  for (const to of [3, 2, 1]) {
    await page.keyboard.press('Enter')
    await at(to)
  }
  await expect(previous).toHaveJSProperty('disabled', true)
  await expect(steps).toBeFocused()
  await expect(next).toBeEnabled()
})

test('the table of contents of a legal page stays visible and links to its sections', { tag: '@sweep' }, async ({ page }) => {
  for (const [path, part] of [
    ['/privacy-policy', 'How long we keep it'],
    ['/terms-of-service', 'What it costs'],
  ] as const) {
    await page.goto(path)
    const link = page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: part })
    await link.click()
    await expect(page.getByRole('heading', { name: part })).toBeInViewport()
    await expect(link).toBeInViewport()
  }
})

test('on a phone an email error appears between its field and the button', { tag: '@sweep' }, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/')
  const [field, button] = [page.getByLabel('Your email'), page.getByRole('button', { name: 'Start now' })]
  await field.fill('abc')
  await button.click()
  const error = page.getByText('Please enter a valid email address')
  await expect(error).toBeVisible()
  const tops = await Promise.all([field, error, button].map(async at => (await at.boundingBox())!.y))
  expect(tops).toEqual(tops.toSorted((a, b) => a - b))
})

test('a link with malformed percent encoding is reported as invalid', { tag: '@sweep' }, async ({ page, as }) => {
  await page.goto('/invite/AB%zz')
  await expect(page.getByText('this invitation is no longer valid')).toBeVisible()
  await page.goto('/guardian/AB%zz')
  await expect(page.getByText('It has already been used, has expired, or is incomplete.')).toBeVisible()
  const player = await as('player', {})
  await player.goto('/player/select-instructor/AB%zz')
  await expect(player.getByRole('heading', { name: 'Instructor not found' })).toBeVisible()
})
