import { readFile } from 'node:fs/promises'
import { v7 } from 'uuid'
import { expect, test } from '../support/playwright-base-fixtures.ts'
import { ensureTestClip, ffmpegPath } from '../support/test-clips.ts'
import {
  addVideo,
  callApi,
  createFolderWithVideo,
  saveCardByApi,
  signUpAsInstructor,
  signUpAsPlayer,
  waitForFolderStatus,
} from './api-setup.ts'
import { shownComparedFrameNumbers, waitForComparedFrames, waitForFrame } from './shown-frame.ts'
import { createStartedReview, fetchDraftOf, noteField, waitForPreparedVideos, waitForSavedDraft } from './studio-setup.ts'

test('two angles run on one timeline for instructor, player and guest (needs ffmpeg)', { tag: '@sweep' }, async ({
  page,
  person,
  shoot,
  accessible,
}) => {
  test.skip(!ffmpegPath, 'ffmpeg is not installed, so the clip cannot be made')
  const instructor = await person()
  const coach = await signUpAsInstructor(instructor)
  await signUpAsPlayer(page)
  await saveCardByApi(page)
  const { folder, video: side } = await createFolderWithVideo(page, 'Tee work', await readFile(await ensureTestClip('crack-240.mp4')))
  const front = await addVideo(page, folder, await readFile(await ensureTestClip('crack-60.mp4')), { name: 'front.mp4' })
  const assignment = v7()
  await callApi(page, 'POST', `/api/folders/${folder}/assign`, { assignment, instructor: coach.id, message: 'Please.' })
  await callApi(instructor, 'POST', `/api/folders/${folder}/review`)
  await waitForPreparedVideos(instructor, folder, { clips: 2 })
  await instructor.goto(`/instructor/folder/${folder}`)
  await waitForFrame(instructor, 0)

  // The clips are synced on the hit that is heard in both, and each continues at its own rate: four frames at 240 per second last as long
  // as one at 60.
  const body = instructor.locator('body')
  await body.press('c')
  await instructor
    .getByRole('region', { name: 'Tee work' })
    .getByRole('button', { name: /^front\.mp4/ })
    .click()
  await instructor.getByRole('button', { name: 'Sync by sound' }).click()
  await expect(instructor.getByText('Synced on the hit that is heard in both.')).toBeVisible()
  const aligned = instructor.locator('[data-state=ready]')
  await expect(aligned).toHaveAttribute('data-shown', /^1(50|51|52),(39|40|41)$/)
  const [a, b] = (await aligned.getAttribute('data-shown'))!.split(',').map(Number) as [number, number]
  expect(await shownComparedFrameNumbers(instructor)).toEqual([a, b])
  await instructor.getByRole('slider', { name: 'Position of both clips' }).fill('100.5')
  await waitForComparedFrames(instructor, [a + 24, b + 6])
  expect(await shownComparedFrameNumbers(instructor)).toEqual([a + 24, b + 6])

  // A note stores both frames and leads back to them.
  await body.press('m')
  await noteField(instructor).fill('Hips before hands, from both sides.')
  await waitForSavedDraft(instructor)
  await accessible(instructor)
  await shoot('studio-two-angles', instructor)
  const draft = await fetchDraftOf(instructor, folder)
  expect(draft.notes).toMatchObject([{ video: side, frame: a + 24, otherAngle: { video: front, frame: b + 6 } }])
  await instructor.getByRole('button', { name: 'Back to the video' }).click()
  await waitForFrame(instructor, 0)
  await instructor.getByRole('button', { name: 'Show note 1 from both angles' }).click()
  await waitForComparedFrames(instructor, [a + 24, b + 6])

  await callApi(instructor, 'POST', `/api/folders/${folder}/feedback`, { ...draft, summary: 'Watch the hips from both sides.' })
  await waitForFolderStatus(page, folder, 'feedback-given')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/player/folder/${folder}`)
  await page.getByRole('button', { name: /^Watch with Ray/ }).click()
  // The note shows both clips, each at the frame that the note stores for it.
  await waitForComparedFrames(page, [a + 24, b + 6])
  await page.getByRole('button', { name: 'Pause', exact: true }).first().click()
  await expect(page.getByText('Hips before hands, from both sides.').locator('visible=true').first()).toBeVisible()
  await shoot('player-two-angles')
  await accessible()
  await page.reload()
  await page.getByRole('heading', { name: 'From two angles' }).scrollIntoViewIfNeeded()
  await page.getByRole('button', { name: /^Note 1, from two angles/ }).click()
  await waitForComparedFrames(page, [a + 24, b + 6])
  await page.getByRole('button', { name: 'Both: next frame' }).click()
  await waitForComparedFrames(page, [a + 25, b + 6])

  const link = await callApi(page, 'POST', `/api/folders/${folder}/links?session=${assignment}`, { id: v7(), name: 'Grandma' })
  const { token } = await link.json()
  const guest = await person({ viewport: { width: 390, height: 844 } })
  await guest.goto(`/shared/${token}`)
  await guest.getByRole('button', { name: /^Watch with Ray/ }).click()
  await waitForComparedFrames(guest, [a + 24, b + 6])
  await accessible(guest)
  await shoot('shared-two-angles', guest)
})

test('an onion skin shows neighboring frames, to the player as well (needs ffmpeg)', { tag: '@sweep' }, async ({
  page,
  person,
  shoot,
  accessible,
}) => {
  test.skip(!ffmpegPath, 'ffmpeg is not installed, so the clip cannot be made')
  const player = await person()
  const { folder, video } = await createStartedReview(page, player, await ensureTestClip('no-b.mp4'))
  await page.goto(`/instructor/folder/${folder}`)
  await waitForFrame(page, 0)
  await page.getByRole('slider', { name: 'Position', exact: true }).fill('30')
  await waitForFrame(page, 30)
  await page.locator('body').press('c')
  await page.getByRole('button', { name: 'Overlay nearby frames' }).click()
  await waitForComparedFrames(page, [30, 30])
  const canvas = page.locator('canvas[role=img]')
  const colors = () =>
    canvas.evaluate((c: HTMLCanvasElement) =>
      [...c.getContext('2d')!.getImageData(0, 0, c.width, c.height).data].filter((_, i) => i % 997 === 0),
    )
  const opaque = await colors()
  await page.getByRole('slider', { name: 'Overlay' }).fill('80')
  await expect.poll(colors).not.toEqual(opaque)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await expect(page.getByLabel('Show two frames before and after')).toBeChecked()
  const plain = await colors()
  await page.getByLabel('Tint the clip on top').check()
  await expect.poll(colors).not.toEqual(plain)
  await accessible()
  await shoot('studio-onion-skin')
  await waitForSavedDraft(page)
  const draft = await fetchDraftOf(page, folder)
  expect(draft.comparisons).toMatchObject([
    {
      mode: 'ghost',
      onionSkin: { opacity: 80, tinted: true, around: [-2, -1, 1, 2] },
      sides: [
        { video, origin: 30 },
        { video, origin: 30 },
      ],
    },
  ])

  await callApi(page, 'POST', `/api/folders/${folder}/feedback`, { ...draft, summary: 'See the path of the hands.' })
  await waitForFolderStatus(player, folder, 'feedback-given')
  await player.setViewportSize({ width: 390, height: 844 })
  await player.goto(`/player/folder/${folder}`)
  await player.getByRole('button', { name: /^Nearby frames/ }).click()
  await waitForComparedFrames(player, [30, 30])
  await expect(player.getByRole('slider', { name: 'Overlay' })).toHaveValue('80')
  await accessible(player)
  await shoot('player-onion-skin', player)
})
