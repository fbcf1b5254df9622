import { randomUUID } from 'node:crypto'
import { expect, test } from '../support/signed-in-fixtures.ts'
import { signUpAsPlayer } from './api-setup.ts'
import { waitForEmailedGuardianPath } from './guardian-consent.ts'

test('a guardian refuses, then agrees, and later withdraws consent', { tag: '@sweep' }, async ({
  page,
  app,
  person,
  accessible,
  shoot,
}) => {
  const born = `${new Date().getFullYear() - 14}-01-15`
  const email = `ann.${randomUUID().slice(0, 8)}@example.com`
  await signUpAsPlayer(page, 'Zoe', 'Lane', { dateOfBirth: born, guardianName: 'Ann Lane', guardianEmail: email })
  await page.goto('/player/dashboard')
  await expect(page.getByRole('region', { name: 'Waiting for your parent or guardian' })).toBeVisible()

  const ann = await person()
  await ann.goto(await waitForEmailedGuardianPath(app, email))
  await expect(ann.getByRole('heading', { name: 'Can Zoe use DiamondLink?' })).toBeVisible()
  await expect(ann.getByText('Stripe takes card payments')).toBeVisible()
  await expect(ann.getByRole('checkbox')).not.toBeChecked()
  await accessible(ann)
  await shoot('family-asked', ann)
  await ann.getByRole('button', { name: 'No', exact: true }).click()
  await expect(ann.getByRole('heading', { name: 'You said no' })).toBeVisible()
  await shoot('family-refused', ann)
  // The player's open page shows the refusal without a reload.
  await expect(page.getByRole('region', { name: 'Your parent or guardian said no' })).toBeVisible({ timeout: 15_000 })

  await ann.getByRole('link', { name: 'Go to your family page' }).click()
  await expect(ann.getByText('You said no, so Zoe cannot send anything')).toBeVisible()
  await accessible(ann)
  await shoot('family-home', ann)
  await ann.getByRole('link', { name: 'Zoe' }).click()
  await ann.getByRole('button', { name: 'Yes, I agree' }).click()
  await expect(ann.getByRole('button', { name: 'Withdraw consent' })).toBeVisible()
  // Check this message first, because the player's page shows it only for a few seconds.
  await expect(page.getByText('Your parent or guardian agreed', { exact: true })).toBeVisible({ timeout: 15_000 })
  await expect(ann.getByRole('listitem').filter({ hasText: 'Ann Lane refused consent' })).toBeVisible()
  await accessible(ann)
  await shoot('family-child', ann)
  await expect(page.getByRole('region', { name: /parent or guardian/ })).toHaveCount(0)

  await ann.getByRole('button', { name: 'Withdraw consent' }).click()
  const dialog = ann.getByRole('dialog')
  await expect(dialog.getByText('Folders that no instructor has opened are returned to Zoe')).toBeVisible()
  await accessible(ann)
  await shoot('family-withdraw', ann)
  await dialog.getByRole('radio', { name: 'is returned, and nothing is charged' }).check()
  await dialog.getByRole('button', { name: 'Withdraw consent' }).click()
  await expect(ann.getByText('You withdrew your consent, so Zoe cannot send anything new')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('region', { name: 'Your parent or guardian has withdrawn their consent' })).toBeVisible()
})

test('a guardian signs in with an emailed link, and signs out of all sessions', async ({ page, app, person, accessible, shoot }) => {
  const born = `${new Date().getFullYear() - 14}-01-15`
  const email = `bo.${randomUUID().slice(0, 8)}@example.com`
  await signUpAsPlayer(page, 'Tim', 'Lane', { dateOfBirth: born, guardianName: 'Bo Lane', guardianEmail: email })
  const bo = await person()
  await bo.goto('/family')
  await bo.getByLabel('Email').fill(email)
  await bo.getByRole('button', { name: 'Send me a link' }).click()
  await expect(bo.getByRole('heading', { name: 'Check your inbox' })).toBeVisible()
  await accessible(bo)
  const signIn = async () => /(\/family\?token=[\w-]{43})/.exec((await app.letters(email)).map(l => l.text).join())?.[1]
  await expect.poll(signIn).toBeTruthy()
  await bo.goto((await signIn())!)
  await bo.getByRole('button', { name: 'Open' }).click()
  await expect(bo.getByRole('link', { name: 'Tim' })).toBeVisible()
  expect(new URL(bo.url()).search).toBe('')
  await shoot('family-devices', bo)
  await bo.getByRole('button', { name: 'Log out everywhere' }).click()
  await expect(bo.getByRole('button', { name: 'Send me a link' })).toBeVisible()
})
