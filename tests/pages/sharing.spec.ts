import { readFile } from 'node:fs/promises'
import { expect, test } from '../support/playwright-base-fixtures.ts'
import { sampleVideos } from '../support/sample-media.ts'
import { createReviewedFolder, signUpAsInstructor, signUpAsPlayer } from './api-setup.ts'
import { waitForPreparedVideos } from './studio-setup.ts'

const video = await readFile(sampleVideos.mp4)

test('a private link shows a review to strangers until it is revoked', { tag: '@sweep' }, async ({
  page,
  person,
  problems,
  accessible,
  shoot,
}) => {
  problems.expect(/404|403/)
  const instructor = await person()
  const coach = await signUpAsInstructor(instructor)
  await signUpAsPlayer(page)
  const { folder } = await createReviewedFolder(page, instructor, coach, 'Tee work of Mia Torres', video)
  await waitForPreparedVideos(page, folder)
  await page.goto(`/player/folder/${folder}`)
  await page.getByRole('button', { name: 'Private links' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share this review' })
  await dialog.getByLabel('Who is it for?').fill('Grandma')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const url = await dialog.getByText(/\/shared\/[\w-]{43}$/).textContent()
  await expect(dialog.getByRole('listitem')).toContainText('Not opened yet')
  await accessible()
  await shoot('player-share')

  const grandma = await person({ viewport: { width: 390, height: 844 } })
  // Respond to the first request for the video as if its URL had expired.
  let isExpired = true
  await grandma.route(
    ({ pathname }) => pathname.includes('/renditions/'),
    route => {
      if (!isExpired) return route.continue()
      isExpired = false
      return route.fulfill({ status: 403, body: 'Request has expired' })
    },
  )
  const renewal = grandma.waitForRequest(/\/api\/shared\/.*renewal=true/)
  await grandma.goto(url!)
  await expect(grandma.getByRole('heading', { level: 1, name: 'Mia’s review' })).toBeVisible()
  await expect(grandma.getByRole('heading', { name: 'Ray sums it up' })).toBeVisible()
  expect(await grandma.locator('meta[name=robots]').getAttribute('content')).toBe('noindex')
  for (const secret of ['Torres', 'Delgado', 'Pay ', '$15', 'swing.mp4']) await expect(grandma.getByText(secret)).toHaveCount(0)
  await accessible(grandma)
  await shoot('shared-review', grandma)
  await grandma.getByRole('button', { name: /^Watch with Ray/ }).click()
  await expect(grandma.getByRole('button', { name: 'Pause' }).first()).toBeVisible()
  await renewal
  await expect(grandma.getByRole('slider', { name: 'Position in the review' })).not.toHaveValue('0')
  await grandma.setViewportSize({ width: 1440, height: 900 })
  await shoot('shared-review-desk', grandma)

  await page.reload()
  await page.getByRole('button', { name: 'Private links' }).click()
  await expect(dialog.getByRole('listitem')).toContainText('Opened once, last just now')
  await dialog.getByRole('button', { name: 'Revoke Grandma' }).click()
  await expect(dialog.getByRole('listitem')).toHaveCount(0)
  await grandma.reload()
  await expect(grandma.getByText('This link does not work')).toBeVisible()
  await accessible(grandma)
  await shoot('shared-review-gone', grandma)
})
