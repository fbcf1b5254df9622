import type { Page } from '@playwright/test'
import postgres from 'postgres'
import { expect, freezeClock, newInstructorInput, test, waitForPageTimer } from '../../support/signed-in-fixtures.ts'

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })
const loadingText = (page: Page) => page.getByText('Loading your account...')
const troubleHeading = (page: Page) => heading(page, 'Having trouble loading?')

/** Guarded paths of each role; `x` stands for an id. */
const guarded = {
  player: ['dashboard', 'connect-instructor', 'select-instructor/x', 'folder/x', 'payment', 'rewards', 'video-test/x'],
  instructor: ['dashboard', 'folder/x', 'profile-editor', 'payments'],
  admin: ['dashboard', 'support-management'],
} as const

// @spec:2.14
test('the legal pages have the date April 28, 2025, and placeholders for the owner', async ({ page }) => {
  let text = ''
  for (const path of ['/privacy-policy', '/terms-of-service']) {
    await page.goto(path)
    await expect(page.getByRole('main')).toContainText('April 28, 2025')
    text += await page.getByRole('main').textContent()
  }
  for (const placeholder of ['[Address]', '[State]', '[City]']) expect(text).toContain(placeholder)
})

// @spec:2.12 @spec:2.13
test('/pricing has its heading, explanation, FAQ and Get Started Now', async ({ page, as }) => {
  await page.goto('/pricing')
  await expect(heading(page, 'Dynamic, Fair Pricing')).toBeVisible()
  await expect(heading(page, 'How it works')).toBeVisible()
  await expect(page.getByRole('main')).toContainText('$15.00')
  expect(await page.locator('main details').count()).toBeGreaterThan(2)
  await expect(page.getByRole('link', { name: 'Get Started Now' })).toHaveAttribute('href', '/auth?role=player')
  const player = await as('player')
  await player.goto('/pricing')
  await expect(player.getByRole('link', { name: 'Get Started Now' })).toHaveAttribute('href', '/player/dashboard')
})

// @spec:2.15 @spec:2.16 @spec:8.14 @spec:9.5
test('the FAQ has 10 questions, one open at a time, and structured data', async ({ page }) => {
  await page.goto('/faq')
  const questions = page.locator('main details')
  await expect(questions).toHaveCount(10)
  await questions.nth(0).locator('summary').click()
  await questions.nth(4).locator('summary').click()
  const open = () => questions.evaluateAll(all => all.flatMap((d, i) => ((d as HTMLDetailsElement).open ? [i] : [])))
  expect(await open()).toEqual([4])
  await questions.nth(4).locator('summary').click()
  expect(await open()).toEqual([])
  await expect(page.getByRole('main').getByRole('link', { name: 'Contact support' })).toHaveAttribute('href', /^mailto:.+@/)
  const data = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent())!)
  expect([data['@type'], data.mainEntity.length]).toEqual(['FAQPage', 10])
  const answers = await questions.allTextContents()
  expect(answers[0]).toContain(data.mainEntity[0].name)
  const all = answers.join(' ')
  // The answers state times, prices, limits, ages, the discount and payment problems.
  for (const words of [
    '24–48 hours',
    '$15.00',
    'Up to 3 videos',
    '500MB',
    'under 25MB',
    'MP4, MOV or WEBM',
    'At least 13',
    'Under 18',
    '10% off',
  ])
    expect(all).toContain(words)
  for (const words of ['as many folders as you like', 'separate payment', 'those you follow', 'A saved card is needed before you assign'])
    expect(all).toContain(words)
  for (const words of ['expired card', 'insufficient funds', 'incorrect card information']) expect(all).toContain(words)
})

