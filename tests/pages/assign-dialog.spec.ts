import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { disablePreloadedData, expect, test } from '../support/playwright-base-fixtures.ts'
import { sampleVideos } from '../support/sample-media.ts'
import {
  callApi,
  createAssignedFolder,
  createFolderWithVideo,
  createReviewedFolder,
  saveCardByApi,
  signUpAsInstructor,
  signUpAsPlayer,
} from './api-setup.ts'
import { chooseInstructorInDialog } from './choose-instructor-in-dialog.ts'
import { fetchSessionOf } from './studio-setup.ts'

const video = await readFile(sampleVideos.mp4)

test('assigning without a card asks for one in the dialog and keeps the message', { tag: '@sweep' }, async ({
  page,
  context,
  person,
  problems,
}) => {
  problems.expect(/409/)
  await signUpAsInstructor(await person(), 'Lou', 'Diaz')
  await signUpAsPlayer(page)
  const { folder } = await createFolderWithVideo(page, 'Slides', video)
  await saveCardByApi(page)
  await page.goto(`/player/folder/${folder}?assign=1`)
  const dialog = page.getByRole('dialog')
  await chooseInstructorInDialog(dialog, 'Lou Diaz')
  await dialog.getByLabel('Anything they should know?').fill('Feet first.')
  await expect(dialog.getByText('Visa ending in 4242')).toBeVisible()
  // Meanwhile, in another tab:
  const other = await context.newPage()
  await other.goto('/player/payment')
  await other.getByRole('button', { name: /^Remove Visa/ }).click()
  await other.getByRole('button', { name: /^Yes, remove Visa/ }).click()
  await expect(other.getByText('ending in 4242')).toBeHidden()
  await dialog.getByRole('button', { name: 'Assign to Lou' }).click()
  await expect(dialog.getByText('Save a card first. You pay only after the feedback.')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Add a card to continue' })).toBeVisible()
  await expect(dialog.getByLabel('Anything they should know?')).toHaveValue('Feet first.')
})

test("a player's only instructor is preselected, and a different choice is kept", { tag: '@sweep' }, async ({ page, person }) => {
  const known = await signUpAsInstructor(await person(), 'Nora', 'Abels')
  const chosen = await signUpAsInstructor(await person(), 'Sam', 'Abelard')
  await signUpAsPlayer(page)
  await callApi(page, 'PUT', `/api/instructors/${known.id}/connection`)
  const { folder } = await createFolderWithVideo(page, 'Hops', video)
  await page.goto(`/player/folder/${folder}?assign=1`)
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('radio', { name: /Nora Abels/ })).toBeChecked()
  await chooseInstructorInDialog(dialog, 'Sam Abelard')
  // Simulate that instructors who registered later have moved this one to the second page of the list.
  await page.route('**/api/instructor-search*', async route => {
    const response = await route.fetch()
    const found = await response.json()
    await route.fulfill({ response, json: { ...found, instructors: found.instructors.filter((i: { id: string }) => i.id !== chosen.id) } })
  })
  await disablePreloadedData(page)
  await page.reload()
  await expect(dialog.getByRole('radio', { name: /^Sam Abelard/ })).toBeChecked()
})

test('the assignment dialog shows why the server refused', { tag: '@sweep' }, async ({ page, person }) => {
  const instructor = await person()
  await signUpAsInstructor(await person(), 'Pia', 'Lund')
  const coach = await signUpAsInstructor(instructor, 'Wes', 'Farr')
  await signUpAsPlayer(page)
  const { folder } = await createAssignedFolder(page, coach, 'Relays', video)
  await callApi(page, 'POST', `/api/folders/${folder}/withdraw`)
  await page.goto(`/player/folder/${folder}?assign=1`)
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Assign', exact: true }).click()
  await expect(dialog.getByText('Choose who should review it')).toBeVisible()
  await chooseInstructorInDialog(dialog, 'Wes Farr')
  // Simulate that the player has removed the video in another tab in the meantime.
  const { id } = await (await page.request.get(`/api/folders/${folder}`)).json().then(f => f.clips[0])
  await callApi(page, 'DELETE', `/api/folders/${folder}/videos/${id}`)
  await dialog.getByRole('button', { name: /^Assign to Wes/ }).click()
  await expect(dialog.getByText('Add a video first')).toBeVisible()
})

