import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, test } from '../support/signed-in-fixtures.ts'
import { signUpAsPlayer } from './api-setup.ts'
import { waitForEmailedGuardianPath } from './guardian-consent.ts'

const address = (name: string) => `${name}.${randomUUID().slice(0, 8)}@example.com`
const born = `${new Date().getFullYear() - 14}-01-15`

test('a guardian hands a child over to another guardian, who must agree again', { tag: '@sweep' }, async ({
  page,
  app,
  person,
  as,
  accessible,
  shoot,
}) => {
  const [annsEmail, mosEmail] = [address('ann'), address('mo')]
  const zoe = await signUpAsPlayer(page, 'Zoe', 'Lane', { dateOfBirth: born, guardianName: 'Ann Lane', guardianEmail: annsEmail })
  /** Follows the link in this guardian's newest letter, agrees, and opens Zoe's page. */
  const agree = async (guardian: Page, email: string) => {
    await guardian.goto(await waitForEmailedGuardianPath(app, email))
    await guardian.getByRole('button', { name: 'Yes, I agree' }).click()
    await guardian.getByRole('link', { name: 'Go to your family page' }).click()
    await guardian.getByRole('link', { name: 'Zoe' }).click()
  }
  const ann = await person()
  await agree(ann, annsEmail)
  await ann.getByRole('button', { name: 'Name another guardian' }).click()
  const dialog = ann.getByRole('dialog')
  await dialog.getByLabel('Their name').fill('Mo Lane')
  await dialog.getByLabel('Their email').fill(annsEmail)
  await dialog.getByRole('button', { name: 'Change guardian' }).click()
  await expect(dialog.getByText("This is already the guardian's email address.")).toBeVisible()
  await expect(dialog.getByLabel('Their name')).toHaveValue('Mo Lane')
  await dialog.getByLabel('Their email').fill(mosEmail)
  await accessible(ann)
  await shoot('guardian-hand-over', ann)
  await dialog.getByRole('button', { name: 'Change guardian' }).click()
  await expect(dialog.getByText('Zoe can assign folders again once they agree')).toBeVisible()
  await accessible(ann)
  await shoot('guardian-handed-over', ann)
  await dialog.getByRole('link', { name: 'Your family' }).click()
  await expect(ann.getByRole('heading', { name: 'No players yet' })).toBeVisible()
  await expect.poll(async () => (await app.letters(annsEmail))[0]?.subject).toMatch("You are no longer listed as Zoe's parent or guardian")

  await page.goto('/player/dashboard')
  const waiting = page.getByRole('region', { name: 'Waiting for your parent or guardian' })
  await expect(waiting.getByText(`The email went to ${mosEmail}.`)).toBeVisible()
  await agree(await person(), mosEmail)
  await expect(waiting).toHaveCount(0, { timeout: 15_000 })

  const admin = await as('admin')
  await admin.goto(`/admin/people/${zoe.id}`)
  await admin.getByRole('button', { name: 'Change the guardian' }).click()
  const change = admin.getByRole('dialog')
  await change.getByLabel('Their name').fill('Ann Lane')
  await change.getByLabel('Their email').fill(annsEmail)
  await change.getByRole('button', { name: 'Change the guardian' }).click()
  await expect(change.getByText('Give a reason')).toBeVisible()
  await change.getByLabel('Reason').fill('The mother called us.')
  await accessible(admin)
  await shoot('admin-guardian-change', admin)
  await change.getByRole('button', { name: 'Change the guardian' }).click()
  await expect(change).toHaveCount(0)
  await expect(admin.getByText('changed the parent or guardian of Zoe Lane: “The mother called us.”')).toBeVisible()
  await shoot('admin-guardian-changed', admin)
})
