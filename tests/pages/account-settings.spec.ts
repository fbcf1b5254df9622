import { readFile } from 'node:fs/promises'
import { unzipSync } from 'fflate'
import { expect, TEST_PASSWORD, test } from '../support/signed-in-fixtures.ts'

const linkIn = (letter: { html?: string } | undefined, path: string) =>
  new RegExp(`${path}\\?token=[\\w-]+`).exec(letter?.html ?? '')?.[0] ?? ''

test('name, phone and password can be changed on the account page', { tag: '@sweep' }, async ({ as, app, accessible, shoot }) => {
  const page = await as('player', { firstName: 'Misspeled' })
  const { email } = await (await page.request.get('/api/user')).json()
  await page.goto('/account')
  await page.getByLabel('First name').fill('')
  await page.getByRole('button', { name: 'Save name and phone' }).click()
  await expect(page.getByText('First name is required')).toBeVisible()
  await expect(page.getByLabel('First name')).toBeFocused()
  await page.getByLabel('First name').fill('Misspelled')
  await page.getByLabel('Phone').fill('555 010 9999')
  await page.getByRole('button', { name: 'Save name and phone' }).click()
  await expect(page.getByText('Saved').first()).toBeVisible()
  await expect(page.getByRole('banner').getByText('Hi, Misspelled')).toBeVisible()

  const password = page.getByRole('region', { name: 'Password' })
  await password.getByLabel('Current password').fill('not this one')
  await password.getByLabel('New password').fill('four plain words here')
  await password.getByRole('button', { name: 'Change password' }).click()
  await expect(password.getByText('This password is incorrect')).toBeVisible()
  await accessible(page)
  await password.getByLabel('Current password').fill(TEST_PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByText('You were logged out everywhere else.').first()).toBeVisible()
  await expect(password.getByLabel('Current password')).toHaveValue('')
  await expect.poll(async () => (await app.letters(email)).map(l => l.subject).join()).toContain('password was changed')
  await page.reload()
  await expect(password.getByText(/You last changed it on/)).toBeVisible()

  await page.getByRole('combobox', { name: 'Time zone' }).selectOption('America/Los_Angeles')
  await expect(page.getByText('Time zone saved').first()).toBeVisible()
  await shoot('account-settings', page)
  const reminders = page.getByRole('checkbox', { name: 'Send me reminders' })
  await expect(reminders).toBeChecked()
  const saved = page.waitForResponse(answer => answer.url().endsWith('/api/account/letters') && answer.request().method() === 'PUT')
  await reminders.uncheck()
  await saved
  await page.reload()
  await expect(reminders).not.toBeChecked()
  await accessible(page)
  if (process.env.SCREENS) {
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      await page.screenshot({ path: `test-results/screens/account-${width}.png`, fullPage: true })
    }
  }
})

test('a link changes the email; a letter to the old address restores it', { tag: '@sweep' }, async ({ as, app, accessible, person }) => {
  const page = await as('player', { firstName: 'Mover' })
  const { email } = await (await page.request.get('/api/user')).json()
  const next = `moved.${email}`
  await page.goto('/account')
  const section = page.getByRole('region', { name: 'Email' })
  await section.getByLabel('New email').fill(next)
  await section.getByLabel('Your password').fill(TEST_PASSWORD)
  await section.getByRole('button', { name: 'Send the link' }).click()
  await expect(section.getByText(`We sent a link to ${next}.`)).toBeVisible()
  await accessible(page)
  if (process.env.SCREENS) await page.screenshot({ path: 'test-results/screens/account-email.png', fullPage: true })

  const find = async (to: string, path: string) => (await app.letters(to)).map(letter => linkIn(letter, path)).find(Boolean) ?? ''
  await expect.poll(() => find(next, '/change-email')).toContain('token=')
  const mail = await person({})
  await mail.goto(await find(next, '/change-email'))
  await accessible(mail)
  await mail.getByRole('button', { name: 'Use this email' }).click()
  await expect(mail.getByText('Your account now uses this email.')).toBeVisible()
  await page.reload()
  await expect(section.getByText(`You log in with ${next}`)).toBeVisible()

  await expect.poll(() => find(email, '/restore-email')).toContain('token=')
  const address = await find(email, '/restore-email')
  await mail.goto(address)
  await mail.getByRole('button', { name: 'Switch back to this address' }).click()
  await expect(mail.getByRole('link', { name: 'Choose a new password' })).toHaveAttribute('href', '/forgot-password')
  expect((await page.request.get('/api/user')).status()).toBe(401)
  await mail.goto(address)
  await expect(mail.getByRole('heading', { name: 'This link does not work' })).toBeFocused()
})

test('people can download all of their data as one zip file', { tag: '@sweep' }, async ({ as, app, accessible }) => {
  const page = await as('player', { firstName: 'Taking' })
  const { email } = await (await page.request.get('/api/user')).json()
  await page.goto('/account')
  const section = page.getByRole('region', { name: 'Your data' })
  await section.getByRole('button', { name: 'Download everything' }).click()
  const link = section.getByRole('link', { name: 'Download the file' })
  await expect(link).toBeVisible()
  await accessible(page)
  if (process.env.SCREENS) {
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      await section.scrollIntoViewIfNeeded()
      await page.screenshot({ path: `test-results/screens/account-data-${width}.png` })
    }
  }
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  expect(download.suggestedFilename()).toMatch(/^DiamondLink-\d{4}-\d\d-\d\d\.zip$/)
  const files = unzipSync(await readFile(await download.path()))
  expect(JSON.parse(Buffer.from(files['Profile/profile.json']!).toString())).toMatchObject({ firstName: 'Taking', email })
  await expect.poll(async () => (await app.letters(email)).map(l => l.subject).join()).toContain('ready to download')
})
