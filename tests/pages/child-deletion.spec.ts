import { randomUUID } from 'node:crypto'
import { birthDateForAge } from '../api/test-server.ts'
import { expect, TEST_PASSWORD, test } from '../support/signed-in-fixtures.ts'
import { callApi, signUpAsPlayer } from './api-setup.ts'
import { giveConsentByApi } from './guardian-consent.ts'

test("a guardian schedules a child's account deletion by emailed link, and cancels it", { tag: '@sweep' }, async ({
  page: leo,
  app,
  person,
  accessible,
  shoot,
}) => {
  const maria = await person()
  const guardianEmail = `maria.${randomUUID().slice(0, 8)}@example.com`
  const minor = { dateOfBirth: birthDateForAge(15), guardianName: 'Maria Santos', guardianEmail }
  const { id: child } = await signUpAsPlayer(leo, 'Leo', 'Santos', minor)
  const letter = async (subject: RegExp) => (await app.letters(guardianEmail)).find(l => subject.test(l.subject))?.text ?? ''
  await giveConsentByApi(maria, app, guardianEmail)

  await maria.goto(`/family/children/${child}`)
  const section = maria.getByRole('region', { name: "Delete Leo's account" })
  await section.getByRole('button', { name: 'Email me the link' }).click()
  await expect(section.getByText('We emailed you a link.')).toBeVisible()
  await section.scrollIntoViewIfNeeded()
  await accessible(maria)
  await shoot('child-deletion-link-sent', maria)

  // The link also signs the guardian in, on any device.
  const link = async () => /https?:\/\/\S+delete=\S+/.exec(await letter(/^Delete Leo's DiamondLink account\?/))?.[0]
  await expect.poll(link).toBeTruthy()
  const { pathname, search } = new URL((await link())!)
  await maria.context().clearCookies()
  await maria.goto(pathname + search)
  await maria.getByRole('button', { name: 'Open' }).click()
  const dialog = maria.getByRole('dialog', { name: "Delete Leo's account?" })
  await expect(dialog.getByText("amounts and dates of payments, without Leo's name, as tax law requires")).toBeVisible()
  await accessible(maria)
  await shoot('child-deletion-dialog', maria)
  await dialog.getByRole('button', { name: 'Delete the account' }).click()
  await expect(section.getByText(/Leo's account will be deleted on \w+ \d+, \d{4}\./)).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await expect(maria).not.toHaveURL(/delete=/)
  await expect.poll(() => letter(/will be deleted on/)).toContain("You asked us to delete Leo's account")

  // Leo reads who requested the deletion, and cannot cancel it.
  await leo.goto('/account')
  const own = leo.getByRole('region', { name: 'Delete your account' })
  await expect(own.getByText(/Your parent or guardian asked for this, and only they can keep your account/)).toBeVisible()
  await expect(own.getByRole('button')).toHaveCount(0)
  await accessible(leo)

  await section.getByRole('button', { name: 'Keep the account' }).click()
  await expect(section.getByRole('button', { name: 'Email me the link' })).toBeEnabled()

  // Leo schedules the deletion, and Maria can cancel it or confirm it.
  await callApi(leo, 'POST', '/api/account/deletion', { password: TEST_PASSWORD })
  await maria.reload()
  await expect(section.getByText('Leo asked for this and can still keep the account.')).toBeVisible()
  await expect(section.getByRole('button', { name: 'Keep the account' })).toBeVisible()
  await expect(section.getByRole('button', { name: 'Email me the link' })).toBeEnabled()
  await accessible(maria)
  await shoot('child-deletion-by-child', maria)
})
