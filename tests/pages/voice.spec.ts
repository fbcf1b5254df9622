import type { Page } from '@playwright/test'
import type { Voice } from '../../modules/reviews/contract.ts'
import { expect, test } from '../support/playwright-base-fixtures.ts'
import { TEST_PASSWORD } from '../support/signed-in-fixtures.ts'
import { clickDeliverAndConfirm } from './click-deliver-and-confirm.ts'
import { createStartedReview, fetchDraftOf, noteField, waitForPreparedVideos, waitForRecording, waitForSavedDraft } from './studio-setup.ts'

// These tests spend most of their time waiting for a recording or a restarting server, so they run in parallel.
test.describe.configure({ mode: 'parallel' })

/** Starts a review of a prepared video, and opens it in the studio. */
async function studio(page: Page, player: Page): Promise<{ folder: string; video: string }> {
  const made = await createStartedReview(page, player)
  await waitForPreparedVideos(page, made.folder)
  await page.goto(`/instructor/folder/${made.folder}`)
  await waitForSavedDraft(page)
  await expect(page.locator('[data-sure=true]')).toBeVisible()
  return made
}
const recordButton = (page: Page) => page.getByRole('button', { name: 'Record voice-over', exact: true })
const stopRecording = (page: Page) => page.locator('[data-recording]').getByRole('button', { name: 'Stop' }).click()
/** Waits until at least `time` seconds have been recorded. */
const waitForSeconds = (page: Page, time: number) =>
  expect
    .poll(async () => {
      const [, minutes, rest] = /(\d+):(\d+) \/ 5:00/.exec((await page.locator('[data-recording]').textContent())!)!
      return Number(minutes) * 60 + Number(rest)
    })
    .toBeGreaterThanOrEqual(time)
const voicesOf = async (page: Page, folder: string): Promise<Voice[]> => (await fetchDraftOf(page, folder))?.voices ?? []
const expectFrame = (page: Page, frame: number) => expect(page.locator(`[data-frame="${frame}"]`)).toBeAttached()

/** Starts a stroke on the picture; `end` finishes it. */
async function startStroke(page: Page) {
  const box = (await page.locator('[data-drawing-stage]').boundingBox())!
  const at = (x: number, y: number) => [box.x + box.width * x, box.y + box.height * y] as const
  await page.mouse.move(...at(0.4, 0.4))
  await page.mouse.down()
  await page.mouse.move(...at(0.5, 0.5), { steps: 5 })
  return {
    async end() {
      await page.mouse.move(...at(0.6, 0.4), { steps: 5 })
      await page.mouse.up()
    },
  }
}
const drawStroke = async (page: Page) => (await startStroke(page)).end()
/** Returns whether any drawing is visible over the picture. */
const isDrawn = (page: Page) =>
  page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>('canvas[data-drawn]')!
    return canvas
      .getContext('2d')!
      .getImageData(0, 0, canvas.width, canvas.height)
      .data.some(x => x > 0)
  })

