import { randomUUID } from 'node:crypto'
import { expect, TEST_PASSWORD, test } from '../support/signed-in-fixtures.ts'
import { signUpAsPlayer } from './api-setup.ts'
import { waitForEmailedGuardianPath } from './guardian-consent.ts'

const born = `${new Date().getFullYear() - 14}-01-15`

test("an administrator closes a minor's account with a reason, and reopens it", { tag: '@sweep' }, async ({
  page,
  app,
  person,
  as,
  accessible,
  shoot,
  problems,
}) => {
  const guardianEmail = `ann.${randomUUID().slice(0, 8)}@example.com`
  const zoe = await signUpAsPlayer(page, 'Zoe', 'Lane', { dateOfBirth: born, guardianName: 'Ann Lane', guardianEmail })
  const ann = await person()
  await ann.goto(await waitForEmailedGuardianPath(app, guardianEmail))
  await ann.getByRole('button', { name: 'Yes, I agree' }).click()
  await expect(ann.getByRole('link', { name: 'Go to your family page' })).toBeVisible()

  const admin = await as('admin')
  await admin.goto(`/admin/people/${zoe.id}`)
  await admin.getByRole('button', { name: 'Close the account' }).click()
  const dialog = admin.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Close the account' }).click()
  await expect(dialog.getByText('Give a reason')).toBeVisible()
  await dialog.getByLabel('Reason').fill('Threats to another player.')
  await accessible(admin)
  await shoot('admin-close-account', admin)
  await dialog.getByRole('button', { name: 'Close the account' }).click()
  await expect(admin.getByText('“Threats to another player.”').first()).toBeVisible()
  await expect(admin.getByText('Closed', { exact: true })).toBeVisible()
  await accessible(admin)
  await shoot('admin-closed-account', admin)
  await expect.poll(async () => (await app.letters(guardianEmail))[0]?.subject).toMatch("We closed Zoe's")

  problems.expect(/401|403/)
  await page.goto('/player/dashboard')
  await page.waitForURL('**/auth**')
  await page.getByLabel('Email').fill(zoe.email)
  await page.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page.locator('#login-error')).toHaveText('We closed this account. Our email to you says why.')

  await ann.goto(`/family/children/${zoe.id}`)
  await expect(ann.getByText("We closed Zoe's account, and will delete it on")).toBeVisible()
  await expect(ann.getByRole('button', { name: 'Keep the account' })).toHaveCount(0)
  await accessible(ann)
  await shoot('guardian-closed-account', ann)

  await admin.getByRole('button', { name: 'Open the account again' }).click()
  await expect(admin.getByRole('button', { name: 'Close the account' })).toBeVisible()
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL('**/player/dashboard')
})
