import type { Page } from '@playwright/test'
import { expect, installClock, newInstructorInput, newPersonInput, PASSWORD, pauseClock, test } from '../support/members.ts'

const tab = (page: Page, name: string) => page.getByRole('tab', { name })
const toast = (page: Page) => page.locator('li[data-state=open]')
const button = (page: Page, name: string) => page.getByRole('button', { name })
async function type(page: Page, values: Record<string, string>) {
  for (const [label, value] of Object.entries(values)) await page.getByLabel(label, { exact: true }).fill(value)
}
const login = (page: Page, username: string, password = PASSWORD) => type(page, { Email: username, Password: password })
const register = (page: Page, person: ReturnType<typeof newPersonInput>) =>
  type(page, {
    'First name': person.firstName,
    'Last name': person.lastName,
    Email: person.email,
    Phone: person.phone,
    'Date of birth': person.dateOfBirth,
    Password: person.password,
  })
/** Sends the form with the clock standing, and says when the page goes where. */
async function sent(page: Page, submit: string, says: string[], to: string) {
  const path = /\/api\/(login|register)/
  let answer = () => {}
  const held = new Promise<void>(done => {
    answer = done
  })
  let asked = false
  await page.route(path, async route => {
    asked = true
    await held
    await route.fallback()
  })
  await pauseClock(page)
  const from = page.url()
  await button(page, submit).click()
  // The form is checked after the next frame, which may take a while to come; the 500 ms begin with the answer.
  while (!asked) await page.clock.runFor(50)
  answer()
  for (const words of says) await expect(toast(page)).toContainText(words)
  await page.clock.runFor(499)
  expect(page.url()).toBe(from)
  await page.clock.runFor(1)
  await expect(page).toHaveURL(to)
}
const failing = async (page: Page, path: string, reply: { status: number; json: object } | 'no connection') => {
  await page.unrouteAll()
  await page.route(path, route => (reply === 'no connection' ? route.abort() : route.fulfill(reply)))
}

// @spec:2.3 @spec:2.4 @spec:2.5 @spec:2.6 @spec:2.9 @spec:2.10 @spec:2.53 @spec:4.20 @spec:6.1
test('query parameters choose the tab, the role and the email of /auth', async ({ page }) => {
  const selected = (name: string) => expect(tab(page, name)).toHaveAttribute('aria-selected', 'true')
  await page.goto('/auth')
  await selected('Login')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toHaveCount(0)
  await page.goto('/auth?role=player')
  await selected('Register')
  await expect(page.getByRole('radio', { name: /A player/ })).toBeChecked()
  await page.goto('/auth?role=instructor&email=coach%40example.com')
  await selected('Register')
  await expect(page.getByRole('radio', { name: /An instructor/ })).toBeChecked()
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue('coach@example.com')
  await page.goto('/auth?invite=ABCD2345&role=instructor&email=kid%40example.com')
  await selected('Register')
  await expect(button(page, 'Create player account')).toBeVisible()
  await expect(page.getByRole('radio')).toHaveCount(0)
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue('kid@example.com')
  await page.goto('/auth?redirect=login&email=back%40example.com')
  await selected('Login')
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue('back@example.com')
  await page.goto('/auth?role=admin')
  await selected('Login')
  await tab(page, 'Register').click()
  await page.getByText('An instructor', { exact: true }).click()
  await expect(button(page, 'Create instructor account')).toBeVisible()
})

test('a URL that asks for registration never shows the login form first', async ({ page }) => {
  // What the page reads as whenever something in it changes while it can be seen.
  await page.addInitScript(() => {
    const shown = new Set<string>()
    const look = () => {
      for (const part of document.querySelectorAll('main h1, main form'))
        if (part.checkVisibility({ visibilityProperty: true }))
          shown.add(part.querySelector('[type=submit]')?.textContent ?? part.textContent!)
    }
    new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
    Object.assign(window, { shown })
  })
  for (const [query, kind] of [
    ['role=player', 'player'],
    ['role=instructor', 'instructor'],
    ['invite=ABCD2345', 'player'],
  ] as const) {
    await page.goto(`/auth?${query}`)
    const submit = `Create ${kind} account`
    await expect(button(page, submit)).toBeVisible()
    const shown = await page.evaluate(() => [...(window as unknown as { shown: Set<string> }).shown])
    expect(shown).toEqual(['Create your account', submit])
  }
})

// @spec:5.1 @spec:8.1
test('a login needs email and password, and a wrong one says so in red', async ({ page, member }) => {
  const { user } = await member('player')
  await page.goto('/auth')
  await button(page, 'Log in').click()
  await expect(page.getByText('Email is required')).toBeVisible()
  await expect(page.getByText('Password is required')).toBeVisible()
  await login(page, user.username, 'not the one')
  await button(page, 'Log in').click()
  await expect(toast(page)).toContainText('Invalid username or password. Please try again.')
  expect(await toast(page).evaluate(li => getComputedStyle(li).backgroundColor)).toBe('rgb(179, 38, 30)')
})

