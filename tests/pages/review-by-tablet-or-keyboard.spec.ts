import { readFile } from 'node:fs/promises'
import type { CDPSession, Page } from '@playwright/test'
import { v7 } from 'uuid'
import { expect, test } from '../support/playwright-base-fixtures.ts'
import { ensureTestClip, ffmpegPath } from '../support/test-clips.ts'
import { addVideo, callApi, saveCardByApi, signUpAsInstructor, signUpAsPlayer } from './api-setup.ts'
import { shownComparedFrameNumbers, shownFrameNumber, waitForComparedFrames, waitForFrame } from './shown-frame.ts'
import {
  fetchSessionOf,
  installHummingMicrophone,
  noteField,
  waitForPreparedVideos,
  waitForRecording,
  waitForSavedDraft,
} from './studio-setup.ts'
import { tabTo } from './tab-to.ts'

test.skip(!ffmpegPath, 'ffmpeg is not installed, so the clip cannot be made')

const TABLET = { viewport: { width: 820, height: 1180 }, hasTouch: true }
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true }

/** Waits until the video player has confirmed that it shows `frame`, and until the picture has that burned-in number. */
async function expectShownFrame(page: Page, frame: number) {
  await waitForFrame(page, frame)
  await expect.poll(() => shownFrameNumber(page)).toBe(frame)
}
const waitForSeconds = (page: Page, time: number) => expect(page.locator('[data-recording]')).toContainText(`0:0${time} / 5:00`)
/** Waits until both clips are at these frames, and until their pictures have these burned-in numbers. */
async function expectShownFrames(page: Page, frames: [number, number]) {
  await waitForComparedFrames(page, frames)
  await expect.poll(() => shownComparedFrameNumbers(page)).toEqual(frames)
}

/** Clips of 240, 60 and 30 frames per second with burned-in numbers. In the first one a bat hits the ball at frame 151. */
const CLIPS = { 'swing.mp4': 'crack-240.mp4', 'second.mp4': '60.mp4', 'third.mov': '30.mov' } as const

/** Creates a folder with the three clips and assigns it; waits until the clips are prepared and the instructor can open it. */
async function assignPreparedFolder(coach: Page, player: Page) {
  await installHummingMicrophone(coach)
  const { id } = await signUpAsInstructor(coach)
  await signUpAsPlayer(player)
  await saveCardByApi(player)
  const folder = v7()
  await callApi(player, 'POST', '/api/folders', { id: folder, name: 'Tee work' })
  for (const [name, file] of Object.entries(CLIPS))
    await addVideo(player, folder, await readFile(await ensureTestClip(file)), {
      name,
      type: name.endsWith('mov') ? 'video/quicktime' : 'video/mp4',
    })
  await callApi(player, 'POST', `/api/folders/${folder}/assign`, { assignment: v7(), instructor: id, message: 'Please.' })
  await waitForPreparedVideos(player, folder, { clips: 3 })
  await expect.poll(async () => (await coach.request.get(`/api/folders/${folder}`)).status()).toBe(200)
  return folder
}

/** Expects the content of the finished review, which is the same for touch and keyboard. */
async function expectCompleteReview(page: Page, folder: string) {
  await expect
    .poll(async () => (await fetchSessionOf(page, folder))?.review)
    .toMatchObject({
      summary: 'Hands back until the foot is down.',
      grades: [{ skill: 'hitting', grade: 55 }],
      goals: [{ text: 'Ten slow swings a day' }],
      checkpoints: [{ name: 'contact' }, { name: 'follow-through' }],
      comparisons: [{ mode: 'side' }],
    })
  const { review, clips } = await fetchSessionOf(page, folder)
  // Each note is pinned to a frame of its clip, at that frame's time.
  const pinned = (text: string) => {
    const { video, frame, at } = review.notes.find((n: { text: string }) => n.text === text)
    return [clips.find((c: { id: string }) => c.id === video).name, frame, at]
  }
  expect(pinned('The hands drift.')).toEqual(['swing.mp4', 3, 13])
  expect(pinned('Late foot.')).toEqual(['second.mp4', 4, 67])
  expect(pinned('Good finish.')).toEqual(['third.mov', 3, 100])
  expect(review.voices).toHaveLength(1)
  expect(review.voices[0].actions.map(([, what]: [number, string]) => what)).toContain('seek')
  expect(review.notes.some((n: { shapes?: unknown[] }) => n.shapes?.length)).toBe(true)
  expect(review.notes.some((n: { voice?: string }) => n.voice === review.voices[0].id)).toBe(true)
}

