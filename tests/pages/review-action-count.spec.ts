import { readFile } from 'node:fs/promises'
import { createActionCountingDriver } from '../support/action-counting-driver.ts'
import { expect, test } from '../support/playwright-base-fixtures.ts'
import { sampleVideos } from '../support/sample-media.ts'
import { createAssignedFolder, signUpAsInstructor, signUpAsPlayer } from './api-setup.ts'
import {
  fetchSessionOf,
  installHummingMicrophone,
  noteField,
  waitForPreparedVideos,
  waitForRecording,
  waitForSavedDraft,
  waitForStage,
} from './studio-setup.ts'

const video = await readFile(sampleVideos.mp4)

/**
 * The maximum number of keys, clicks and strokes for a review with three notes, a drawing, a voice-over, a summary, a goal and a grade.
 * Typed text is not counted.
 */
const MAX_ACTIONS = 14

test('a complete review takes at most 14 actions, from one queue row to the next', { tag: '@sweep' }, async ({
  page,
  person,
  accessible,
  shoot,
}) => {
  await installHummingMicrophone(page)
  const player = await person()
  const coach = await signUpAsInstructor(page)
  await signUpAsPlayer(player)
  const { folder } = await createAssignedFolder(player, coach, 'Tee work', video)
  const { folder: other } = await createAssignedFolder(player, coach, 'Bullpen', video)
  await waitForPreparedVideos(page, folder)
  await waitForPreparedVideos(page, other)
  await page.goto('/instructor/dashboard')
  const driver = createActionCountingDriver(page)

  await driver.click(page.getByRole('link', { name: 'Review: Tee work from Mia Torres' }))
  await waitForSavedDraft(page)
  await waitForStage(page)
  await expect(page.getByText('Mia can still take it back')).toBeVisible()
  await accessible()
  await shoot('instructor-studio-not-begun')
  for (const [number, part] of [0.2, 0.5, 0.8].entries()) {
    await driver.doubleClickStrip(part)
    await expect(noteField(page, number + 1)).toBeFocused()
    await driver.type(`Hands first, ${number + 1}.`)
    await expect(page.getByLabel(`Kind of note ${number + 1}`)).toHaveValue('technique')
  }
  await driver.key('Alt+d')
  const box = (await page.locator('[data-drawing-stage]').boundingBox())!
  const at = (x: number, y: number): [number, number] => [box.x + box.width * x, box.y + box.height * y]
  await driver.stroke(at(0.3, 0.4), at(0.6, 0.6))
  await driver.key('v')
  await waitForRecording(page)
  // Record for a second, so that the voice-over has sound.
  await expect(page.locator('[data-recording=speaking]')).toContainText(/0:01/)
  await driver.key('v')
  await expect(page.locator('[data-voice]')).toBeVisible()
  await driver.key('s')
  await expect(page.getByRole('textbox', { name: 'Summary' })).toBeFocused()
  await driver.type('Lead with the hands.')
  await driver.key('Tab')
  await driver.type('Ten swings off the tee')
  await driver.click(page.getByRole('radio', { name: 'Hitting 55, Above average' }))
  await expect(page.getByRole('heading', { level: 1 })).toContainText('1 of 2 · about 10 min')
  // The first word started the review, so the player can no longer withdraw the session.
  await expect(page.getByText('Mia can still take it back')).toHaveCount(0)
  await driver.click(page.getByRole('button', { name: 'Deliver', exact: true }))
  await accessible()
  await shoot('instructor-deliver-next')
  await driver.click(page.getByRole('button', { name: 'Deliver and next' }))
  await page.waitForURL(`**/instructor/folder/${other}?**`)
  await waitForSavedDraft(page)

  expect(driver.commands()).toBeLessThanOrEqual(MAX_ACTIONS)
  const delivered = async () => (await fetchSessionOf(player, folder))?.review
  await expect.poll(delivered).toMatchObject({
    notes: [{ text: 'Hands first, 1.' }, { text: 'Hands first, 2.' }, { text: 'Hands first, 3.', shapes: [{ tool: 'pen' }] }],
    voices: [{}],
    summary: 'Lead with the hands.',
    goals: [{ text: 'Ten swings off the tee' }],
    grades: [{ skill: 'hitting', grade: 55 }],
  })
})
