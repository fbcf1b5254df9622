import { readFile } from 'node:fs/promises'
import { expect, test } from '../support/playwright-base-fixtures.ts'
import { sampleVideos } from '../support/sample-media.ts'
import { createReviewedFolder, signUpAsInstructor, signUpAsPlayer } from './api-setup.ts'
import { PREPARATION_TIMEOUT_OPTIONS, waitForPreparedVideos } from './studio-setup.ts'

const video = await readFile(sampleVideos.mp4)

test('a player requests and saves a review video, and a guest can save it, too @sweep', async ({ page, person, accessible, shoot }) => {
  const instructor = await person()
  const coach = await signUpAsInstructor(instructor)
  await signUpAsPlayer(page)
  const { folder } = await createReviewedFolder(page, instructor, coach, 'Tee work', video)
  await waitForPreparedVideos(page, folder)
  await page.goto(`/player/folder/${folder}`)
  const card = page.getByRole('region', { name: 'Save as video' })
  await expect(card).toContainText(/The whole review as one video \(\d:\d\d\)/)
  await card.scrollIntoViewIfNeeded()
  await shoot('review-video-offer')
  await card.getByRole('button', { name: 'Create the video' }).click()
  await expect(card.getByText('We are creating your video…')).toBeVisible()
  await accessible()
  await shoot('review-video-making')
  const save = card.getByRole('button', { name: /^Download video \(/ })
  await expect(save).toBeVisible(PREPARATION_TIMEOUT_OPTIONS)
  await accessible()
  await card.scrollIntoViewIfNeeded()
  await shoot('review-video-ready')
  const [saved] = await Promise.all([page.waitForEvent('download'), save.click()])
  expect(saved.suggestedFilename()).toMatch(/^Review \d{4}-\d\d-\d\d\.mp4$/)
  const file = await readFile(await saved.path())
  expect(file.toString('latin1', 4, 8)).toBe('ftyp')

  await page.getByRole('button', { name: 'Private links' }).click()
  await page.getByRole('button', { name: 'Create link' }).click()
  const url = await page
    .getByRole('dialog')
    .getByText(/\/shared\/[\w-]{43}$/)
    .textContent()
  const guest = await person({ viewport: { width: 390, height: 844 } })
  await guest.goto(url!)
  const saveAsGuest = guest.getByRole('button', { name: /^Download video \(/ })
  await saveAsGuest.scrollIntoViewIfNeeded()
  await accessible(guest)
  const [savedByGuest] = await Promise.all([guest.waitForEvent('download'), saveAsGuest.click()])
  expect((await readFile(await savedByGuest.path())).length).toBe(file.length)
})
