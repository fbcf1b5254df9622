import { readFile } from 'node:fs/promises'
import type { Route } from '@playwright/test'
import { expect, test } from '../support/playwright-base-fixtures.ts'
import { sampleVideos } from '../support/sample-media.ts'
import { callApi, createReviewedFolder, signInAsAdmin, signUpAsInstructor, signUpAsPlayer } from './api-setup.ts'

const video = await readFile(sampleVideos.mp4)

test('an administrator filters the log, exports it and refunds a payment', { tag: '@sweep' }, async ({
  page,
  person,
  app,
  shoot,
  accessible,
  problems,
}) => {
  const [player, instructor] = [await person(), await person()]
  const coach = await signUpAsInstructor(instructor)
  const mia = await signUpAsPlayer(player)
  const { folder } = await createReviewedFolder(player, instructor, coach, 'Refund me', video)
  const { assignment } = await (await player.request.get(`/api/folders/${folder}`)).json()
  await expect(async () => {
    await callApi(player, 'POST', `/api/payments/${assignment}/pay`, { tip: 300, total: 1550 })
  }).toPass()

  await signInAsAdmin(page, app)
  await page.goto('/admin/dashboard')
  await expect(page.getByRole('heading', { name: 'Everything is running' })).toBeVisible()
  await page.getByLabel('Folder (id)').fill('not an id')
  await page.getByRole('button', { name: 'Show' }).click()
  await expect(page.getByText('That is not a folder ID')).toBeVisible()
  await page.getByLabel('Folder (id)').fill(folder)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`folder=${folder}`))
  await expect(page.getByText('created the folder “Refund me”')).toBeVisible()
  await page.getByLabel('Kind of event').selectOption('FeedbackGiven')
  await page.getByRole('button', { name: 'Show' }).click()
  await expect(page.getByText('created the folder “Refund me”')).toBeHidden()
  await expect(page.getByText('Ray Delgado delivered the feedback, 2 notes')).toBeVisible()
  await expect(page.getByText(/^Checksum of the log as of .*: \d+:[0-9a-f]{64}\. Keep it/)).toBeVisible()
  await shoot('admin-log-narrowed')
  await accessible()
  await page.getByRole('button', { name: 'Compare with the log' }).click()
  await expect(page.getByText('Every payment and package at Stripe is in the log.')).toBeVisible()
  await shoot('admin-compare-stripe')
  await accessible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByRole('button', { name: 'Older', exact: true }).click()
  await page.getByText('created the folder “Refund me”').locator('..').getByRole('button', { name: 'Mia Torres' }).first().click()
  await expect(page).toHaveURL(new RegExp(`actor=${mia.id}`))
  await expect(page.getByText('delivered the feedback')).toBeHidden()

  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export' }).click()
  const lines = (await readFile((await (await download).path())!, 'utf8')).trim().split('\n')
  expect(JSON.parse(lines.pop()!).end).toMatchObject({ filter: { actor: mia.id }, events: lines.length })
  expect(lines.map(line => JSON.parse(line).actor)).toEqual(lines.map(() => mia.id))

  // Days are in the viewer's time zone. In at least one of these zones, today's date differs from the date in UTC.
  for (const timezoneId of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    const away = await person({ timezoneId, storageState: await page.context().storageState() })
    await away.goto(`/admin/dashboard?folder=${folder}`)
    const day = (days: number) => away.evaluate(days => new Date(Date.now() + days * 86_400_000).toLocaleDateString('sv-SE'), days)
    await expect(away.getByText(`your time zone, ${timezoneId}`)).toBeVisible()
    const narrow = async (from: string, to: string) => {
      await away.getByLabel('From', { exact: true }).fill(from)
      await away.getByLabel('To', { exact: true }).fill(to)
      await away.getByRole('button', { name: 'Show', exact: true }).click()
    }
    const made = away.getByText('created the folder “Refund me”')
    await narrow(await day(-1), await day(0))
    await expect(made).toBeVisible()
    await narrow(await day(1), await day(1))
    await expect(away.getByText('Nothing matches')).toBeVisible()
    await narrow(await day(0), await day(0))
    await expect(made).toBeVisible()
  }

  await page.goto(`/admin/dashboard?folder=${folder}`)
  const openPayment = () =>
    page
      .getByRole('button', { name: /^Payment of event/ })
      .first()
      .click()
  await openPayment()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('$18.50').first()).toBeVisible()
  await dialog.getByLabel('Amount, in dollars').fill('99')
  await dialog.getByRole('button', { name: 'Refund' }).click()
  await expect(dialog.getByText('At most $18.50 can still be refunded')).toBeVisible()
  await expect(dialog.getByText('Give a reason')).toBeVisible()
  await shoot('admin-refund')
  await accessible()
  await dialog.getByLabel('Amount, in dollars').fill('5')
  await dialog.getByLabel('Reason').fill('The second clip was too dark to review.')
  // The server records the refund, but the browser gets no response. After a reload, the same refund is sent again.
  problems.expect(/ERR_FAILED/)
  const lost = async (route: Route) => {
    await route.fetch()
    await route.abort()
  }
  await page.route('**/api/admin/payments/*/refund', lost, { times: 1 })
  await dialog.getByRole('button', { name: 'Refund' }).click()
  await expect(dialog.getByText('No connection right now.')).toBeVisible()
  await page.reload()
  await openPayment()
  await expect(dialog.getByLabel('Amount, in dollars')).toHaveValue('5')
  await dialog.getByRole('button', { name: 'Refund' }).click()
  await expect(page.getByText('Refund requested').first()).toBeVisible()
  await expect.poll(async () => (await page.request.get(`/api/admin/events?folder=${folder}`)).text()).toContain('PaymentRefunded')
  await page.reload()
  await expect(page.getByText('was refunded $5.00')).toBeVisible()
  const { events } = await (await page.request.get(`/api/admin/events?folder=${folder}&type=RefundAsked`)).json()
  expect(events).toHaveLength(1)
})
