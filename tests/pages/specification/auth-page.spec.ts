import { expect, installClock, TEST_PASSWORD, test } from '../../support/signed-in-fixtures.ts'
import { buttonNamed, failRequests, fillLogin, findOpenToast, findTab, submitAndExpectRedirect } from '../auth-form.ts'

// @spec:2.3 @spec:2.4 @spec:2.5 @spec:2.6 @spec:2.9 @spec:2.10 @spec:2.53 @spec:4.20 @spec:6.1
test('query parameters choose the tab, the role and the email of /auth', async ({ page }) => {
  const selected = (name: string) => expect(findTab(page, name)).toHaveAttribute('aria-selected', 'true')
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
  await expect(buttonNamed(page, 'Create player account')).toBeVisible()
  await expect(page.getByRole('radio')).toHaveCount(0)
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue('kid@example.com')
  await page.goto('/auth?redirect=login&email=back%40example.com')
  await selected('Login')
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue('back@example.com')
  await page.goto('/auth?role=admin')
  await selected('Login')
  await findTab(page, 'Register').click()
  await page.getByText('An instructor', { exact: true }).click()
  await expect(buttonNamed(page, 'Create instructor account')).toBeVisible()
})

test('a URL for registration never shows the login form first', { tag: '@sweep' }, async ({ page }) => {
  // Record the visible headings and submit buttons on each change of the page.
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
    await expect(buttonNamed(page, submit)).toBeVisible()
    const shown = await page.evaluate(() => [...(window as unknown as { shown: Set<string> }).shown])
    expect(shown).toEqual(['Create your account', submit])
  }
})

// @spec:5.1 @spec:8.1
test('a login requires email and password, and a wrong one shows a red message', async ({ page, member }) => {
  const { user } = await member('player')
  await page.goto('/auth')
  await buttonNamed(page, 'Log in').click()
  await expect(page.getByText('Email is required')).toBeVisible()
  await expect(page.getByText('Password is required')).toBeVisible()
  await fillLogin(page, user.username, 'not the one')
  await buttonNamed(page, 'Log in').click()
  await expect(findOpenToast(page)).toContainText('Invalid username or password. Please try again.')
  expect(await findOpenToast(page).evaluate(li => getComputedStyle(li).backgroundColor)).toBe('rgb(179, 38, 30)')
})

test('a failed login request shows an error in the form and keeps the password', { tag: '@sweep' }, async ({ page, problems }) => {
  problems.expect(/ERR_FAILED|503/)
  await page.goto('/auth')
  await fillLogin(page, 'somebody@example.com')
  for (const [reply, says] of [
    ['no connection', 'No connection right now. Nothing was lost; try again when you are back online.'],
    [{ status: 503, json: { message: 'Away' } }, 'The server had a problem, and nothing was lost. Try again in a moment.'],
  ] as const) {
    await failRequests(page, '**/api/login', reply)
    await buttonNamed(page, 'Log in').click()
    await expect(page.locator('form').getByText(says)).toBeVisible()
    await expect(findOpenToast(page)).toContainText(says)
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue(TEST_PASSWORD)
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
  test(`a login as ${role} with '${query}' greets, and after 500 ms leads to ${to}`, { tag: query ? '@sweep' : [] }, async ({
    page,
    member,
  }) => {
    const { user } = await member(role)
    await installClock(page)
    await page.goto(`/auth${query}`)
    if (query.includes('invite')) await findTab(page, 'Login').click()
    await fillLogin(page, user.username)
    const posted = page.waitForRequest('**/api/login')
    const moved = query.includes('invite') && page.waitForRequest('**/player/select-instructor?invite=ABCD2345')
    await submitAndExpectRedirect(page, 'Log in', ['Login successful', `Welcome back, ${user.firstName}!${more}`], to)
    expect((await posted).postDataJSON()).toEqual({ username: user.username, password: TEST_PASSWORD })
    await moved
    expect(await page.evaluate(() => localStorage.getItem('isLoggedIn'))).toBe('true')
  })
}

// @spec:2.11
test('/auth redirects a signed-in person to their dashboard', { tag: '@sweep' }, async ({ as }) => {
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
  await fillLogin(page, user.username)
  await buttonNamed(page, 'Log in').click()
  await expect(page).toHaveURL('/admin/dashboard')
})
