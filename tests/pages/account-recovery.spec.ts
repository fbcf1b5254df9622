import { expect, test } from '../support/signed-in-fixtures.ts'

const link = (letter: { html?: string; text?: string } | undefined, path: string) =>
  new RegExp(`${path}[^"\\s<>)]+`).exec(letter?.html ?? letter?.text ?? '')?.[0].replaceAll('&amp;', '&') ?? ''

// @spec:2.18
test('a password reset link works once and ends all other sessions', { tag: '@sweep' }, async ({
  page,
  app,
  member,
  accessible,
  problems,
}) => {
  problems.expect(/410/)
  const { user, state } = await member('player', { firstName: 'Lee' })
  await page.goto('/forgot-password')
  await page.getByLabel('Email').fill('not an address')
  await page.getByRole('button', { name: 'Send the link' }).click()
  await expect(page.getByText('Invalid email address')).toBeVisible()
  await page.getByLabel('Email').fill(user.email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeFocused()
  await accessible()

  const reset = async () =>
    link(
      (await app.letters(user.email)).find(l => /password/i.test(l.subject)),
      '/reset-password\\?token=',
    )
  await expect.poll(reset).toContain('token=')
  const address = await reset()
  await page.goto(address)
  await page.getByLabel('New password').fill('short')
  await page.getByRole('button', { name: 'Save password' }).click()
  await expect(page.getByText('Password must be at least 8 characters')).toBeVisible()
  await page.getByLabel('New password').fill('a new long password')
  await page.getByRole('button', { name: 'Save password' }).click()
  await page.waitForURL('/auth')
  await expect(page.getByText('Log in with your new password.').first()).toBeVisible()

  const other = await page.context().browser()!.newContext({ storageState: state, baseURL: app.url })
  expect((await other.request.get('/api/user')).status()).toBe(401)
  await other.close()

  // Simulate that the link is used in another tab while the form is open in this one.
  await page.route('**/api/links/**', route => route.fulfill({ json: { works: true } }), { times: 1 })
  await page.goto(address)
  await page.getByLabel('New password').fill('yet another password')
  await page.getByRole('button', { name: 'Save password' }).click()
  await expect(page.getByText('This link has already been used or has expired. Ask for a new one.').first()).toBeVisible()
})

test('an invalid link immediately says that it does not work and what to do', { tag: '@sweep' }, async ({ page, accessible }) => {
  for (const [address, form, way, to] of [
    ['/reset-password?token=guessed', 'New password', 'Ask for a new link', '/forgot-password'],
    ['/admin/register?token=guessed', 'First name', 'Log in', '/admin/login'],
  ] as const) {
    await page.goto(address)
    await expect(page.getByRole('heading', { name: 'This link does not work' })).toBeFocused()
    await expect(page.getByLabel(form, { exact: true })).toBeHidden()
    await expect(page.getByRole('alert').getByRole('link', { name: way })).toHaveAttribute('href', to)
    await accessible()
    // Without a token in its URL, the page cannot know that the link does not work.
    await page.goto(new URL(page.url()).pathname, { waitUntil: 'networkidle' })
    await expect(page.getByLabel(form, { exact: true })).toBeVisible()
  }
})

// @spec:2.19
test('the forgot-email page shows the same notice if no account matches', { tag: '@sweep' }, async ({ page }) => {
  await page.goto('/forgot-email')
  await page.getByLabel('Phone').fill('123')
  await page.getByRole('button', { name: 'Find my account' }).click()
  await expect(page.getByText('Phone number must be at least 10 digits')).toBeVisible()
  await page.getByLabel('Phone').fill('555 000 0000')
  await page.getByLabel('First name').fill('Nobody')
  await page.getByLabel('Last name').fill('Atall')
  await page.getByRole('button', { name: 'Find my account' }).click()
  await expect(page.getByRole('heading', { name: 'Check your inboxes' })).toBeVisible()
})
