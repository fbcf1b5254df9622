import { expect, PASSWORD, test } from '../support/members.ts'

test('where an account is signed in is listed, and ended from anywhere', async ({ as, member, app }) => {
  const { user } = await member('player', { firstName: 'Two' })
  const page = await as('player', { firstName: 'Dev' })
  const other = await page.context().browser()!.newContext({ baseURL: app.url })
  const email = (await (await page.request.get('/api/user')).json()).email
  await other.request.post('/api/login', { headers: { origin: app.url }, data: { username: email, password: PASSWORD } })
  expect((await other.request.get('/api/user')).status()).toBe(200)

  await page.goto('/account')
  await expect(page.getByText('This one')).toBeVisible()
  await page.getByRole('button', { name: /^Sign out / }).click()
  await expect(page.getByText('Signed out there').first()).toBeVisible()
  expect((await other.request.get('/api/user')).status()).toBe(401)
  expect(user.firstName).toBe('Two')
  await other.close()
})

test('what was typed survives a session that ends in the middle of a form', async ({ as, accessible }) => {
  const page = await as('instructor', { firstName: 'Lost' })
  await page.goto('/instructor/profile-editor')
  await page.getByLabel('About').fill('An hour of writing.')
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Save profile' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
  await expect(dialog).toBeVisible()
  await accessible(page)
  await dialog.getByLabel('Password').fill('wrong')
  await dialog.getByRole('button', { name: 'Log in' }).click()
  await expect(dialog.getByText('Invalid username or password. Please try again.')).toBeVisible()
  await dialog.getByLabel('Password').fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Log in' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByLabel('About')).toHaveValue('An hour of writing.')
  await page.getByRole('button', { name: 'Save profile' }).click()
  await expect(page.getByText('Profile saved').first()).toBeVisible()
})
