import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, test } from '../support/playwright-base-fixtures.ts'
import { readBurnedInFrameNumber } from '../support/read-burned-in-frame-number.ts'
import { ensureTestClip, ffmpegPath } from '../support/test-clips.ts'
import { callApi, createAssignedFolder } from './api-setup.ts'
import { waitForFrame } from './shown-frame.ts'
import { createStartedReview, fetchSessionOf, waitForPreparedVideos, waitForSavedDraft } from './studio-setup.ts'

test.skip(!ffmpegPath, 'ffmpeg is not installed, so the clip cannot be made')

/** Reads the burned-in number of a canvas or video, or of its part between `from` and `to`, which are fractions of its width. */
const burnedInNumber = (page: Page, selector: string, from = 0, to = 1) =>
  page.locator(selector).evaluate(
    (of: HTMLCanvasElement | HTMLVideoElement, { read, from, to }) => {
      const seen = new Function(`return (${read})`)() as typeof readBurnedInFrameNumber
      const [width, height] = of instanceof HTMLVideoElement ? [of.videoWidth, of.videoHeight] : [of.width, of.height]
      const part = document.createElement('canvas')
      part.width = Math.round(width * (to - from))
      part.height = height
      part.getContext('2d')!.drawImage(of, width * from, 0, part.width, height, 0, 0, part.width, height)
      return seen(part, part.width, part.height)
    },
    { read: readBurnedInFrameNumber.toString(), from, to },
  )

/** Asserts that the still of a frame shows that frame's burned-in number. */
const expectStill = (page: Page, frame: number) =>
  expect
    .poll(() =>
      page.locator(`img[data-still="${frame}"]`).evaluateAll((all: HTMLImageElement[], read) => {
        const seen = new Function(`return (${read})`)() as typeof readBurnedInFrameNumber
        const [img] = all
        return img?.naturalWidth ? seen(img, img.naturalWidth, img.naturalHeight) : null
      }, readBurnedInFrameNumber.toString()),
    )
    .toBe(frame)

/** Creates a folder under review with a clip at 240 frames per second, in which the crack of a bat is heard at frame 151. */
async function startReview(page: Page, player: Page) {
  const its = await createStartedReview(page, player, await ensureTestClip('crack-240.mp4'))
  await waitForPreparedVideos(page, its.folder)
  return its
}

test('the strip has stills of the whole clip, and dragging ends on the exact frame', { tag: '@sweep' }, async ({ page, person }) => {
  const player = await person()
  const { folder } = await startReview(page, player)
  await page.goto(`/instructor/folder/${folder}`)
  await waitForSavedDraft(page)
  await waitForFrame(page, 0)
  const strip = page.locator('canvas[data-stills]')
  await expect(strip).toBeVisible()
  // The stills are in order, and each shows a frame from its part of the clip.
  const { width, height } = (await strip.boundingBox())!
  const many = Math.round(width / ((height * 384) / 216))
  for (const i of [0, Math.floor(many / 2), many - 1]) {
    const number = await burnedInNumber(page, 'canvas[data-stills]', i / many, (i + 1) / many)
    expect(Math.abs(number - ((i + 0.5) / many) * 300)).toBeLessThanOrEqual(5)
  }

  const at = page.getByRole('slider', { name: 'Position' })
  const box = (await at.boundingBox())!
  const y = box.y + box.height / 2
  await page.mouse.move(box.x + box.width * 0.1, y)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.9, y, { steps: 25 })
  await page.mouse.move(box.x + box.width * 0.4, y, { steps: 25 })
  await page.mouse.up()
  const frame = Number(await at.inputValue())
  expect(Math.abs(frame - 0.4 * 299)).toBeLessThan(4)
  await waitForFrame(page, frame)
  expect(await burnedInNumber(page, '[data-drawing-stage] video')).toBe(frame)
})

