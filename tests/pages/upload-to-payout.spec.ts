import { basename } from 'node:path'
import type { Page } from '@playwright/test'
import { approveInstructorOfAppProcess } from '../support/approve-instructor.ts'
import { expect, test } from '../support/playwright-base-fixtures.ts'
import { sampleVideos, writePaddedVideo } from '../support/sample-media.ts'
import { TEST_PASSWORD } from '../support/signed-in-fixtures.ts'
import { saveCardOnHostedPage, signInAsAdmin, waitUntilWritesAreVisible } from './api-setup.ts'
import { chooseInstructorInDialog } from './choose-instructor-in-dialog.ts'
import { noteField, waitForSavedDraft, waitForStage } from './studio-setup.ts'

const MB = 1024 * 1024

async function fillPerson(page: Page, first: string, last: string, email: string, born: string) {
  await page.getByLabel('First name').fill(first)
  await page.getByLabel('Last name').fill(last)
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Phone').fill('555 123 4567')
  await page.getByLabel('Date of birth').fill(born)
  await page.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
}

// @spec:4.29
test('a video is uploaded, assigned, reviewed and paid for, and the share is paid out', async ({
  page: player,
  person,
  app,
  shoot,
  accessible,
}) => {
  test.setTimeout(400_000)
  const big = await writePaddedVideo(sampleVideos.mp4, 26 * MB)
  const instructor = await person()
  const stamp = Date.now()

  await test.step('an instructor registers', async () => {
    await instructor.goto('/auth?role=instructor')
    await fillPerson(instructor, 'Rosa', 'Ortega', `rosa.${stamp}@example.com`, '1984-06-02')
    await instructor.getByLabel('Baseball', { exact: true }).check()
    await instructor.getByLabel('Hitting').check()
    await instructor.getByRole('button', { name: 'Create instructor account' }).click()
    await expect(instructor).toHaveURL(/\/instructor\/dashboard/)
    await expect(instructor.getByText('Your queue is empty')).toBeVisible()
    await shoot('instructor-dashboard-empty', instructor)
    await accessible(instructor)
    const { id } = await (await instructor.request.get('/api/user')).json()
    await approveInstructorOfAppProcess(app, id)
  })

  await test.step('a player registers and creates a folder', async () => {
    await player.goto('/auth?role=player')
    await fillPerson(player, 'Mia', 'Torres', `mia.${stamp}@example.com`, '1999-04-01')
    await player.getByRole('button', { name: 'Create player account' }).click()
    await expect(player).toHaveURL(/\/player\/connect-instructor/)
    await player.goto('/player/dashboard')
    await expect(player.getByText('Your first folder')).toBeVisible()
    await shoot('player-dashboard-empty')
    await accessible()
    await player.getByRole('button', { name: 'New folder' }).click()
    await player.getByLabel('Name').fill('Tee work')
    await player.keyboard.press('Enter')
    await expect(player).toHaveURL(/\/player\/folder\//)
  })

  await test.step('a 26 MB video is uploaded in parts, and a MOV in one piece', async () => {
    const parts: string[] = []
    player.on('request', r => r.method() === 'PUT' && new URL(r.url()).pathname.endsWith('/video') && parts.push(r.url()))
    await player.getByLabel('Choose videos').setInputFiles([big, sampleVideos.mov])
    await expect(player.getByRole('progressbar', { name: `Upload of ${basename(big)}` })).toBeVisible()
    await expect(player.getByRole('button', { name: /^Video \d/ })).toHaveCount(2)
    const puts = Object.values(Object.groupBy(parts, url => new URL(url).pathname)).map(of => of?.length)
    expect(puts.sort()).toEqual([1, 4])
    await expect(
      player
        .getByRole('listitem')
        .filter({ hasText: basename(big) })
        .first(),
    ).toContainText('added')
    await player.getByRole('button', { name: 'Play', exact: true }).click()
    await expect(player.getByRole('slider', { name: 'Position' })).not.toHaveValue('0')
    await shoot('player-folder-open')
    await accessible()
  })

  await test.step('assigning requires a card; the choices stay while the card is saved', async () => {
    await player.getByRole('button', { name: 'Assign to an instructor' }).click()
    const dialog = player.getByRole('dialog')
    await chooseInstructorInDialog(dialog, 'Rosa Ortega')
    await dialog.getByLabel('Anything they should know?').fill('My hands drift. Game on Saturday.')
    await expect(dialog.getByText('$16.00')).toBeVisible()
    await expect(dialog).toContainText('never more than $25.00')
    await expect(dialog).toContainText('within 7 days of the feedback')
    await accessible()
    await dialog.getByRole('button', { name: 'Add a card to continue' }).click()
    await saveCardOnHostedPage(player)
    await expect(player).toHaveURL(/\/player\/folder\//)
    await expect(dialog.getByText('Visa ending in 4242')).toBeVisible()
    await expect(dialog.getByLabel('Anything they should know?')).toHaveValue('My hands drift. Game on Saturday.')
    await expect(dialog.getByRole('radio', { name: /Rosa Ortega/ })).toBeChecked()
    await shoot('player-assign')
    await dialog.getByRole('button', { name: 'Assign to Rosa' }).click()
    await expect(player.getByRole('button', { name: 'Take it back' })).toBeVisible()
    await shoot('player-folder-assigned')
    await accessible()
  })

  await test.step('the instructor finds the folder, reviews it and delivers', async () => {
    await waitUntilWritesAreVisible(instructor, player, '/api/queue')
    await instructor.reload()
    await expect(instructor.getByText('1 folder is waiting for you')).toBeVisible()
    await shoot('instructor-dashboard', instructor)
    await accessible(instructor)
    await instructor.getByRole('link', { name: 'Review: Tee work from Mia Torres' }).click()
    await expect(instructor.getByText('My hands drift. Game on Saturday.')).toBeVisible()
    await shoot('instructor-folder-assigned', instructor)
    await accessible(instructor)

    await expect(instructor.getByRole('tab', { name: /Notes/ })).toBeVisible()
    await waitForSavedDraft(instructor)
    await waitForStage(instructor)
    await instructor.getByRole('slider', { name: 'Position' }).fill('21')
    await instructor.locator('body').press('m')
    await noteField(instructor).fill('Balanced here. Stay there.')
    await instructor.getByLabel('Kind of note 1').selectOption('Praise')
    await instructor.getByRole('slider', { name: 'Position' }).fill('45')
    await instructor.getByRole('button', { name: 'Note', exact: true }).click()
    await noteField(instructor, 2).fill('Hands drift forward before the foot is down.')

    await instructor.getByRole('button', { name: 'Deliver', exact: true }).click()
    await expect(instructor.getByText('The summary is empty')).toBeVisible()
    await expect(instructor.getByRole('button', { name: 'Deliver feedback' })).toHaveCount(0)
    await shoot('instructor-deliver-missing', instructor)
    await accessible(instructor)
    await instructor.getByRole('button', { name: 'Go there' }).first().click()
    await instructor.getByRole('textbox', { name: 'Summary' }).fill('Keep the hands back until the foot is down.')
    await instructor.getByRole('radio', { name: 'Hitting 55, Above average' }).check()
    await waitForSavedDraft(instructor)
    await shoot('instructor-studio-summary', instructor)
    await accessible(instructor)

    // After a reload, the studio shows the tab that was open before.
    await instructor.reload()
    await expect(instructor.getByRole('textbox', { name: 'Summary' })).toHaveValue('Keep the hands back until the foot is down.')
    await instructor.getByRole('tab', { name: 'Notes 2' }).click()
    await expect(noteField(instructor, 2)).toHaveValue('Hands drift forward before the foot is down.')
    await shoot('instructor-studio', instructor)
    await accessible(instructor)
    await instructor.getByRole('button', { name: 'Deliver', exact: true }).click()
    await expect(instructor.getByText('2 notes, 1 grade and your summary')).toBeVisible()
    await instructor.getByRole('button', { name: 'Deliver feedback' }).click()
    await expect(instructor).toHaveURL(/\/instructor\/dashboard/)
  })

  await test.step('the player reads the review while it plays', async () => {
    await waitUntilWritesAreVisible(player, instructor, '/api/folders')
    await player.goto('/player/dashboard')
    await expect(player.getByText('Rosa Ortega sent feedback on Tee work')).toBeVisible()
    await shoot('player-dashboard')
    await accessible()
    await player.getByText('Rosa Ortega sent feedback on Tee work').click()
    await expect(player.getByText('Keep the hands back until the foot is down.')).toBeVisible()
    const [first] = [player.getByRole('button', { name: /Balanced here/ })]
    await player.getByRole('button', { name: /^Watch with Rosa · \d:\d\d$/ }).click()
    await expect(first).toHaveAttribute('aria-current', 'true')
    await player.getByRole('button', { name: 'Pause', exact: true }).click()
    await expect(player.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
    await player.getByRole('button', { name: /Hands drift forward/ }).click()
    await expect(player.getByRole('slider', { name: 'Position' })).toHaveValue('45')
    await shoot('player-folder-feedback')
    await accessible()
  })

  await test.step('the player asks a question and gets an answer', async () => {
    await player.getByLabel('Your question').fill('Should I do it with the heavy bat too?')
    await player.getByRole('button', { name: 'Ask', exact: true }).click()
    await expect(player.getByText('has not answered yet')).toBeVisible()
    await waitUntilWritesAreVisible(instructor, player, '/api/queue')
    await instructor.goto('/instructor/dashboard')
    await instructor.getByRole('link', { name: 'Answer: Tee work from Mia Torres' }).click()
    await instructor.getByLabel('Your answer').fill('No. Light and quick.')
    await shoot('instructor-folder-question', instructor)
    await accessible(instructor)
    await instructor.getByRole('button', { name: 'Send the answer' }).click()
    await expect(instructor.getByText('No. Light and quick.')).toBeVisible()
    await waitUntilWritesAreVisible(player, instructor, `/api/folders/${await folderOf(player)}`)
    await player.reload()
    await expect(player.getByText('No. Light and quick.')).toBeVisible()
  })

  await test.step('the player pays with a tip and gets a receipt', async () => {
    await player.getByRole('radio', { name: /^20%/ }).check()
    await player.getByRole('button', { name: 'Pay $19.20' }).click()
    await expect(player.getByRole('heading', { name: 'Paid $19.20' })).toBeVisible()
    await shoot('player-folder-paid')
    await accessible()
    await player.getByRole('link', { name: 'See the receipt' }).click()
    await expect(player.getByRole('heading', { name: /^Receipt DL-/ })).toBeAttached()
    await expect(player.getByText('$19.20')).toHaveCount(2)
    await shoot('player-receipt')
    await accessible()
    await expect.poll(async () => (await app.letters(`mia.${stamp}@example.com`)).map(l => l.subject).join()).toMatch(/receipt/i)
  })

  await test.step('the instructor opens a payout account and gets the share', async () => {
    await instructor.goto('/instructor/payments')
    await expect(instructor.getByText('Held until payouts are set up').first()).toBeVisible()
    await shoot('instructor-payments', instructor)
    await accessible(instructor)
    await instructor.getByRole('button', { name: 'Set up payouts' }).click()
    await instructor.getByRole('button', { name: 'Use test details' }).click()
    await instructor.getByRole('button', { name: 'Submit details' }).click()
    await expect(instructor).toHaveURL(/\/instructor\/payments/)
    await expect(instructor.getByRole('heading', { name: 'Payouts are on' })).toBeVisible()
    await expect.poll(async () => (await (await instructor.request.get('/api/earnings')).json()).transferred).toBe(1520)
    await instructor.reload()
    await expect(instructor.getByRole('cell', { name: 'Paid out' })).toBeVisible()
    // The share is 80% of $15.00 plus the tip of $3.20.
    await expect(instructor.getByText('$15.20').first()).toBeVisible()
    await shoot('instructor-payments-ready', instructor)
    await accessible(instructor)
  })

  await test.step('the administrator sees every event of the folder', async () => {
    const admin = await person()
    await signInAsAdmin(admin, app)
    const folder = /folder\/([\w-]+)/.exec(player.url())?.[1] ?? (await folderOf(player))
    await admin.goto(`/admin/dashboard?folder=${folder}`)
    for (const words of [
      'Mia Torres created the folder “Tee work”',
      `Mia Torres added the video “${basename(big)}”`,
      'Mia Torres assigned the folder for at most $25.00',
      'Rosa Ortega started the review',
      'Rosa Ortega delivered the feedback, 2 notes',
      'Mia Torres asked the question',
      'Rosa Ortega answered the question',
      'A charge of $19.20, $3.20 of it a tip was started',
      'Mia Torres paid $19.20',
      'The instructor was paid $15.20',
      'The folder was paid for',
    ]) {
      await expect(admin.getByText(words).first()).toBeVisible()
    }
    await admin
      .getByRole('button', { name: /^Raw event/ })
      .first()
      .click()
    await expect(admin.getByText('"commandId"')).toBeVisible()
    await shoot('admin-dashboard', admin)
    await accessible(admin)
    await expect(admin.getByRole('heading', { name: 'Everything is running' })).toBeVisible()
  })
})

const folderOf = async (page: Page) => (await (await page.request.get('/api/folders')).json()).folders[0].id as string
