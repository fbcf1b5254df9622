import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { birthDateForAge } from '../api/test-server.ts'
import { sampleVideos } from '../support/sample-media.ts'
import { expect, test } from '../support/signed-in-fixtures.ts'
import { callApi, createReviewedFolder, signUpAsInstructor, signUpAsPlayer } from './api-setup.ts'
import { giveConsentByApi } from './guardian-consent.ts'

test('a guardian changes settings, hands a child over and deletes their own record', { tag: '@sweep' }, async ({
  page,
  app,
  person,
  accessible,
  shoot,
}) => {
  const guardianEmail = `ann.${randomUUID().slice(0, 8)}@example.com`
  const { id } = await signUpAsPlayer(page, 'Zoe', 'Lane', { dateOfBirth: birthDateForAge(14), guardianName: 'Ann Lane', guardianEmail })
  const ann = await person()
  await giveConsentByApi(ann, app, guardianEmail, { timeZone: 'America/Chicago' })

  await ann.goto('/family')
  const zone = ann.getByRole('combobox', { name: 'Time zone' })
  await expect(zone).toHaveValue('America/Chicago')
  await zone.selectOption('Pacific')
  await expect(ann.getByText('Time zone saved', { exact: true })).toBeVisible()
  const reminders = ann.getByRole('checkbox', { name: 'Send me reminders' })
  await expect(reminders).toBeChecked()
  await reminders.uncheck()
  await accessible(ann)
  await shoot('family-settings', ann)
  await expect.poll(async () => (await (await ann.request.get('/api/family/letters')).json()).reminders).toBe(false)
  await ann.reload()
  await expect(zone).toHaveValue('America/Los_Angeles')
  await expect(reminders).not.toBeChecked()

  // A guardian with a child cannot delete their own record.
  await expect(ann.getByRole('button', { name: 'Delete my record' })).toHaveCount(0)
  await callApi(ann, 'POST', `/api/family/children/${id}/guardian`, {
    name: 'Mo Lane',
    email: `mo.${randomUUID().slice(0, 8)}@example.com`,
  })
  await ann.reload()
  await ann.getByRole('button', { name: 'Delete my record' }).click()
  await expect(ann.getByRole('dialog').getByText('Your name, email and saved cards will be deleted')).toBeVisible()
  await accessible(ann)
  await shoot('family-delete', ann)
  await ann.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(ann).toHaveURL('/')
  await ann.goto('/family')
  await expect(ann.getByRole('button', { name: 'Send me a link' })).toBeVisible()
})

test('the link in a reminder turns reminders off; an incomplete link is reported', { tag: '@sweep' }, async ({
  page,
  app,
  person,
  accessible,
  shoot,
}) => {
  const coach = await person()
  const ray = await signUpAsInstructor(coach, 'Ray', 'Brannigan')
  await signUpAsPlayer(page)
  const { folder } = await createReviewedFolder(page, coach, ray, 'Tee work', await readFile(sampleVideos.mp4))
  const { session } = await (await page.request.get(`/api/folders/${folder}`)).json()
  await callApi(page, 'POST', `/api/payments/${session.id}/pay`, { tip: 0, total: 1550 })
  // The instructor has no payout account, so the share is held. The letter that says so is a reminder, and has an unsubscribe link.
  const link = async () => /\/unsubscribe\?token=[\w-]{43}/.exec((await app.letters(ray.email)).map(l => l.html).join())?.[0]
  await expect.poll(link).toBeTruthy()

  const reader = await person()
  await reader.goto('/unsubscribe')
  await expect(reader.getByRole('heading', { name: 'This link is incomplete' })).toBeVisible()
  await expect(reader.getByRole('main').getByRole('button')).toHaveCount(0)
  await accessible(reader)
  await shoot('unsubscribe-incomplete', reader)
  await reader.goto((await link())!)
  await accessible(reader)
  await shoot('unsubscribe', reader)
  await reader.getByRole('button', { name: 'Stop reminders' }).click()
  await expect(reader.getByRole('heading', { name: "You won't get any more reminders" })).toBeVisible()
  const wanted = async () => (await (await coach.request.get('/api/account/letters')).json()).reminders
  expect(await wanted()).toBe(false)
  await reader.getByRole('button', { name: 'Send them again' }).click()
  await expect(reader.getByRole('heading', { name: 'Reminders are back on' })).toBeVisible()
  expect(await wanted()).toBe(true)
})