test('positions set by key and by sound appear for the player next to earlier ones', { tag: '@sweep' }, async ({
  page,
  person,
  shoot,
  accessible,
}) => {
  const player = await person()
  const earlier = await startReview(page, player)
  const at = (name: string, frame: number) => ({ video: earlier.video, skill: 'hitting', name, frame, by: 'hand' })
  await callApi(page, 'POST', `/api/folders/${earlier.folder}/feedback`, {
    notes: [],
    summary: 'Earlier foot.',
    grades: [],
    checkpoints: [at('stride', 100), at('contact', 148)],
  })
  const { folder, video } = await createAssignedFolder(
    player,
    earlier.coach,
    'A week later',
    await readFile(await ensureTestClip('crack-240.mp4')),
  )
  await callApi(page, 'POST', `/api/folders/${folder}/review`)
  await waitForPreparedVideos(page, folder)
  await page.goto(`/instructor/folder/${folder}`)
  await waitForSavedDraft(page)
  await waitForFrame(page, 0)
  const body = page.locator('body')
  const slider = page.getByRole('slider', { name: 'Position' })

  // With keyboard shortcuts, set the third position at frame 104 and the first at frame 20, and go back and forth between them.
  await slider.fill('104')
  await body.press('Shift+3')
  await expect(page.getByRole('button', { name: 'Go to stride, frame 105' })).toBeVisible()
  await slider.fill('20')
  await body.press('Shift+1')
  await body.press('}')
  await waitForFrame(page, 104)
  await body.press('{')
  await waitForFrame(page, 20)

  // The crack of the bat is at frame 151, 629 ms into the clip; an earlier footstep is louder.
  await page.getByRole('button', { name: 'Find contact by sound' }).click()
  await expect(page.getByText(/^(Sound 1 of \d|One sound stands out)\. /)).toBeVisible()
  const heard = Number(await slider.inputValue())
  expect(Math.abs(heard - 151)).toBeLessThanOrEqual(1)
  await expect(page.getByText(`Frame ${heard + 1}, by sound`).first()).toBeVisible()
  await expect(page.locator('[data-mark="Contact"]')).toBeAttached()
  await page.getByRole('tab', { name: /^Summary/ }).click()
  await page.getByRole('textbox', { name: 'Summary', exact: true }).fill('On time now.')
  await page.getByRole('button', { name: 'Deliver', exact: true }).click()
  await expect(page.getByText('Contact was detected by sound and is not confirmed, so it is left out.')).toBeVisible()
  await page.locator('li', { hasText: 'detected by sound' }).getByRole('button', { name: 'Go there' }).click()
  await slider.fill('152')
  await page.getByRole('button', { name: 'Move contact to the frame shown' }).click()
  await expect(page.getByText(/, by sound/)).toHaveCount(0)
  // Contact is 48 frames after stride: 200 ms at 240 frames per second.
  const list = page.getByRole('list', { name: 'Positions', exact: true })
  await expect(list.getByRole('listitem').filter({ hasText: 'Contact' })).toContainText('200 ms')
  for (const frame of [20, 104, 152, 100, 148]) await expectStill(page, frame)
  await shoot('instructor-studio-technique')
  await accessible()

  // Setting the capture rate manually changes all times.
  await page.getByRole('button', { name: 'Other' }).click()
  await page.getByLabel('Frames per second when filmed').fill('480')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(list.getByRole('listitem').filter({ hasText: 'Contact' })).toContainText('100 ms')
  await expect(page.getByText('Filmed at 480 frames per second, as set by hand.')).toBeVisible()
  await page.getByLabel('From', { exact: true }).selectOption('Stance')
  await expect(page.locator('output')).toHaveText('275 ms')
  await waitForSavedDraft(page)
  await page.getByRole('button', { name: 'Deliver', exact: true }).click()
  // Every delivery has to be confirmed in a dialog.
  await page.getByRole('button', { name: 'Deliver feedback' }).click()
  await page.waitForURL('**/instructor/dashboard')

  await player.setViewportSize({ width: 390, height: 844 })
  await expect
    .poll(async () => (await fetchSessionOf(player, folder))?.review?.checkpoints)
    .toEqual([
      { video, skill: 'hitting', name: 'stride', frame: 104, by: 'hand' },
      { video, skill: 'hitting', name: 'stance', frame: 20, by: 'hand' },
      { video, skill: 'hitting', name: 'contact', frame: 152, by: 'hand' },
    ])
  await player.goto(`/player/folder/${folder}`)
  const technique = player.getByRole('region', { name: 'Technique' })
  await technique.scrollIntoViewIfNeeded()
  await expectStill(player, 152)
  await technique.getByRole('button', { name: /^Contact/ }).click()
  await waitForFrame(player, 152)
  expect(await burnedInNumber(player, '[data-drawing-stage] video')).toBe(152)
  await expect(technique.getByText('100', { exact: true })).toBeVisible()
  const beside = technique.getByRole('button', { name: 'Compare with last time' })
  // The bar at the bottom appears a moment after scrolling and may intercept the first click.
  await expect(async () => {
    if ((await beside.getAttribute('aria-pressed')) !== 'true') await beside.click()
    await expect(beside).toHaveAttribute('aria-pressed', 'true', { timeout: 1000 })
  }).toPass()
  await expectStill(player, 148)
  // In the previous session, too, contact came 48 frames after stride, but its video counts as filmed at 240 frames per second.
  await expect(technique.getByText('200', { exact: true })).toBeVisible()
  await shoot('player-folder-technique', player)
  await accessible(player)
})