/** Drags a finger along these points of the stage, given as fractions of its width and height. */
async function dragFinger(page: Page, cdp: CDPSession, way: [number, number][]) {
  const box = (await page.locator('[data-drawing-stage]').boundingBox())!
  for (const [i, [x, y]] of way.entries())
    await cdp.send('Input.dispatchTouchEvent', {
      type: i ? 'touchMove' : 'touchStart',
      touchPoints: [{ x: box.x + box.width * x, y: box.y + box.height * y }],
    })
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

test('a review is written by touch on a tablet, and paid for on a phone', { tag: '@sweep' }, async ({ person, accessible }) => {
  const player = await person(PHONE)
  const page = await person(TABLET)
  const tap = (name: string | RegExp) => page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name }).tap()
  const cdp = await page.context().newCDPSession(page)
  const folder = await assignPreparedFolder(page, player)
  await page.goto('/instructor/dashboard')
  await page.getByRole('link', { name: /^Review: Tee work/ }).tap()
  await waitForSavedDraft(page)
  await waitForFrame(page, 0)

  // The instructor draws first, and then writes the text.
  for (let i = 0; i < 3; i++) await tap('Next frame')
  await expectShownFrame(page, 3)
  await tap('Draw')
  await dragFinger(page, cdp, [
    [0.3, 0.5],
    [0.4, 0.6],
    [0.6, 0.5],
  ])
  // The note is behind the full-screen picture.
  await expect(page.getByRole('tab', { name: 'Notes 1', includeHidden: true })).toBeVisible()
  await tap('Stop drawing')
  await noteField(page).fill('The hands drift.')

  // The instructor records a voice-over while stepping through frames.
  await tap('Next frame')
  await tap('Record voice-over')
  await waitForRecording(page)
  for (let i = 0; i < 2; i++) await tap('Next frame')
  await waitForSeconds(page, 1)
  await tap('Stop')
  await expect(page.locator('[data-voice]')).toHaveAttribute('data-where', 'saved')

  // The instructor finds the contact position by its sound, and sets another position manually.
  await page.getByRole('tab', { name: 'Technique' }).tap()
  await tap('Find contact by sound')
  await tap('Confirm')
  await tap('Next frame')
  await tap('Set follow-through here')
  await expect(page.getByRole('list', { name: 'Positions', exact: true })).toContainText('Frame 1524 ms')

  // Two clips are compared side by side.
  await page.getByRole('region', { name: 'Video swing.mp4' }).getByRole('button', { name: 'Compare' }).tap()
  await tap(/^second\.mp4/)
  await expectShownFrames(page, [151, 0])
  // A step is a frame of the faster clip; four steps are a frame of the slower one.
  await tap('Both: next frame')
  await expectShownFrames(page, [152, 0])
  await tap('Sync here')
  await accessible(page)
  await tap('Back to the video')

  // The instructor steps through the other clips, and adds a note to each.
  await tap(/^Video 2/)
  await expectShownFrame(page, 0)
  for (let i = 0; i < 4; i++) await tap('Next frame')
  await expectShownFrame(page, 4)
  await tap('Note')
  await noteField(page, 3).fill('Late foot.')
  await tap(/^Video 3/)
  await expectShownFrame(page, 0)
  for (let i = 0; i < 3; i++) await tap('Next frame')
  await expectShownFrame(page, 3)
  await tap('Note')
  await noteField(page, 4).fill('Good finish.')

  await page.getByRole('tab', { name: 'Summary' }).tap()
  await page.getByRole('textbox', { name: 'Summary' }).fill('Hands back until the foot is down.')
  await page.getByRole('radio', { name: 'Hitting 55, Above average' }).tap()
  await tap('Add a goal')
  await page.getByLabel('Goal 1', { exact: true }).fill('Ten slow swings a day')
  await waitForSavedDraft(page)
  await tap('Deliver')
  // The dialog has this button only if no required part is missing.
  await tap('Deliver feedback')
  await page.waitForURL('**/instructor/dashboard')
  await expectCompleteReview(player, folder)

  // The player uses touch, too.
  const press = (name: string | RegExp) => player.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name }).tap()
  await player.goto(`/player/folder/${folder}`)
  await expect(player.getByText('Hands back until the foot is down.')).toBeVisible()
  await expect(player.getByText('Ten slow swings a day').first()).toBeVisible()
  await press(/^Watch with /)
  await waitForFrame(player, 6)
  await press('Pause')
  await press(/The hands drift/)
  await expectShownFrame(player, 3)
  await press(/Late foot/)
  await expectShownFrame(player, 4)
  await press(/Good finish/)
  await expectShownFrame(player, 3)
  await player
    .getByRole('region', { name: 'Technique' })
    .getByRole('button', { name: /^Contact/ })
    .tap()
  await expect.poll(async () => Number(await player.locator('[data-frame]').getAttribute('data-frame'))).toBeGreaterThan(148)
  await player.getByRole('region', { name: 'From two angles' }).getByRole('button').first().tap()
  await expectShownFrames(player, [152, 0])
  await press('Both: next frame')
  await expectShownFrames(player, [153, 0])
  await accessible(player)
  // The player has not watched the review to its end, so there is no link to the bill, which is at the end of the page.
  await expect(player.getByRole('link', { name: 'See and pay' })).toHaveCount(0)
  await player.getByRole('radio', { name: /^20%/ }).tap()
  await press(/^Pay \$/)
  await expect(player.getByRole('heading', { name: /^Paid \$/ })).toBeVisible()
})

