import { expect, test } from '../support/playwright-base-fixtures.ts'
import { signUpAsInstructor } from './api-setup.ts'

test('an instructor copies and renews the invite code', { tag: '@sweep' }, async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signUpAsInstructor(page)
  await page.goto('/instructor/dashboard')
  const card = page.getByRole('region', { name: 'Invite your players' })
  const code = await card.locator('code').textContent()
  // An instructor without folders sees this action first.
  await page.getByRole('button', { name: 'Copy invite link' }).click()
  await expect(page.getByText('Link copied').first()).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`/invite/${code}`)
  await page.evaluate(() => navigator.clipboard.writeText(''))
  await card.getByRole('button', { name: 'Copy link' }).click()
  await expect(page.getByText('Link copied').first()).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`/invite/${code}`)
  await card.getByRole('button', { name: 'Get a new invite code' }).click()
  // The code shared so far will stop working, so the page asks for confirmation.
  await page.getByRole('dialog', { name: 'Get a new invite code?' }).getByRole('button', { name: 'Get a new code' }).click()
  await expect(card.locator('code')).not.toHaveText(code!)
})