test('a login that failed on the way says so beside the button', async ({ page, problems }) => {
  problems.expect(/ERR_FAILED|503/)
  await page.goto('/auth')
  await login(page, 'somebody@example.com')
  for (const [reply, says] of [
    ['no connection', 'No connection right now. Nothing was lost; try again when you are back online.'],
    [{ status: 503, json: { message: 'Away' } }, 'The server had a problem, and nothing was lost. Try again in a moment.'],
  ] as const) {
    await failing(page, '**/api/login', reply)
    await button(page, 'Log in').click()
    await expect(page.locator('form').getByText(says)).toBeVisible()
    await expect(toast(page)).toContainText(says)
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue(PASSWORD)
  }
})

const logins = [
  ['player', '', '/player/dashboard', ''],
  ['player', '?package=triple', '/player/payment?package=triple', ' Proceeding to payment.'],
  ['player', '?invite=ABCD2345', '/player/connect-instructor?invite=ABCD2345', ''],
  ['instructor', '?package=triple', '/instructor/dashboard', ''],
  ['admin', '', '/admin/dashboard', ''],
] as const
for (const [role, query, to, more] of logins) {
  // @spec:2.7 @spec:2.40 @spec:3.12 @spec:4.4 @spec:4.5 @spec:4.6 @spec:4.7 @spec:8.16 @spec:8.17 @spec:9.12
  test(`a login as ${role} with '${query}' greets, and after 500 ms leads to ${to}`, async ({ page, member }) => {
    const { user } = await member(role)
    await installClock(page)
    await page.goto(`/auth${query}`)
    if (query.includes('invite')) await tab(page, 'Login').click()
    await login(page, user.username)
    const posted = page.waitForRequest('**/api/login')
    const moved = query.includes('invite') && page.waitForRequest('**/player/select-instructor?invite=ABCD2345')
    await sent(page, 'Log in', ['Login successful', `Welcome back, ${user.firstName}!${more}`], to)
    expect((await posted).postDataJSON()).toEqual({ username: user.username, password: PASSWORD })
    await moved
    expect(await page.evaluate(() => localStorage.getItem('isLoggedIn'))).toBe('true')
  })
}

// @spec:5.2 @spec:5.3 @spec:5.4 @spec:5.5 @spec:8.2
test('a player registration shows missing fields and the server’s messages', async ({ page, member, problems }) => {
  problems.expect(/ERR_FAILED|503/)
  const { user } = await member('player')
  await page.goto('/auth?role=player')
  await button(page, 'Create player account').click()
  for (const words of [
    'First name is required',
    'Last name is required',
    'Invalid email address',
    'Phone number must be at least 10 digits',
    'Password must be at least 8 characters',
  ])
    await expect(page.getByText(words, { exact: true })).toBeVisible()
  await register(page, newPersonInput({ email: user.username }))
  await button(page, 'Create player account').click()
  await expect(toast(page)).toContainText('Username already exists')
  await expect(page.getByText('This email has an account. Log in with it, or use another one.')).toBeVisible()
  await failing(page, '**/api/register/player', 'no connection')
  await button(page, 'Create player account').click()
  await expect(toast(page)).toContainText('An error occurred during registration')
  await expect(page.locator('form').getByText('An error occurred during registration')).toBeVisible()
  // too busy, for longer than anybody should wait; what was typed stays for when it is not
  const busy = { message: 'Many people are signing in right now. Try again in a moment.' }
  let asked = 0
  await page.route('**/api/register/player', route => {
    asked++
    return route.fulfill({ status: 503, headers: { 'retry-after': '1' }, json: busy })
  })
  const typed = () => page.locator('form input').evaluateAll(all => all.map(input => (input as HTMLInputElement).value))
  const before = await typed()
  await button(page, 'Create player account').click()
  await expect(page.locator('form').getByText(busy.message)).toBeVisible()
  expect(asked).toBe(3)
  expect(await typed()).toEqual(before)
})

// @spec:3.13 @spec:4.9 @spec:8.19 @spec:9.13
test('a registered player selects an instructor after 500 ms', async ({ page, member }) => {
  const { code } = await (await (await member('player')).api.get('/api/rewards')).json()
  const person = newPersonInput()
  await installClock(page)
  await page.goto('/auth?role=player&invite=ABCD2345')
  await register(page, person)
  await page.getByLabel(/Referral code/).fill(code)
  const posted = page.waitForRequest('**/api/register/player')
  const says = ['Registration successful', 'Your account has been created! Now select your instructor.']
  await sent(page, 'Create player account', says, '/player/connect-instructor')
  expect((await posted).postDataJSON()).toEqual({ ...person, username: person.email, referralCode: code, inviteCode: 'ABCD2345' })
})

