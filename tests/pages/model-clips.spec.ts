import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { disablePreloadedData, expect, test } from '../support/playwright-base-fixtures.ts'
import { sampleVideos } from '../support/sample-media.ts'
import { callApi, createAssignedFolder, signUpAsInstructor, signUpAsPlayer, waitForFolderStatus } from './api-setup.ts'
import { waitForComparedFrames, waitForFrame } from './shown-frame.ts'
import { fetchDraftOf, PREPARATION_TIMEOUT_OPTIONS, waitForPreparedVideos, waitForSavedDraft } from './studio-setup.ts'

const QUERY = '**/api/model-clips'

/** Chooses a file in the library, and fills in its dialog except for the confirmation of the rights. */
async function addClip(page: Page, file: string, title: string) {
  await page.getByLabel('Choose a model clip').setInputFiles(file)
  const dialog = page.getByRole('dialog', { name: 'New model clip' })
  await dialog.getByLabel('Name').fill(title)
  await dialog.getByLabel('Side').selectOption('Left-handed')
  return dialog
}

test('a model clip is uploaded, compared in a mirrored view, delivered and watched', { tag: '@sweep' }, async ({
  page,
  person,
  accessible,
  shoot,
  problems,
}) => {
  const instructor = await person({ viewport: { width: 1440, height: 900 } })
  const coach = await signUpAsInstructor(instructor)
  await signUpAsPlayer(page)
  const { folder, video } = await createAssignedFolder(page, coach, 'Tee work', await readFile(sampleVideos.mp4))

  await instructor.goto('/instructor/dashboard')
  await instructor.getByRole('link', { name: 'Open your library' }).click()
  await expect(instructor.getByRole('heading', { name: 'Your first model clip' })).toBeVisible()
  await accessible(instructor)
  await shoot('model-clips-empty', instructor)

  // Nothing is sent before the instructor has confirmed the right to show the clip.
  const dialog = await addClip(instructor, sampleVideos.upright, 'A quiet load')
  await dialog.getByRole('button', { name: 'Upload' }).click()
  await expect(dialog.getByText('Confirm that you may show this clip to your players')).toBeVisible()
  await expect(dialog.getByRole('checkbox')).toBeFocused()
  await accessible(instructor)
  await shoot('model-clips-dialog', instructor)
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Upload' }).click()
  const card = instructor.getByRole('listitem').filter({ hasText: 'A quiet load' })
  await expect(card.getByText('Hitting · Left-handed · From the side')).toBeVisible(PREPARATION_TIMEOUT_OPTIONS)
  const clip = card.locator('video')
  await expect(clip).toBeVisible(PREPARATION_TIMEOUT_OPTIONS)

  // An expired URL is replaced once without a word, then the failure is shown.
  problems.expect(/Failed to load resource|403/)
  // The studio fetches the clip again, because scripts cannot read what the library's <video> has cached without CORS.
  problems.expect(/blocked by CORS policy/)
  let expiredResponses = 1
  const isRendition = ({ pathname }: URL) => pathname.includes('/renditions/')
  await instructor.route(isRendition, route =>
    expiredResponses-- > 0 ? route.fulfill({ status: 403, body: 'Request has expired' }) : route.continue(),
  )
  const play = () => clip.evaluate((element: HTMLVideoElement) => element.play().catch(() => {}))
  const isPlaying = () => clip.evaluate((element: HTMLVideoElement) => element.currentTime > 0)
  await play()
  await expect.poll(isPlaying).toBe(true)
  await expect(card.getByRole('alert')).toHaveCount(0)
  expiredResponses = 2
  await clip.evaluate((element: HTMLVideoElement) => element.load())
  await play()
  await expect(card.getByText('This clip did not load. Check your connection.')).toBeVisible()
  await accessible(instructor)
  await shoot('model-clips-failed', instructor)
  await card.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(isPlaying).toBe(true)
  await expect(card.getByRole('alert')).toHaveCount(0)
  await instructor.unroute(isRendition)

  // If a file is not a video, the refusal appears next to the library.
  await (await addClip(instructor, 'package.json', 'Not a video')).getByRole('checkbox').check()
  await instructor.getByRole('button', { name: 'Upload' }).click()
  await expect(instructor.getByText('This is not a video that we can read. Choose an MP4, MOV or WEBM video.')).toBeVisible()
  await accessible(instructor)
  await shoot('model-clips-filled', instructor)

  await waitForPreparedVideos(page, folder)
  await callApi(instructor, 'POST', `/api/folders/${folder}/review`)
  await instructor.goto(`/instructor/folder/${folder}`)
  await waitForFrame(instructor, 0)
  await instructor.locator('body').press('c')
  const models = instructor.getByRole('region', { name: 'Your model clips' })
  await expect(models.getByRole('button', { name: /A quiet load/ })).toBeVisible()
  await accessible(instructor)
  await shoot('studio-compare-picker-model', instructor)
  await models.getByRole('button', { name: /A quiet load/ }).click()
  await waitForComparedFrames(instructor, [0, 0])
  await instructor.getByRole('button', { name: 'More', exact: true }).click()
  await instructor.getByRole('button', { name: 'Second clip: mirror' }).click()
  await accessible(instructor)
  await shoot('studio-compare-model', instructor)
  await waitForSavedDraft(instructor)
  const draft = await fetchDraftOf(instructor, folder)
  expect(draft.comparisons).toMatchObject([
    {
      sides: [
        { folder, video },
        { folder: coach.id, mirrored: true },
      ],
    },
  ])
  await callApi(instructor, 'POST', `/api/folders/${folder}/feedback`, { ...draft, summary: 'Load like this.' })

  await page.setViewportSize({ width: 390, height: 844 })
  await waitForFolderStatus(page, folder, 'feedback-given')
  await page.goto(`/player/folder/${folder}`)
  await page.getByRole('button', { name: /This session and A quiet load/ }).click()
  await waitForComparedFrames(page, [0, 0])
  await accessible()
  await shoot('player-model-clip')

  // Before the deletion, the dialog says that the delivered review keeps the clip.
  await instructor.goto('/instructor/model-clips')
  await card.getByRole('button', { name: 'Delete A quiet load' }).click()
  await expect(instructor.getByText(/^One delivered review shows this clip, and keeps it/)).toBeVisible()
  await accessible(instructor)
  await shoot('model-clips-delete', instructor)
  await instructor.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(instructor.getByRole('heading', { name: 'Your first model clip' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: /This session and A quiet load/ })).toBeVisible()

  // The person in the clip may change their mind later.
  const retained = instructor.getByRole('region', { name: 'Deleted clips in reviews' })
  await retained.getByRole('button', { name: 'Delete A quiet load from reviews' }).click()
  await expect(instructor.getByText('One delivered review shows this clip. The comparisons will then say')).toBeVisible()
  await accessible(instructor)
  await shoot('model-clips-delete-from-reviews', instructor)
  await instructor.getByRole('dialog').getByRole('button', { name: 'Delete from reviews' }).click()
  await expect(retained).toBeHidden()
  await page.reload()
  await expect(page.getByRole('button', { name: /This session and A quiet load/ })).toBeHidden()
})

test('the library shows loading and failed states', { tag: '@sweep' }, async ({ page, accessible, shoot, problems }) => {
  problems.expect(/500/)
  await signUpAsInstructor(page)
  await disablePreloadedData(page)
  let answer = () => {}
  const held = new Promise<void>(resolve => {
    answer = resolve
  })
  await page.route(QUERY, async route => {
    await held
    await route.fulfill({ status: 500, json: { message: 'The library rests.' } })
  })
  await page.goto('/instructor/model-clips')
  await expect(page.getByText('Loading your model clips')).toBeAttached()
  await shoot('model-clips-loading')
  answer()
  await expect(page.getByRole('heading', { name: 'Your model clips did not load' })).toBeVisible()
  await accessible()
  await shoot('model-clips-error')
  await page.unroute(QUERY)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'Your first model clip' })).toBeVisible()
})
