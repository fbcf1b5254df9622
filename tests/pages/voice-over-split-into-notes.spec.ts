import { expect, test } from '../support/playwright-base-fixtures.ts'
import { createStartedReview, fetchDraftOf, waitForRecording, waitForSavedDraft, waitForStage } from './studio-setup.ts'

test('a voice-over about a whole clip is split into notes at each stop', { tag: '@sweep' }, async ({ page, person, accessible }) => {
  const { folder } = await createStartedReview(page, await person())
  await page.goto(`/instructor/folder/${folder}`)
  await waitForSavedDraft(page)
  await waitForStage(page)
  const body = page.locator('body')
  const spoken = async () => {
    const [, seconds] = /0:(\d+) \/ 5:00/.exec((await page.locator('[data-recording]').textContent())!)!
    return Number(seconds)
  }
  const recordFor = async (seconds: number) => {
    const until = (await spoken()) + seconds
    await expect.poll(spoken).toBeGreaterThanOrEqual(until)
  }
  await page.getByLabel('Speed', { exact: true }).selectOption('0.25')
  const picture = page.locator('[data-drawing-stage]')
  const height = async () => (await picture.boundingBox())!

  await body.press('v')
  await waitForRecording(page)
  // Play the clip right away: if it first stopped after more than 3 s, what was said before the stop would become a separate part.
  await body.press('k')
  // The recording bar covers no part of the picture.
  const bar = (await page.locator('[data-recording]').boundingBox())!
  const seen = await height()
  expect(bar.y).toBeGreaterThanOrEqual(seen.y + seen.height - 1)
  await recordFor(1)
  await body.press('k')
  await body.press('d')
  const at = (x: number, y: number) => [seen.x + seen.width * x, seen.y + seen.height * y] as const
  await page.mouse.move(...at(0.4, 0.4))
  await page.mouse.down()
  await page.mouse.move(...at(0.6, 0.5), { steps: 5 })
  await page.mouse.up()
  await recordFor(2)
  await body.press('Escape')
  await body.press('k')
  await recordFor(1)
  await body.press('k')
  await recordFor(3)
  await page.locator('[data-recording]').getByRole('button', { name: 'Stop' }).click()

  const panel = page.getByRole('region', { name: 'Parts of the voice-over' })
  await expect(panel.getByRole('listitem')).toHaveCount(2)
  await accessible()
  if (process.env.SCREENS) {
    for (const [width, height] of [
      [390, 844],
      [844, 390],
      [820, 1180],
      [1440, 900],
    ] as const) {
      await page.setViewportSize({ width, height })
      await page.screenshot({ path: `test-results/screens/talk-first-${width}.png` })
    }
    await page.setViewportSize({ width: 1440, height: 900 })
  }
  await expect.poll(async () => (await fetchDraftOf(page, folder))?.voices.length).toBe(1)
  const [whole] = (await fetchDraftOf(page, folder)).voices
  await panel.getByLabel('Name of part 1').fill('Hands drift')
  await panel.getByLabel('Name of part 2').fill('Too long')
  // The end of the second part is trimmed.
  await panel.getByRole('slider', { name: /^Position/ }).fill(String(Math.round((whole.milliseconds - 1000) / 50) * 50))
  await panel.getByRole('button', { name: 'End part 2 here' }).click()
  await panel.getByRole('button', { name: 'Merge part 1 with the next' }).click()
  await expect(panel.getByRole('listitem')).toHaveCount(1)
  await panel.getByRole('slider', { name: /^Position/ }).fill('3000')
  await panel.getByRole('button', { name: 'Split here' }).click()
  await panel.getByLabel('Name of part 2').fill('Front side')
  // The first part is recorded again before it becomes a note.
  await panel.getByRole('button', { name: 'Record part 1 again' }).click()
  await waitForRecording(page)
  // On a busy machine the microphone starts a moment after the clock, so the audio is a little shorter than the time shown.
  await recordFor(3)
  await page.locator('[data-recording]').getByRole('button', { name: 'Stop' }).click()
  await expect(panel.getByText(/Recorded again, 0:0[2-9]/)).toBeVisible()
  await expect(panel.getByLabel('Name of part 1')).toHaveValue('Hands drift')
  await accessible()
  await panel.getByRole('button', { name: 'Create 2 notes' }).click()
  await expect(panel).toBeHidden()
  await waitForSavedDraft(page)

  await expect.poll(async () => (await fetchDraftOf(page, folder)).voices).toHaveLength(2)
  const { notes, voices } = await fetchDraftOf(page, folder)
  expect(notes.map((n: { text: string }) => n.text)).toEqual(['Hands drift', 'Front side'])
  expect(notes.map((n: { voice: string }) => n.voice)).toEqual(voices.map((v: { id: string }) => v.id))
  const lengths = voices.map((v: { milliseconds: number }) => v.milliseconds)
  // The first note has the new recording; the second has the rest of the first take.
  expect(lengths[0]).toBeGreaterThanOrEqual(2000)
  expect(Math.abs(lengths[1] - (whole.milliseconds - 1000 - 3000))).toBeLessThan(120)
  await expect(page.locator('[data-voice][data-where=saved]')).toHaveCount(2)
  await page.getByRole('button', { name: /Play the voice-over of note 2/ }).click()
  await expect(page.getByRole('slider', { name: 'Position in the voice-over of note 2' })).toBeVisible()
  // The confirmation before deleting takes the focus and then returns it, so that no key acts as a studio shortcut.
  const bin = page.getByRole('button', { name: 'Delete the voice-over of note 2' })
  await bin.press('Enter')
  await expect(page.getByRole('button', { name: 'Keep', exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(bin).toBeFocused()
})
