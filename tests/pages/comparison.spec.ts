import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { v7 } from 'uuid'
import { expect, test } from '../support/playwright-base-fixtures.ts'
import { ensureTestClip, ffmpegPath } from '../support/test-clips.ts'
import { callApi, createFolderWithVideo, saveCardByApi, signUpAsInstructor, signUpAsPlayer, waitForFolderStatus } from './api-setup.ts'
import { shownComparedFrameNumbers, waitForComparedFrames, waitForFrame } from './shown-frame.ts'
import { fetchDraftOf, waitForPreparedVideos, waitForSavedDraft } from './studio-setup.ts'

test('a comparison made with the C key in the studio plays on a phone (needs ffmpeg)', { tag: '@sweep' }, async ({
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
  const folder = async (name: string, file: 'no-b.mp4' | '240.mov') => {
    const made = await createFolderWithVideo(
      page,
      name,
      await readFile(await ensureTestClip(file)),
      file.endsWith('mov') ? 'video/quicktime' : 'video/mp4',
    )
    await callApi(page, 'POST', `/api/folders/${made.folder}/assign`, { assignment: v7(), instructor: coach.id, message: 'Please.' })
    return made
  }
  const june = await folder('Front toss, June', 'no-b.mp4')
  const now = await folder('Front toss, November', '240.mov')
  for (const { folder } of [june, now]) await waitForPreparedVideos(page, folder)

  // June's review has both positions; the instructor sets today's with keys.
  const marked = (name: string, frame: number) => ({ video: june.video, skill: 'hitting', name, frame, by: 'hand' })
  await callApi(instructor, 'POST', `/api/folders/${june.folder}/review`)
  await callApi(instructor, 'POST', `/api/folders/${june.folder}/feedback`, {
    notes: [],
    summary: 'Early with the foot.',
    grades: [],
    checkpoints: [marked('stride', 12), marked('contact', 30)],
  })
  await callApi(instructor, 'POST', `/api/folders/${now.folder}/review`)
  await instructor.goto(`/instructor/folder/${now.folder}`)
  await waitForFrame(instructor, 0)
  const body = instructor.locator('body')
  for (const [frame, position] of [
    [60, 3],
    [100, 4],
  ] as const) {
    await instructor.getByRole('slider', { name: 'Position', exact: true }).fill(String(frame))
    await waitForFrame(instructor, frame)
    await body.press(`Shift+${position}`)
  }
  await body.press('c')
  await expect(instructor.getByRole('heading', { name: 'Compare with' })).toBeVisible()
  await accessible(instructor)
  await shoot('studio-compare-picker', instructor)
  await instructor
    .getByRole('region', { name: 'Front toss, June' })
    .getByRole('button', { name: /30 frames\/s/ })
    .click()
  await waitForComparedFrames(instructor, [100, 0])
  expect(await shownComparedFrameNumbers(instructor)).toEqual([100, 0])

  // Clips synced on a common position show it together, and move on from there at their own rates.
  await instructor.getByRole('button', { name: 'Sync on stride' }).click()
  await waitForComparedFrames(instructor, [60, 12])
  expect(await shownComparedFrameNumbers(instructor)).toEqual([60, 12])
  // Stretched, the second clip takes as long as the first, before the sync point and after it.
  const line = (page: Page) => page.getByRole('slider', { name: 'Position of both clips' })
  await line(instructor).fill('-123')
  await waitForComparedFrames(instructor, [30, 8])
  await instructor.getByRole('button', { name: 'More', exact: true }).click()
  await instructor.getByLabel('Stretch to equal length').check()
  await waitForComparedFrames(instructor, [30, 6])
  expect(await shownComparedFrameNumbers(instructor)).toEqual([30, 6])
  await line(instructor).fill('502')
  await waitForComparedFrames(instructor, [180, 43])
  await line(instructor).press('Home')
  await waitForComparedFrames(instructor, [0, 0])
  await line(instructor).press('End')
  await waitForComparedFrames(instructor, [299, 74])
  expect(await shownComparedFrameNumbers(instructor)).toEqual([299, 74])
  await instructor.getByRole('button', { name: 'Sync on contact' }).click()
  await waitForComparedFrames(instructor, [100, 30])
  expect(await shownComparedFrameNumbers(instructor)).toEqual([100, 30])
  await instructor.getByLabel('Stretch to equal length').uncheck()
  await body.press('Shift+.')
  await waitForComparedFrames(instructor, [110, 31])
  expect(await shownComparedFrameNumbers(instructor)).toEqual([110, 31])
  await body.press('0')
  await waitForComparedFrames(instructor, [100, 30])

  // The second clip moves alone; then both are synced on the shown frames and move together.
  await instructor.getByRole('slider', { name: 'Position of the second clip alone' }).fill('20')
  await waitForComparedFrames(instructor, [100, 20])
  await instructor.getByRole('button', { name: 'Second clip: next frame' }).click()
  await waitForComparedFrames(instructor, [100, 21])
  expect(await shownComparedFrameNumbers(instructor)).toEqual([100, 21])
  await body.press('Shift+.')
  await waitForComparedFrames(instructor, [110, 22])
  expect(await shownComparedFrameNumbers(instructor)).toEqual([110, 22])
  await instructor.getByRole('button', { name: 'Sync here' }).click()
  await body.press('Shift+,')
  await body.press('0')
  await waitForComparedFrames(instructor, [110, 22])
  await instructor.getByRole('spinbutton', { name: 'Delay' }).last().fill('100')
  await waitForComparedFrames(instructor, [110, 19])
  // To compare a left-handed swing with a right-handed one, the instructor mirrors the first clip; the player sees it mirrored, too.
  const mirror = instructor.getByRole('button', { name: 'First clip: mirror' })
  await mirror.click()
  await expect(mirror).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(() => shownComparedFrameNumbers(instructor, [true, false])).toEqual([110, 19])
  await instructor.getByLabel('Stretch to equal length').check()
  await instructor.getByLabel('Title of the comparison').fill('June and now')
  await accessible(instructor)
  await shoot('studio-compare', instructor)
  await instructor.getByText('Overlay', { exact: true }).first().click()
  await waitForSavedDraft(instructor)
  const draft = await fetchDraftOf(instructor, now.folder)
  expect(draft.comparisons).toMatchObject([
    {
      title: 'June and now',
      mode: 'ghost',
      stretch: true,
      sides: [
        { folder: now.folder, video: now.video, origin: 110, offset: 0, scale: 1, mirrored: true },
        { folder: june.folder, video: june.video, origin: 22, offset: 100, scale: 1 },
      ],
    },
  ])

  // The instructor goes back to the video, which is still at the same frame, and then to the comparison again.
  await instructor.locator('[data-side="0"]').click()
  await expect(instructor.getByRole('button', { name: 'Pause both' })).toBeVisible()
  await body.press('Escape')
  await waitForFrame(instructor, 100)
  await body.press('c')
  await expect(instructor.getByLabel('Title of the comparison')).toHaveValue('June and now')
  // During a comparison, keys for the panel work; keys that need the video do not.
  await body.press('Shift+?')
  await expect(instructor.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await instructor.keyboard.press('Escape')
  await expect(instructor.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeHidden()
  for (const name of ['Earlier', 'Notes']) {
    await body.press('b')
    await expect(instructor.getByRole('tab', { name })).toHaveAttribute('aria-selected', 'true')
  }
  await body.press('m')
  await expect(instructor.getByLabel('Title of the comparison')).toHaveValue('June and now')
  await body.press('c')
  await waitForFrame(instructor, 100)
  await instructor.getByRole('tab', { name: 'Technique' }).click()
  await instructor.getByRole('button', { name: 'June and now' }).click()
  await expect(instructor.getByRole('region', { name: 'Comparison', exact: true })).toBeVisible()
  await accessible(instructor)

  await callApi(instructor, 'POST', `/api/folders/${now.folder}/feedback`, {
    ...draft,
    comparisons: [{ ...draft.comparisons[0], stretch: false, mode: 'side' }],
    summary: 'Look how much later the shoulder goes.',
  })
  await page.setViewportSize({ width: 390, height: 844 })
  await waitForFolderStatus(page, now.folder, 'feedback-given')
  await page.goto(`/player/folder/${now.folder}`)
  await expect(page.getByRole('heading', { name: 'Before and after' })).toBeVisible()
  await page.getByRole('button', { name: /^June and now/ }).click()
  await waitForComparedFrames(page, [110, 19])
  expect(await shownComparedFrameNumbers(page, [true, false])).toEqual([110, 19])
  await accessible()
  await shoot('player-before-after')
  await line(page).focus()
  await line(page).press('ArrowRight')
  await waitForComparedFrames(page, [111, 19])
  await line(page).press('.')
  await waitForComparedFrames(page, [112, 19])
  await page.getByText('Slider', { exact: true }).click()
  const divider = page.getByRole('slider', { name: 'Divider' })
  await expect(divider).toHaveAttribute('aria-valuenow', '50')
  const box = (await page.locator('canvas[role=img]').boundingBox())!
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.25, box.y + box.height / 2)
  await page.mouse.up()
  await expect(divider).toHaveAttribute('aria-valuenow', '25')
  await accessible()
  await shoot('player-before-after-slider')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})