test('a voice-over replays with its drawings for instructor and player', { tag: '@sweep' }, async ({ page, person, accessible, shoot }) => {
  const player = await person()
  const { folder } = await studio(page, player)

  await recordButton(page).click()
  await expect(page.getByText('Start talking in')).toBeVisible()
  const { x, width } = (await page.locator('[data-recording]').boundingBox())!
  const end = page.locator('[data-recording] button').last()
  const [endPlace, endRow] = [await end.boundingBox(), await end.locator('..').boundingBox()]
  await accessible()
  await waitForRecording(page)
  // Nothing moves when the recording starts after the countdown.
  expect(await page.locator('[data-recording]').boundingBox()).toMatchObject({ x, width })
  expect([await end.boundingBox(), await end.locator('..').boundingBox()]).toEqual([endPlace, endRow])
  await expect(page.getByRole('progressbar', { name: 'Microphone level' })).toBeVisible()
  for (let i = 0; i < 4; i++) await page.locator('body').press('.')
  await expectFrame(page, 4)
  await page.locator('body').press('d')
  await drawStroke(page)
  await expect.poll(() => isDrawn(page)).toBe(true)
  await accessible()
  await shoot('instructor-studio-speaking')
  await page.getByRole('button', { name: 'Pause recording' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Speed', { exact: true }).selectOption('0.5')
  await waitForSeconds(page, 3)
  for (let i = 0; i < 6; i++) await page.locator('body').press('.')
  await expectFrame(page, 10)
  // Stay on this frame long enough that the replay shows it for a moment.
  await waitForSeconds(page, 5)
  await stopRecording(page)

  // The voice-over is a note at the frame where it started, and is saved on the server.
  const card = page.locator('[data-voice]')
  await expect(card).toHaveAttribute('data-where', 'saved')
  await expect(page.getByRole('tab', { name: 'Notes 1' })).toBeVisible()
  await expect.poll(async () => (await voicesOf(page, folder)).length).toBe(1)
  const [voice] = (await voicesOf(page, folder)) as [Voice]
  // Recording and saving both need the module `remux`, but the page has only one preload link for it.
  await expect(page.locator('link[rel=modulepreload][href*=remux]')).toHaveCount(1)
  const kinds = voice.actions.map(([, what]) => what)
  expect(kinds).toEqual(expect.arrayContaining(['seek', 'stroke', 'rate']))
  expect(voice.shapes).toHaveLength(1)
  expect(voice.type).toBe('audio/mp4')
  expect(voice.milliseconds).toBeGreaterThan(2500)

  // After the recording, the stage stays where the instructor left it; the replay shows what was shown during the recording.
  await page.getByRole('button', { name: 'Stop drawing' }).click()
  expect(await isDrawn(page)).toBe(false)
  await page.getByRole('button', { name: /Play the voice-over of note 1/ }).click()
  await expectFrame(page, 4)
  await expect.poll(() => isDrawn(page)).toBe(true)
  await expectFrame(page, 10)
  await expect(page.getByRole('button', { name: /Play the voice-over of note 1/ })).toBeVisible()

  // The voice-over is moved to "Overall", then pinned to a frame again.
  await page.getByRole('button', { name: 'Move the voice-over of note 1 to Overall' }).click()
  await expect(page.getByRole('region', { name: 'Overall' })).toBeVisible()
  await expect(page.getByRole('tab', { name: /^Notes$/ })).toBeVisible()
  await page.getByRole('button', { name: 'Pin the voice-over to the frame shown' }).click()
  await expect(page.getByRole('tab', { name: 'Notes 1' })).toBeVisible()

  await page.getByRole('tab', { name: 'Summary', exact: true }).click()
  await page.getByRole('textbox', { name: 'Summary' }).fill('Lead with the hands.')
  await clickDeliverAndConfirm(page)
  await page.waitForURL('**/instructor/dashboard')

  // On a phone, the player plays and pauses the voice-over, and jumps to its start and end.
  await player.setViewportSize({ width: 390, height: 844 })
  await player.goto(`/player/folder/${folder}`)
  await player.getByRole('button', { name: /^Watch with / }).click()
  const stage = player.getByRole('region', { name: 'Feedback' })
  await expectFrame(player, 4)
  await expect.poll(() => isDrawn(player)).toBe(true)
  await stage.getByRole('button', { name: 'Pause', exact: true }).click()
  await expect(stage.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  const position = stage.getByRole('slider', { name: 'Position in the review' })
  await position.press('Home')
  await expectFrame(player, 0)
  await expect.poll(() => isDrawn(player)).toBe(false)
  await position.press('End')
  await expectFrame(player, 10)
  await expect.poll(() => isDrawn(player)).toBe(true)
  // Stepping manually ends the replay and gives the viewer control of the stage.
  await player.getByRole('button', { name: 'Next frame' }).click()
  await expectFrame(player, 11)
  await expect(player.getByLabel('Speed', { exact: true })).toHaveValue('0.5')
  await accessible(player)
  await shoot('player-voice', player)
  for (const button of await stage.getByRole('button').all()) expect((await button.boundingBox())!.height).toBeGreaterThanOrEqual(44)
})

test('killing a tab while recording loses at most a second', {
  tag: '@sweep',
}, async ({ page, person }) => {
  const { folder } = await studio(page, await person())
  await recordButton(page).click()
  await waitForRecording(page)
  const began = Date.now()
  for (let i = 0; i < 3; i++) await page.locator('body').press('.')
  await waitForSeconds(page, 4)
  const devtools = await page.context().newCDPSession(page)
  const crashed = page.waitForEvent('crash')
  const spoken = Date.now() - began
  // A crashed page does not respond, so the call fails.
  void devtools.send('Page.crash').catch(() => {})
  await crashed

  const again = await page.context().newPage()
  await again.goto(`/instructor/folder/${folder}`)
  await expect(again.getByText(/Your voice-over from \d+:\d\d [AP]M is still here \(0:0\d\)/)).toBeVisible()
  await again.getByRole('button', { name: 'Keep it' }).click()
  await expect(again.locator('[data-voice]')).toHaveAttribute('data-where', 'saved')
  await expect.poll(async () => (await voicesOf(again, folder)).length).toBe(1)
  const [voice] = (await voicesOf(again, folder)) as [Voice]
  const lost = spoken - voice.milliseconds
  console.log(`killed after ${spoken} ms: ${voice.milliseconds} ms are kept, ${Math.max(0, lost)} ms lost`)
  // The time that this test waited for the browser counts as spoken, too.
  expect(lost).toBeLessThan(1500)
  expect(voice.actions.map(([, what]) => what)).toContain('seek')
  await again.getByRole('button', { name: /Play the voice-over of note 1/ }).click()
  await expectFrame(again, 3)
})

test('killing the server during a stroke and a voice-over loses neither', {
  tag: '@sweep',
}, async ({ page, person, app, problems }) => {
  problems.expect(/ERR_CONNECTION|ERR_EMPTY|ERR_SOCKET/)
  const { folder } = await studio(page, await person())
  await recordButton(page).click()
  await waitForRecording(page)
  const began = Date.now()
  await page.locator('body').press('d')
  const stroke = await startStroke(page)
  await waitForSeconds(page, 1)
  await app.kill('SIGKILL')
  await stroke.end()
  await waitForSeconds(page, 3)
  const spoken = Date.now() - began
  await stopRecording(page)
  await expect(page.locator('[data-voice]')).toHaveAttribute('data-where', 'here')

  // While the server is down, the instructor draws on another frame and writes about it.
  for (let i = 0; i < 2; i++) await page.locator('body').press('.')
  await drawStroke(page)
  await noteField(page, 2).fill('Written while offline.')
  await expect(page.locator('[data-saved=retrying]')).toBeVisible()

  // The tab is closed, too. The next tab finds this work, except for less than a second of the recording, and saves it on the restarted
  // server.
  await app.restart()
  const next = await page.context().newPage()
  await page.close()
  await next.goto(`/instructor/folder/${folder}`)
  await expect(next.locator('[data-voice]')).toHaveAttribute('data-where', 'saved')
  await waitForSavedDraft(next)
  const { notes, voices } = await fetchDraftOf(next, folder)
  const [{ milliseconds, shapes, actions }] = voices as [Voice]
  const lost = Math.max(0, spoken - milliseconds)
  console.log(`the server killed after a second, stopped after ${spoken} ms: ${milliseconds} ms are kept, ${lost} ms lost`)
  expect(lost).toBeLessThan(1000)
  expect(shapes).toHaveLength(1)
  expect(actions.map(([, what]) => what)).toContain('stroke')
  expect(notes.map((n: { text: string; shapes?: object[] }) => [n.text, n.shapes?.length])).toContainEqual(['Written while offline.', 1])
})

test('a voice-over recorded offline is kept and uploaded later', {
  tag: '@sweep',
}, async ({ page, person, problems }) => {
  problems.expect(/ERR_INTERNET_DISCONNECTED/)
  const { folder } = await studio(page, await person())
  await recordButton(page).click()
  await waitForRecording(page)
  await page.context().setOffline(true)
  await waitForSeconds(page, 1)
  await stopRecording(page)
  const [first, second] = [page.locator('[data-voice]').nth(0), page.locator('[data-voice]').nth(1)]
  await expect(first).toHaveAttribute('data-where', 'here')
  await expect(first).toContainText('Saved on this device')
  await page.context().setOffline(false)
  await expect(first).toHaveAttribute('data-where', 'saved')

  // The login session ends during a second recording, on the next frame.
  await page.locator('body').press('.')
  await recordButton(page).click()
  await waitForRecording(page)
  await page.context().clearCookies()
  await waitForSeconds(page, 1)
  await stopRecording(page)
  const login = page.getByRole('dialog', { name: 'Your session has ended' })
  await login.getByLabel('Password').fill(TEST_PASSWORD)
  await login.getByRole('button', { name: 'Log in' }).click()
  await expect(login).toBeHidden()
  await expect(second).toHaveAttribute('data-where', 'saved')
  await expect.poll(async () => (await voicesOf(page, folder)).length).toBe(2)

  // One voice-over is deleted, the other is recorded again.
  await page.getByRole('button', { name: 'Delete the voice-over of note 2' }).click()
  await second.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('button', { name: 'Record the voice-over of note 1 again' }).click()
  const [before] = await voicesOf(page, folder)
  await waitForRecording(page)
  await waitForSeconds(page, 1)
  await stopRecording(page)
  await expect(page.locator('[data-voice][data-where=saved]')).toHaveCount(1)
  await expect.poll(async () => (await voicesOf(page, folder)).map(v => v.id === before!.id)).toEqual([false])
})

test('a blocked, missing or silent microphone is reported with a remedy', { tag: '@sweep' }, async ({ page, person, accessible }) => {
  const { folder } = await studio(page, await person())
  const broken = (name: string) =>
    page.evaluate(name => {
      navigator.mediaDevices.getUserMedia = async () => {
        throw new DOMException('no', name)
      }
    }, name)
  const problem = page.locator('[data-recording]').getByRole('alert')
  await broken('NotAllowedError')
  await recordButton(page).click()
  await expect(problem).toContainText('allow the microphone, then try again')
  await accessible()
  await broken('NotFoundError')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(problem).toContainText('No microphone was found')
  await page.evaluate(() => {
    navigator.mediaDevices.getUserMedia = async () => {
      const context = new AudioContext()
      const [source, gain, out] = [context.createConstantSource(), context.createGain(), context.createMediaStreamDestination()]
      gain.gain.value = 0
      source.connect(gain).connect(out)
      source.start()
      return out.stream
    }
  })
  await page.getByRole('button', { name: 'Try again' }).click()
  await waitForRecording(page)
  await expect(page.getByText('We cannot hear you. Check that your microphone')).toBeVisible()
  await waitForSeconds(page, 1)
  await page.locator('[data-recording]').getByRole('button', { name: 'Stop' }).click()
  await expect(page.locator('[data-voice]')).toHaveAttribute('data-where', 'saved')
  await expect.poll(async () => (await voicesOf(page, folder)).length).toBe(1)
})