// @spec:2.37 @spec:2.38 @spec:2.39 @spec:2.43
test('old addresses redirect to the new ones', async ({ as, member }) => {
  const { user } = await member('instructor')
  const page = await as('player')
  await page.goto('/player/select-instructor')
  await expect(page).toHaveURL('/player/connect-instructor')
  await page.goto('/player/folder')
  await expect(page).toHaveURL('/player/dashboard')
  for (const path of [`/instructor/${user.profileSlug}`, `/instructor/profile/${user.profileSlug}`]) {
    await page.goto(path)
    await expect(page).toHaveURL(`/i/${user.profileSlug}`)
  }
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${user.firstName} ${user.lastName}`)
})

// @spec:2.44 @spec:2.45 @spec:2.46 @spec:9.19
test('a slow session request shows a notice after 3 s and a way out after 5 s', async ({ as }) => {
  const page = await as('player')
  await freezeClock(page)
  let asked = 0
  await page.route('**/api/user', route => (asked++ ? route.continue() : undefined))
  await page.goto('/player/dashboard')
  await waitForPageTimer(page, 5000)
  await expect(loadingText(page)).toBeVisible()
  await page.clock.runFor(2999)
  await expect(page.getByText('Taking longer than expected...')).toHaveCount(0)
  await page.clock.runFor(1)
  await expect(page.getByText('Taking longer than expected...')).toBeVisible()
  await expect(loadingText(page)).toBeVisible()
  await page.clock.runFor(1999)
  await expect(troubleHeading(page)).toHaveCount(0)
  await page.clock.runFor(1)
  await expect(troubleHeading(page)).toBeVisible()
  await expect(page.getByText("This can happen if your session has expired or if there's a connection issue.")).toBeVisible()
  await expect(page.getByRole('link', { name: 'Return to Login' })).toHaveAttribute('href', '/auth')
  // Content that loads when it becomes visible needs a running clock.
  await page.clock.resume()
  await page.getByRole('button', { name: 'Refresh Page' }).click()
  await expect(page.getByRole('banner')).toContainText('Hi, ')
  await expect(troubleHeading(page)).toHaveCount(0)
})

// @spec:2.47
test('every screen without a session leads to /auth', { tag: '@sweep' }, async ({ page }) => {
  for (const [role, paths] of Object.entries(guarded)) {
    for (const path of paths) {
      await page.goto(`/${role}/${path}`)
      await expect(page).toHaveURL('/auth')
    }
  }
})

// @spec:2.48
test('a flag without a user shows Session Error Detected', async ({ page }) => {
  await page.goto('/faq')
  await page.evaluate(() => localStorage.setItem('isLoggedIn', 'true'))
  await page.goto('/player/dashboard')
  await expect(heading(page, 'Session Error Detected')).toBeVisible()
  const words = 'Your login session appears to be invalid or has expired. Please try refreshing or logging in again.'
  await expect(page.getByText(words)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Return to Login' })).toHaveAttribute('href', '/auth')
  await page.getByRole('button', { name: 'Refresh Page' }).click()
  // The stale flag is gone, so the page treats the person as a visitor.
  await expect(page).toHaveURL('/auth')
})

// @spec:2.29 @spec:2.31 @spec:2.33 @spec:2.49 @spec:2.50 @spec:6.3
test('a person with the wrong role gets Access Denied and a link to their dashboard', async ({ as }) => {
  const denied = async (page: Page, role: string, path: string, home: string) => {
    await page.goto(`/${role}/${path}`)
    await expect(heading(page, 'Access Denied')).toBeVisible()
    const words = `You don't have permission to access this page. This area is only available to ${role}s.`
    await expect(page.getByText(words)).toBeVisible()
    await expect(page.getByRole('link', { name: 'Go to Your Dashboard' })).toHaveAttribute('href', home)
  }
  const [player, instructor, admin] = [await as('player'), await as('instructor'), await as('admin')]
  for (const path of guarded.player) await denied(instructor, 'player', path, '/instructor/dashboard')
  for (const path of guarded.instructor) await denied(player, 'instructor', path, '/player/dashboard')
  for (const path of guarded.admin) await denied(player, 'admin', path, '/player/dashboard')
  await denied(admin, 'player', 'dashboard', '/')
  await denied(admin, 'instructor', 'dashboard', '/')
})

// @spec:2.20
test('an instructor has a public page after completing the profile', async ({ as, app, page }) => {
  const own = await as('instructor', { firstName: 'Half', lastName: 'Done' })
  const { id } = await (await own.request.get('/api/user')).json()
  const sql = postgres(app.config.databaseUrl)
  await sql`update instructors set skills = '{}', sports = '{}', slug = null where id = ${id}`
  await sql.end()
  await own.goto('/fix-instructor-profile')
  await expect(own.getByText("Still missing: your sport, your skills, your profile's web address.")).toBeVisible()
  await own.getByLabel('Softball').check()
  await own.getByLabel('Catching').check()
  await own.getByLabel('Profile web address').fill('half-done-no-more')
  await own.getByRole('button', { name: 'Save' }).click()
  await expect(own).toHaveURL('/instructor/dashboard')
  await page.goto('/i/half-done-no-more')
  await expect(heading(page, 'Half Done')).toBeVisible()
  await expect(page.getByText('Softball Instructor')).toBeVisible()
})

// @spec:2.17
test('the support page offers email, and the chat to signed-in people', async ({ page, as }) => {
  await page.goto('/support')
  await expect(page.getByRole('main').getByRole('link', { name: /@/ })).toHaveAttribute('href', /^mailto:.+@/)
  const player = await as('player')
  await player.goto('/support')
  await player.getByRole('main').getByRole('button', { name: /chat/i }).click()
  await expect(player.getByRole('dialog', { name: 'Support Chat' })).toBeVisible()
})