test("a follow-up assigned from an earlier session's page is shown", { tag: '@sweep' }, async ({ page, person }) => {
  const instructor = await person()
  const coach = await signUpAsInstructor(instructor, 'Ida', 'Noll')
  await signUpAsPlayer(page)
  const { folder } = await createReviewedFolder(page, instructor, coach, 'Bunts', video)
  const session = await fetchSessionOf(page, folder)
  const bill = async () => (await (await page.request.get('/api/billing')).json()).payments[0]
  await expect.poll(bill).toBeDefined()
  await callApi(page, 'POST', `/api/payments/${session.id}/pay`, { tip: 0, total: (await bill()).total })
  await expect.poll(async () => (await fetchSessionOf(page, folder)).status).toBe('paid')
  await page.goto(`/player/folder/${folder}?session=${session.id}`)
  await page.getByRole('button', { name: 'Assign a follow-up' }).click()
  const dialog = page.getByRole('dialog')
  await chooseInstructorInDialog(dialog, 'Ida Noll')
  await dialog.getByRole('button', { name: 'Assign to Ida' }).click()
  await expect(page.getByText(/Ida Noll got it/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Take it back' })).toBeVisible()
})

test('a folder cannot be assigned while one of its videos is uploading', { tag: '@sweep' }, async ({ page, person }) => {
  await signUpAsInstructor(await person(), 'Una', 'Berg')
  await signUpAsPlayer(page)
  const { folder } = await createFolderWithVideo(page, 'Slides', video)
  await saveCardByApi(page)
  await page.goto(`/player/folder/${folder}`)
  let send = () => {}
  const mayComplete = new Promise<void>(resolve => {
    send = resolve
  })
  await page.route('**/api/uploads/*/complete', async route => {
    await mayComplete
    await route.continue()
  })
  await page.getByLabel('Choose videos').setInputFiles(sampleVideos.webm)
  await expect(page.getByText('Uploaded. Adding it now')).toBeVisible()
  await page.getByRole('button', { name: 'Archive' }).click()
  await expect(page.locator('li[data-state=open]')).toContainText('Videos are still uploading')
  await page.getByRole('button', { name: 'Assign to an instructor' }).click()
  const dialog = page.getByRole('dialog')
  await chooseInstructorInDialog(dialog, 'Una Berg')
  await expect(dialog.getByText(/A video is still uploading/)).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Assign to Una' })).toBeDisabled()
  send()
  await expect(dialog.getByText('Media Service Fee: 2 videos')).toBeVisible()
  await dialog.getByRole('button', { name: 'Assign to Una' }).click()
  await expect(page.getByText(/Una Berg got it/)).toBeVisible()
})

test('cards that did not load are reported, and can be loaded again', { tag: '@sweep' }, async ({ page, person, problems }) => {
  problems.expect(/500|503/)
  await signUpAsInstructor(await person(), 'Gus', 'Orr')
  await signUpAsPlayer(page)
  const { folder } = await createFolderWithVideo(page, 'Grips', video)
  await saveCardByApi(page)
  await disablePreloadedData(page)
  let isDown = true
  await page.route('**/api/billing', route => (isDown ? route.fulfill({ status: 503, body: '{}' }) : route.continue()))
  await page.goto(`/player/folder/${folder}?assign=1`)
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('Your cards did not load')).toBeVisible()
  isDown = false
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await expect(dialog.getByText('Visa ending in 4242')).toBeVisible()
})

test('a minor reads that a guardian must agree, and has the letter sent again', { tag: '@sweep' }, async ({
  page,
  app,
  shoot,
  accessible,
}) => {
  const year = new Date().getFullYear() - 15
  const mail = `guardian.${randomUUID().slice(0, 8)}@example.com`
  await signUpAsPlayer(page, 'Zoe', 'Lane', { dateOfBirth: `${year}-01-15`, guardianName: 'Ann Lane', guardianEmail: mail })
  await page.goto('/player/dashboard')
  const notice = page.getByRole('region', { name: 'Waiting for your parent or guardian' })
  await expect(notice.getByText(`The email went to ${mail}.`)).toBeVisible()
  await shoot('player-dashboard-guardian')
  await accessible()
  await notice.getByRole('button', { name: 'Send it again' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Their name')).toHaveValue('Ann Lane')
  await expect(dialog.getByLabel('Their email')).toHaveValue(mail)
  await dialog.getByLabel('Their email').fill('nonsense')
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(dialog.getByText('Invalid email address')).toBeVisible()
  await accessible()
  await dialog.getByLabel('Their email').fill(`new.${mail}`)
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect(notice.getByText(`The email went to new.${mail}.`)).toBeVisible()
  await expect.poll(async () => (await app.letters(`new.${mail}`)).length).toBe(1)
})
