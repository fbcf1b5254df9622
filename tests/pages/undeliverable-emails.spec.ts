import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { birthDateForAge } from '../api/test-server.ts'
import type { AppProcess } from '../support/app-process.ts'
import { expect, test } from '../support/signed-in-fixtures.ts'
import { signUpAsInstructor, signUpAsPlayer } from './api-setup.ts'
import { giveConsentByApi } from './guardian-consent.ts'
import { expectPageFitsAndTargetsAreLarge } from './layout-checks.ts'

/** Makes the mail provider report this outcome for the latest email to an address. */
async function setOutcome(app: AppProcess, email: string, fate: 'bounced' | 'delivered') {
  const latest = async () => (await app.letters(email))[0]?.id
  await expect.poll(latest).toBeTruthy()
  const reply = await fetch(`${app.pages.mailbox}/fates`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ letter: await latest(), fate }),
  })
  expect(await reply.json()).toEqual({ taken: true })
}

test("after consent, player and guardian see that the guardian's emails bounce", { tag: '@sweep' }, async ({
  page: leo,
  app,
  person,
  accessible,
  shoot,
}) => {
  const email = `maria.${randomUUID().slice(0, 8)}@example.com`
  await signUpAsPlayer(leo, 'Leo', 'Santos', { dateOfBirth: birthDateForAge(15), guardianName: 'Maria Santos', guardianEmail: email })
  const maria = await person()
  const [toLeo, toMaria] = [leo.getByText('Our emails are not reaching'), maria.getByText('Our emails are not reaching')]
  const check = async (name: string, page: Page) => {
    await accessible(page)
    await expectPageFitsAndTargetsAreLarge(page)
    await shoot(name, page)
  }

  await setOutcome(app, email, 'bounced')
  await leo.goto('/account')
  await expect(toLeo).toHaveText('Our emails are not reaching this address')
  await expect(leo.getByRole('link', { name: 'your dashboard' })).toHaveAttribute('href', '/player/dashboard')
  await check('undeliverable-guardian-asked', leo)

  await giveConsentByApi(maria, app, email)
  await leo.goto('/player/dashboard')
  await expect(toLeo).toHaveText('Our emails are not reaching your parent or guardian')
  await check('undeliverable-guardian-dashboard', leo)
  await leo.getByRole('link', { name: 'Check their address' }).click()
  await expect(leo.getByRole('region', { name: 'Your parent or guardian' }).getByRole('link', { name: 'contact support' })).toBeVisible()
  await expect(toLeo).toHaveCount(1)
  await expect(toLeo).toBeInViewport()
  await check('undeliverable-guardian-account', leo)
  await maria.goto('/family')
  await expect(toMaria).toHaveText('Our emails are not reaching your address')
  await check('undeliverable-family', maria)

  await setOutcome(app, email, 'delivered')
  for (const [page, path, heading] of [
    [leo, '/player/dashboard', 'Your first folder'],
    [leo, '/account', 'Your parent or guardian'],
    [maria, '/family', 'Your family'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: heading })).toBeVisible()
    await expect(page.getByText('Our emails are not reaching')).toHaveCount(0)
  }
})

test('people whose emails bounce see a notice next to the form to change the address', { tag: '@sweep' }, async ({
  page,
  app,
  accessible,
  shoot,
}) => {
  const { email } = await signUpAsInstructor(page, 'Ray', 'Brannigan')
  const section = page.getByRole('region', { name: 'Email', exact: true })
  const notice = page.getByText(`Our emails are not reaching ${email}`)
  await page.goto('/account')
  await expect(section).toBeVisible()
  await expect(notice).toHaveCount(0)
  await setOutcome(app, email, 'bounced')
  await page.reload()
  await expect(section.getByText(`Our emails are not reaching ${email}`)).toBeVisible()
  await expect(notice).toHaveCount(1)
  await expect(section.getByLabel('New email')).toBeVisible()
  await accessible(page)
  await expectPageFitsAndTargetsAreLarge(page)
  await shoot('undeliverable-account', page)
  await setOutcome(app, email, 'delivered')
  await page.reload()
  await expect(section).toBeVisible()
  await expect(notice).toHaveCount(0)
})