// @spec:2.30
test('Buy Folders preselects the package of its URL', async ({ as }) => {
  const page = await as('player')
  await page.goto('/player/payment?package=triple')
  await expect(heading(page, 'Buy Folders')).toBeVisible()
  await expect(page.getByRole('radio', { name: /Triple/ })).toBeChecked()
})

// @spec:2.24 @spec:2.80 @spec:2.81 @spec:2.82 @spec:2.83 @spec:2.84
test('an invitation shows the instructor, reasons to join and two buttons', async ({ page, member }) => {
  const { user, api } = await member('instructor', { firstName: 'Morgan', lastName: 'Reyes' })
  const { code } = await (await api.get('/api/invite')).json()
  const asked = page.waitForRequest(`**/api/instructors/by-invite/${code}`)
  await page.goto(`/invite/${code}`)
  await asked
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Morgan Reyes wants you on DiamondLink')
  expect(user.role).toBe('instructor')
  await expect(page.getByRole('link', { name: 'Create your account' })).toHaveAttribute('href', `/auth?invite=${code}`)
  await expect(page.getByRole('link', { name: 'I Already Have an Account' })).toHaveAttribute('href', '/auth')
  for (const blurb of ['Personalized training', 'Video upload for feedback', 'Progress tracking'])
    await expect(heading(page, blurb)).toBeVisible()
  // The page shows no invented testimonial, only the instructor's own text.
  await expect(page.locator('blockquote')).toBeHidden()
  const about = 'I teach quick hands. Ask my shortstops.'
  const data = { type: ['baseball'], skills: ['hitting'], about, experience: '', slug: user.profileSlug }
  expect((await api.put('/api/profile', { data })).status()).toBe(200)
  await page.reload()
  await expect(page.locator('blockquote')).toHaveText('“I teach quick hands.”')
  await expect(page.getByRole('figure', { name: 'Morgan Reyes' })).toBeVisible()
})

// @spec:2.85 @spec:7.18 @spec:8.9
test("an unknown invitation shows 'Your instructor' and 'Failed to fetch instructor'", async ({ page, problems }) => {
  problems.expect(/503/)
  const away = { status: 503, json: { message: 'Away' } }
  await page.route('**/api/instructors/by-invite/*', route => route.fulfill(away), { times: 1 })
  await page.goto('/invite/NOBODY22')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your instructor wants you on DiamondLink')
  await expect(page.getByText('Failed to fetch instructor')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Create your account' })).toHaveAttribute('href', '/auth?invite=NOBODY22')
  // If the code is known to be invalid, the page says so, too.
  await page.reload()
  await expect(page.getByText('Failed to fetch instructor: this invitation is no longer valid.')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your instructor wants you on DiamondLink')
  await expect(page.getByRole('link', { name: 'Create your account' })).toHaveAttribute('href', '/auth?invite=NOBODY22')
})

// @spec:2.41
test('a player with an invitation sees the inviting instructor', async ({ as, member }) => {
  const { api } = await member('instructor', { firstName: 'Jordan', lastName: 'Blake' })
  const { code } = await (await api.get('/api/invite')).json()
  const page = await as('player')
  await page.goto(`/player/select-instructor?invite=${code}`)
  await expect(heading(page, 'Jordan Blake').first()).toBeVisible()
  await expect(page.getByText('You are invited')).toBeVisible()
})

// @spec:2.23 @spec:3.5
test('a public profile has the name, sport and skills', async ({ page, member }) => {
  const { user } = await member('instructor', newInstructorInput({ firstName: 'Riley', lastName: 'Stone', type: ['baseball', 'softball'] }))
  await page.goto(`/i/${user.profileSlug}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Riley Stone')
  await expect(page.getByText('Baseball/Softball Instructor')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Skills' })).toContainText('Hitting')
})

// @spec:2.32
test('payout onboarding leads to the payment provider and back', async ({ as }) => {
  const page = await as('instructor', { firstName: 'Penny' })
  await page.goto('/instructor/payments')
  const asked = page.waitForResponse('**/api/payouts/account')
  await page.getByRole('button', { name: 'Set up payouts' }).click()
  const answer = await asked
  expect([answer.request().method(), answer.ok()]).toEqual(['POST', true])
  const provider = page.getByRole('button', { name: 'Use test details' })
  await provider.waitFor()
  expect(new URL(page.url()).origin).not.toBe(new URL(answer.url()).origin)
  await provider.click()
  await page.getByRole('button', { name: 'Submit details' }).click()
  await expect(page).toHaveURL(/\/instructor\/payments/)
  await expect(heading(page, 'Payouts are on')).toBeVisible()
})