// @spec:2.8 @spec:4.8 @spec:5.7 @spec:8.18
test('a registered player with a package goes on to pay after 500 ms', async ({ page }) => {
  const person = newPersonInput()
  await installClock(page)
  await page.goto('/auth?role=player&package=season')
  await register(page, person)
  const posted = page.waitForRequest('**/api/register/player')
  const says = ['Registration successful', 'Your account has been created! Proceeding to payment.']
  await sent(page, 'Create player account', says, '/player/payment?package=season')
  expect((await posted).postDataJSON().packageType).toBe('season')
})

// @spec:5.8 @spec:5.10 @spec:5.11 @spec:5.12 @spec:8.3
test('an instructor registration requires sport and skills', async ({ page, problems }) => {
  problems.expect(/ERR_FAILED/)
  let asked = 0
  page.on('request', r => r.url().includes('/api/register/') && asked++)
  await page.goto('/auth?role=instructor')
  await register(page, newInstructorInput())
  await button(page, 'Create instructor account').click()
  await expect(page.getByText('Please select at least one sport type')).toBeVisible()
  await page.getByLabel('Softball').check()
  await button(page, 'Create instructor account').click()
  await expect(page.getByText('Please select at least one sport type')).toBeHidden()
  await expect(page.getByText('Please select at least one skill')).toBeVisible()
  // Without skills nothing else is to be seen: no request, no toast, the same page.
  await expect(toast(page)).toHaveCount(0)
  expect([asked, new URL(page.url()).pathname]).toEqual([0, '/auth'])
  await page.getByLabel('Catching').check()
  for (const [message, shown] of [
    ['Username already exists', 'This username is already taken. Please try another one.'],
    ['Username must be at least 3 characters', 'Username must be at least 3 characters long.'],
    ['The bullpen is closed.', 'The bullpen is closed.'],
  ]) {
    await failing(page, '**/api/register/instructor', { status: 409, json: { message } })
    await button(page, 'Create instructor account').click()
    await expect(toast(page)).toContainText(shown!)
  }
  await failing(page, '**/api/register/instructor', 'no connection')
  await button(page, 'Create instructor account').click()
  await expect(toast(page)).toContainText('An error occurred during registration')
})

// @spec:3.15 @spec:4.10 @spec:8.20
test('a registered instructor is on their dashboard after 500 ms', async ({ page }) => {
  const person = newInstructorInput()
  await installClock(page)
  await page.goto('/auth?role=instructor')
  await register(page, person)
  for (const choice of ['Baseball', 'Hitting', 'Pitching']) await page.getByLabel(choice).check()
  const posted = page.waitForRequest('**/api/register/instructor')
  const says = ['Registration successful', 'Your instructor account has been created!']
  await sent(page, 'Create instructor account', says, '/instructor/dashboard')
  expect((await posted).postDataJSON()).toMatchObject({ ...person, username: person.email })
})

// @spec:2.25 @spec:4.11 @spec:6.2 @spec:8.4 @spec:8.21
test('an administrator registers by invitation only', async ({ page, member, app, problems }) => {
  problems.expect(/ERR_FAILED/)
  const { api } = await member('admin')
  const { dateOfBirth: _, phone: __, ...person } = newPersonInput({ firstName: 'Ada' })
  const fill = () => type(page, { 'First name': 'Ada', 'Last name': person.lastName, Email: person.email, Password: person.password })
  // Whoever used it up did so while this page was open.
  await page.route('**/api/links/**', route => route.fulfill({ json: { works: true } }), { times: 1 })
  await page.goto('/admin/register?token=guessed')
  await fill()
  await button(page, 'Create administrator account').click()
  await expect(toast(page)).toContainText('Admin Registration Failed')
  await expect(toast(page)).toContainText('This link cannot create an administrator account. Ask an administrator for an invitation.')
  await failing(page, '**/api/register/admin', 'no connection')
  await button(page, 'Create administrator account').click()
  await expect(toast(page)).toContainText('An error occurred during admin registration')
  await page.unrouteAll()

  await api.post('/api/admin/invitations', { data: { email: person.email } })
  await expect.poll(() => app.letters(person.email)).toHaveLength(1)
  const [letter] = await app.letters(person.email)
  await installClock(page)
  await page.goto(/\/admin\/register\?token=[\w-]+/.exec(letter!.text ?? letter!.html!)![0])
  await fill()
  const says = ['Admin Registration Successful', 'Your administrator account has been created!']
  await sent(page, 'Create administrator account', says, '/admin/dashboard')
})

// @spec:2.11
test('/auth redirects a signed-in person to their dashboard', async ({ as }) => {
  for (const role of ['player', 'instructor', 'admin'] as const) {
    const page = await as(role)
    await page.goto('/auth?role=player')
    await expect(page).toHaveURL(`/${role}/dashboard`)
  }
})

// @spec:2.26
test('an administrator logs in at /admin/login', async ({ page, member }) => {
  const { user } = await member('admin')
  await page.goto('/admin/login')
  await login(page, user.username)
  await button(page, 'Log in').click()
  await expect(page).toHaveURL('/admin/dashboard')
})
