import { expect, TEST_PASSWORD, test } from '../support/signed-in-fixtures.ts'

test('signed-in devices are listed and can be signed out', { tag: '@sweep' }, async ({ as, member, app }) => {
  const { user } = await member('player', { firstName: 'Two' })
  const page = await as('player', { firstName: 'Dev' })
  const other = await page.context().browser()!.newContext({ baseURL: app.url })
  const email = (await (await page.request.get('/api/user')).json()).email
  await other.request.post('/api/login', { headers: { origin: app.url }, data: { username: email, password: TEST_PASSWORD } })
  expect((await other.request.get('/api/user')).status()).toBe(200)

  await page.goto('/account')
  await expect(page.getByText('This device')).toBeVisible()
  await page.getByRole('button', { name: /^Log out / }).click()
  await expect(page.getByText('Device logged out').first()).toBeVisible()
  expect((await other.request.get('/api/user')).status()).toBe(401)
  expect(user.firstName).toBe('Two')
  await other.close()
})

test('typed text is kept when a session ends in the middle of a form', { tag: '@sweep' }, async ({ as, accessible }) => {
  const page = await as('instructor', { firstName: 'Lost' })
  await page.goto('/instructor/profile-editor')
  await page.getByLabel('About').fill('An hour of writing.')
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Save profile' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
  await expect(dialog.getByLabel('Password')).toBeFocused()
  // Count without waiting: no toast may be open when the dialog appears, not even briefly.
  expect(await page.locator('li[data-state=open]').count()).toBe(0)
  await accessible(page)
  await dialog.getByLabel('Password').fill('wrong')
  await dialog.getByRole('button', { name: 'Log in' }).click()
  await expect(dialog.getByText('Invalid username or password. Please try again.')).toBeVisible()
  await dialog.getByLabel('Password').fill(TEST_PASSWORD)
  await dialog.getByRole('button', { name: 'Log in' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByLabel('About')).toHaveValue('An hour of writing.')
  await page.getByRole('button', { name: 'Save profile' }).click()
  await expect(page.getByText('Profile saved').first()).toBeVisible()
})

test('a session is recognized without the local flag; visitors request no session', { tag: '@sweep' }, async ({ page, member, person }) => {
  const { user, state } = await member('player', { firstName: 'Flagless' })
  const at = await person({ storageState: { ...state, origins: [] } })
  await at.goto('/faq')
  await expect(at.getByRole('banner').getByText('Hi, Flagless')).toBeVisible()
  expect(await at.evaluate(() => localStorage.getItem('isLoggedIn'))).toBe('true')
  for (const path of ['/', '/auth']) {
    await at.evaluate(() => localStorage.clear())
    await at.goto(path)
    await at.waitForURL('/player/dashboard')
  }
  expect(user.role).toBe('player')

  const asked: string[] = []
  page.on('request', r => new URL(r.url()).pathname === '/api/user' && asked.push(page.url()))
  for (const path of ['/', '/auth', '/faq']) await page.goto(path, { waitUntil: 'networkidle' })
  expect(asked).toEqual([])
})

test('the cookie that announces a session is deleted with the session', { tag: '@sweep' }, async ({ as }) => {
  const page = await as('player', { firstName: 'Over' })
  const names = async () => (await page.context().cookies()).map(c => c.name).sort()
  await page.goto('/faq')
  await expect(page.getByRole('banner').getByText('Hi, Over')).toBeVisible()
  expect(await names()).toEqual(['device', 'known', 'session'])
  // Simulate that the session was ended elsewhere: the server responds with 401, and `known` is deleted, too.
  await page.context().clearCookies({ name: 'session' })
  await page.reload()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
  await expect.poll(names).toEqual(['device'])
})

test('a logout that did not reach the server is repeated by the next page', { tag: '@sweep' }, async ({ as, problems }) => {
  problems.expect(/ERR_FAILED.*logout/)
  const page = await as('player', { firstName: 'Gone' })
  await page.goto('/faq')
  await page.route('**/api/logout', route => route.abort())
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.waitForURL('/auth')
  await expect(page.getByText('You have been logged out locally.').first()).toBeVisible()
  expect((await page.request.get('/api/user')).status()).toBe(200)

  await page.unroute('**/api/logout')
  const heard = page.waitForResponse('**/api/logout')
  await page.goto('/faq')
  expect((await heard).status()).toBe(204)
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
  expect((await page.request.get('/api/user')).status()).toBe(401)
})

test('a page reloads when somebody else logs in in another tab', { tag: '@sweep' }, async ({ as, member }) => {
  const { user } = await member('player', { firstName: 'Bea' })
  const page = await as('instructor', { firstName: 'Zed' })
  await page.goto('/instructor/profile-editor')
  await page.getByLabel('About').fill('Nobody else may read this.')
  const tab = await page.context().newPage()
  await tab.goto('/faq')
  await tab.getByRole('button', { name: 'Logout' }).click()
  await tab.waitForURL('/auth')
  await tab.getByLabel('Email').fill(user.email)
  await tab.getByRole('textbox', { name: 'Password' }).fill(TEST_PASSWORD)
  await tab.getByRole('button', { name: 'Log in' }).click()
  await tab.waitForURL('/player/dashboard')

  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
  await expect(page.getByRole('banner').getByText('Hi, Bea')).toBeVisible()
  await expect(page.getByText('Logged in as someone else').first()).toBeVisible()
  expect(JSON.stringify(await page.evaluate(() => ({ ...sessionStorage })))).not.toContain('Nobody else may read this.')
})

for (const where of ['here', 'in another tab'] as const) {
  test(`a login ${where} is not undone by an earlier response`, { tag: '@sweep' }, async ({ page, member }) => {
    const { user } = await member('player', { firstName: 'Prompt' })
    const { promise: asked, resolve: heard } = Promise.withResolvers<void>()
    const { promise: late, resolve: release } = Promise.withResolvers<void>()
    await page.route(
      '**/api/user',
      async route => {
        const response = await route.fetch()
        const [status, body] = [response.status(), await response.body()]
        heard()
        await late
        await route.fulfill({ status, body, contentType: 'application/problem+json' })
      },
      { times: 1 },
    )
    await page.goto('/auth')
    const answered = page.waitForResponse('**/api/user')
    await page.getByLabel('Email').click()
    await asked

    const tab = where === 'here' ? page : await page.context().newPage()
    if (tab !== page) await tab.goto('/auth')
    await tab.getByLabel('Email').fill(user.email)
    await tab.getByRole('textbox', { name: 'Password' }).fill(TEST_PASSWORD)
    // Release the response before the page navigates: if it is still pending then, it never arrives.
    const loggedIn = tab.waitForResponse('**/api/login')
    await tab.getByRole('button', { name: 'Log in' }).click()
    expect((await loggedIn).status()).toBe(200)
    release()
    await expect(tab.getByText('Login successful').first()).toBeVisible()
    expect((await answered).status()).toBe(401)
    await tab.waitForURL('/player/dashboard')
    await expect(tab.getByRole('banner').getByText('Hi, Prompt')).toBeVisible()
    expect((await page.context().cookies()).map(c => c.name).sort()).toEqual(['device', 'known', 'session', 'zone'])
  })
}
