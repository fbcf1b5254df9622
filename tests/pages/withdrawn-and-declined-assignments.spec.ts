import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expect, test } from '../support/playwright-base-fixtures.ts'
import { sampleVideos } from '../support/sample-media.ts'
import { callApi, createAssignedFolder, createReviewedFolder, signUpAsInstructor, signUpAsPlayer } from './api-setup.ts'
import { createStartedReview, waitForSavedDraft, waitForStage } from './studio-setup.ts'

const video = await readFile(sampleVideos.mp4)

test('a player withdraws an assignment, and later reads why another was declined', { tag: '@sweep' }, async ({
  page,
  person,
  shoot,
  accessible,
}) => {
  const instructor = await person()
  const coach = await signUpAsInstructor(instructor)
  await signUpAsPlayer(page)
  const { folder } = await createAssignedFolder(page, coach, 'Double plays', video)
  await page.goto(`/player/folder/${folder}`)
  await expect(page.getByRole('button', { name: 'Take it back' })).toBeVisible()
  // The folder is sent again on another device, so this page shows a session that has ended.
  await callApi(page, 'POST', `/api/folders/${folder}/withdraw`)
  await callApi(page, 'POST', `/api/folders/${folder}/assign`, { assignment: randomUUID(), instructor: coach.id })
  await page.getByRole('button', { name: 'Take it back' }).click()
  await expect(page.getByText('This folder was sent again in the meantime.').first()).toBeVisible()
  await page.getByRole('button', { name: 'Take it back' }).click()
  await expect(page.getByRole('button', { name: 'Assign to an instructor' })).toBeVisible()

  await callApi(page, 'POST', `/api/folders/${folder}/assign`, { assignment: randomUUID(), instructor: coach.id })
  await instructor.goto(`/instructor/folder/${folder}`)
  await instructor.getByRole('button', { name: 'Decline' }).click()
  const dialog = instructor.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Decline' }).click()
  await expect(dialog.getByText('Tell the player why')).toBeVisible()
  await dialog.getByLabel('Tell Mia why').fill('I am on the road until Sunday. Ask Jo.')
  await shoot('instructor-decline', instructor)
  await accessible(instructor)
  await dialog.getByRole('button', { name: 'Decline' }).click()
  await expect(instructor).toHaveURL(/\/instructor\/dashboard/)

  await expect.poll(async () => (await (await page.request.get(`/api/folders/${folder}`)).json()).declined?.reason).toContain('road')
  await page.goto('/player/dashboard')
  await page.getByText('Ray Delgado could not review Double plays').click()
  await expect(page.getByText('I am on the road until Sunday. Ask Jo.').first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Assign to an instructor' })).toBeVisible()
  await shoot('player-folder-declined')
  await accessible()
})

test('a declined follow-up names its instructor, and the earlier feedback stays', { tag: '@sweep' }, async ({ page, person }) => {
  const [first, second] = [await person(), await person()]
  const ray = await signUpAsInstructor(first)
  const jo = await signUpAsInstructor(second, 'Jo', 'Kim')
  await signUpAsPlayer(page)
  const { folder } = await createReviewedFolder(page, first, ray, 'Double plays', video)
  // The bill appears a moment later.
  const bill = async () => (await (await page.request.get('/api/billing')).json()).payments[0]
  await expect.poll(bill).toBeDefined()
  const { id, total } = await bill()
  await callApi(page, 'POST', `/api/payments/${id}/pay`, { tip: 0, total })
  const status = async () => (await (await page.request.get(`/api/folders/${folder}`)).json()).status
  await expect.poll(status).toBe('paid')
  await callApi(page, 'POST', `/api/folders/${folder}/assign`, { assignment: randomUUID(), instructor: jo.id })
  await page.goto(`/player/folder/${folder}`)
  await expect(page.getByText(/Jo Kim got it/)).toBeVisible()
  await page
    .getByRole('navigation', { name: 'Sessions' })
    .getByRole('link', { name: /Ray Delgado/ })
    .click()
  await expect(page.getByRole('heading', { name: 'Ray Delgado sums it up' })).toBeVisible()
  await callApi(second, 'POST', `/api/folders/${folder}/decline`, { reason: 'Booked until June.' })
  await expect.poll(status).toBe('paid')
  await page.goto('/player/dashboard')
  await page.getByText('Jo Kim could not review Double plays').click()
  await expect(page.getByText('Jo Kim could not review it this time')).toBeVisible()
  await expect(page.getByText('Booked until June.').first()).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Ray Delgado sums it up' })).toBeVisible()
  await expect(page.getByRole('heading', { name: /^Paid / })).toBeVisible()
  await page.goto('/player/dashboard')
  await expect(page.getByRole('heading', { name: 'Your folders' })).toBeVisible()
  await expect(page.getByText('Double plays').first()).toBeVisible()
  await expect(page.getByText('Jo Kim could not review Double plays')).toBeHidden()
})

test('an instructor declines a folder after the review has begun', { tag: '@sweep' }, async ({ page, person }) => {
  const instructor = await person()
  const { folder } = await createStartedReview(instructor, page)
  await instructor.goto(`/instructor/folder/${folder}`)
  await waitForStage(instructor)
  await instructor.getByRole('button', { name: 'Note', exact: true }).click()
  await waitForSavedDraft(instructor)
  await instructor.getByRole('button', { name: 'Decline this folder' }).click()
  const dialog = instructor.getByRole('dialog')
  await expect(dialog.getByText('What you have added to the review will be deleted.')).toBeVisible()
  await dialog.getByLabel('Tell Mia why').fill('I have the flu.')
  await dialog.getByRole('button', { name: 'Decline' }).click()
  await expect(instructor).toHaveURL(/\/instructor\/dashboard/)
  await page.goto(`/player/folder/${folder}`)
  await expect(page.getByText('I have the flu.').first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Assign to an instructor' })).toBeVisible()
})