test('a complete review is written and delivered by keyboard alone', { tag: '@sweep' }, async ({ page, person }) => {
  const player = await person()
  const folder = await assignPreparedFolder(page, player)
  const keys = page.keyboard
  await page.goto('/instructor/dashboard')
  await tabTo(page, 'link', /^Review: Tee work/)
  await keys.press('Enter')
  await page.waitForURL(/\/instructor\/folder\//)
  await waitForSavedDraft(page)
  await waitForFrame(page, 0)

  // A drawing and the note's text are added at frame 3.
  for (let i = 0; i < 3; i++) await keys.press('.')
  await expectShownFrame(page, 3)
  await keys.press('d')
  await expect(page.getByRole('application')).toBeFocused()
  await keys.press('Enter')
  for (let i = 0; i < 5; i++) await keys.press('ArrowRight')
  await keys.press('Enter')
  await expect(page.getByRole('tab', { name: 'Notes 1' })).toBeVisible()
  await keys.press('Escape')
  await keys.press('m')
  await expect(noteField(page)).toBeFocused()
  await keys.type('The hands drift.')
  await keys.press('Escape')

  await keys.press('.')
  await keys.press('v')
  await waitForRecording(page)
  for (let i = 0; i < 2; i++) await keys.press('.')
  await waitForSeconds(page, 1)
  await keys.press('v')
  await expect(page.locator('[data-voice]')).toHaveAttribute('data-where', 'saved')

  // Positions are set by their number keys.
  for (let i = 0; i < 2; i++) await keys.press('Shift+.')
  await expectShownFrame(page, 26)
  await keys.press('Shift+4')
  await keys.press('Shift+.')
  await waitForFrame(page, 36)
  await keys.press('Shift+5')
  await keys.press('{')
  await waitForFrame(page, 26)

  await keys.press('c')
  await expect(page.getByRole('heading', { name: 'Compare with' })).toBeVisible()
  await tabTo(page, 'button', /^second\.mp4/)
  await keys.press('Enter')
  await expectShownFrames(page, [26, 0])
  await keys.press('.')
  await expectShownFrames(page, [27, 0])
  await tabTo(page, 'button', 'Sync here')
  await keys.press('Enter')
  await keys.press('c')

  // The instructor steps through the other clips, and adds a note to each.
  await keys.press(']')
  await expect(page.getByRole('button', { name: /^Video 2/ })).toHaveAttribute('aria-pressed', 'true')
  await expectShownFrame(page, 0)
  for (let i = 0; i < 4; i++) await keys.press('.')
  await expectShownFrame(page, 4)
  await keys.press('m')
  await expect(noteField(page, 3)).toBeFocused()
  await keys.type('Late foot.')
  await keys.press('Escape')
  await keys.press(']')
  await expect(page.getByRole('button', { name: /^Video 3/ })).toHaveAttribute('aria-pressed', 'true')
  await expectShownFrame(page, 0)
  for (let i = 0; i < 3; i++) await keys.press('.')
  await expectShownFrame(page, 3)
  await keys.press('m')
  await expect(noteField(page, 4)).toBeFocused()
  await keys.type('Good finish.')
  await keys.press('Escape')

  await keys.press('s')
  await expect(page.getByRole('textbox', { name: 'Summary' })).toBeFocused()
  await keys.type('Hands back until the foot is down.')
  await tabTo(page, 'radio', /^Hitting 20/)
  for (let i = 0; i < 7; i++) await keys.press('ArrowRight')
  await expect(page.getByRole('radio', { name: 'Hitting 55, Above average' })).toBeChecked()
  await tabTo(page, 'button', 'Add a goal')
  await keys.press('Enter')
  await expect(page.getByLabel('Goal 1', { exact: true })).toBeFocused()
  await keys.type('Ten slow swings a day')
  await waitForSavedDraft(page)
  await keys.press('Control+Enter')
  await expect(page.getByRole('dialog')).toBeVisible()
  await tabTo(page, 'button', 'Deliver feedback')
  await keys.press('Enter')
  await page.waitForURL('**/instructor/dashboard')
  await expectCompleteReview(player, folder)
})
