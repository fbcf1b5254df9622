import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, test } from '../support/playwright-base-fixtures.ts'
import { sampleVideos } from '../support/sample-media.ts'
import {
  callApi,
  createReviewedFolder,
  signInAsAdmin,
  signUpAsInstructor,
  signUpAsPlayer,
  type TestAccount,
  waitForFolderStatus,
} from './api-setup.ts'

const video = await readFile(sampleVideos.mp4)

async function paidSession(player: Page, instructor: Page, coach: TestAccount, name: string) {
  const { folder } = await createReviewedFolder(player, instructor, coach, name, video)
  const bill = async () =>
    (await (await callApi(player, 'GET', '/api/billing')).json()).payments.find((p: { folder: string }) => p.folder === folder)
  await expect.poll(async () => (await bill())?.status).toBe('due')
  const { id, total } = await bill()
  await callApi(player, 'POST', `/api/payments/${id}/pay`, { tip: 0, total })
  await waitForFolderStatus(player, folder, 'paid')
  return { folder, session: id as string }
}

test('@sweep a rating of a session is sent, answered, shown on a profile and hidden', async ({ page, person, app, accessible, shoot }) => {
  const instructor = await person()
  const coach = await signUpAsInstructor(instructor, 'Ray', 'Quillfeather')
  await signUpAsPlayer(page)
  const { folder } = await paidSession(page, instructor, coach, 'Front toss')
  for (const [name, comment] of [
    ['Tee work', 'Clear, and on the exact frame.'],
    ['Live at-bats', ''],
  ] as const) {
    const more = await paidSession(page, instructor, coach, name)
    await callApi(page, 'PUT', `/api/folders/${more.folder}/rating?session=${more.session}`, { stars: 4, comment })
  }

  await page.goto(`/player/folder/${folder}`)
  const card = page.getByRole('region', { name: "How was Ray's feedback?" })
  await card.getByRole('button', { name: 'Send the rating' }).click()
  await expect(card.getByText('Choose 1 to 5 stars')).toBeVisible()
  await card.getByRole('radio', { name: '5 stars' }).check()
  await card.getByLabel('In a few words (optional)').fill('My hands stay back now.')
  await card.scrollIntoViewIfNeeded()
  await accessible()
  await shoot('rating-form')
  await card.getByRole('button', { name: 'Send the rating' }).click()
  const own = page.getByRole('region', { name: 'Your rating' })
  await expect(own.getByRole('img', { name: '5 out of 5 stars' })).toBeVisible()
  await expect(own.getByRole('button', { name: 'Change the rating' })).toBeVisible()
  await shoot('rating-given')

  await instructor.goto(`/instructor/folder/${folder}`)
  const said = instructor.getByRole('region', { name: 'Their comment' })
  await said.getByLabel('Answer this rating').fill('Thank you, Mia. On to the outside pitch.')
  await accessible(instructor)
  await shoot('rating-to-answer', instructor)
  await said.getByRole('button', { name: 'Send the answer' }).click()
  await expect(said.getByText('On to the outside pitch.')).toBeVisible()

  const visitor = await person({ viewport: { width: 390, height: 844 } })
  const profile = async () => {
    await visitor.goto(`/i/${(await (await callApi(page, 'GET', `/api/instructors/${coach.id}`)).json()).user.profileSlug}`)
    return visitor.getByText('4.3 out of 5 from 3 ratings').isVisible()
  }
  await expect.poll(profile).toBe(true)
  await expect(visitor.getByRole('heading', { name: 'What players say' })).toBeVisible()
  await expect(visitor.getByText('My hands stay back now.')).toBeVisible()
  await expect(visitor.getByText('Torres')).toHaveCount(0)
  await accessible(visitor)
  await shoot('profile-ratings', visitor)
  await visitor.setViewportSize({ width: 1440, height: 900 })
  await shoot('profile-ratings-desk', visitor)

  await page.goto('/player/connect-instructor')
  await page.getByLabel('Name or invite code').fill('Quillfeather')
  await expect(page.getByRole('listitem').filter({ hasText: '4.3 out of 5 from 3 ratings' }).first()).toBeVisible()
  await shoot('connect-with-facts')
  await page.goto(`/player/select-instructor/${coach.id}`)
  await expect(page.getByText('My hands stay back now.')).toBeVisible()
  await accessible()
  await shoot('select-with-ratings')

  const admin = await person()
  await signInAsAdmin(admin, app)
  await admin.goto('/admin/instructors?status=approved')
  await admin.getByLabel('Name or email').fill(coach.email)
  // The list shows other instructors until the search is done.
  const file = admin.getByRole('article', { name: 'Ray Quillfeather' }).filter({ hasText: coach.email })
  await file.getByText('Ratings by players').click()
  const rating = file.getByRole('listitem').filter({ hasText: 'My hands stay back now.' })
  await rating.getByRole('button', { name: 'Hide the rating by Mia Torres' }).click()
  const dialog = admin.getByRole('dialog', { name: 'Hide the rating by Mia Torres?' })
  await dialog.getByLabel('Reason').fill('Asked for by the player.')
  await shoot('rating-to-hide', admin)
  await dialog.getByRole('button', { name: 'Hide' }).click()
  await expect(rating.getByText('Hidden: Asked for by the player.')).toBeVisible()
  await accessible(admin)
  await shoot('admin-ratings', admin)
  await page.goto(`/player/select-instructor/${coach.id}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Ray Quillfeather' })).toBeVisible()
  await expect(page.getByText('What players say')).toHaveCount(0)
  await page.goto(`/player/folder/${folder}`)
  await expect(own.getByText('Asked for by the player.')).toBeVisible()
})
