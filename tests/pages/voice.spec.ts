import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import type { Voice } from '../../modules/reviews/contract.ts'
import { headlessChromium } from '../../scripts/chromium.mjs'
import { expect, test } from '../support/browser.ts'
import { samples } from '../support/media.ts'
import { asInstructor, asPlayer, assigned, call } from './people.ts'

test.use({
  actionTimeout: 20_000,
  // A microphone that beeps, and a browser that lets us hear it.
  launchOptions: {
    executablePath: headlessChromium(),
    args: ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream', '--autoplay-policy=user-gesture-required'],
  },
})
test.describe.configure({ timeout: 180_000 })

/** A studio with a prepared video. */
async function studio(page: Page, player: Page): Promise<{ folder: string; video: string }> {
  const coach = await asInstructor(page)
  await asPlayer(player)
  const made = await assigned(player, coach, 'Tee work', await readFile(samples.mp4))
  await call(page, 'POST', `/api/folders/${made.folder}/review`)
  const prepared = async () => (await (await page.request.get(`/api/folders/${made.folder}`)).json()).session?.clips[0].rendition?.state
  await expect.poll(prepared, { timeout: 60_000 }).toBe('ready')
  await page.goto(`/instructor/folder/${made.folder}`)
  await expect(page.locator('[data-saved=saved]')).toBeVisible()
  await expect(page.locator('[data-sure=true]')).toBeVisible()
  return made
}
const record = (page: Page) => page.getByRole('button', { name: 'Record voice-over', exact: true })
const speaking = (page: Page) => expect(page.locator('[data-recording=speaking]')).toBeVisible()
const stop = (page: Page) => page.locator('[data-recording]').getByRole('button', { name: 'Stop' }).click()
/** So many seconds at least were recorded. */
const seconds = (page: Page, time: number) =>
  expect
    .poll(async () => {
      const [, minutes, rest] = /(\d+):(\d+) \/ 5:00/.exec((await page.locator('[data-recording]').textContent())!)!
      return Number(minutes) * 60 + Number(rest)
    })
    .toBeGreaterThanOrEqual(time)
const draft = async (page: Page, folder: string) => (await (await page.request.get(`/api/folders/${folder}/draft`)).json()).draft
const voicesOf = async (page: Page, folder: string): Promise<Voice[]> => (await draft(page, folder))?.voices ?? []
const onFrame = (page: Page, frame: number) => expect(page.locator(`[data-frame="${frame}"]`)).toBeAttached()

async function draw(page: Page) {
  const box = (await page.locator('[data-easel]').boundingBox())!
  const at = (x: number, y: number) => [box.x + box.width * x, box.y + box.height * y] as const
  await page.mouse.move(...at(0.4, 0.4))
  await page.mouse.down()
  await page.mouse.move(...at(0.5, 0.5), { steps: 5 })
  await page.mouse.move(...at(0.6, 0.4), { steps: 5 })
  await page.mouse.up()
}
/** Whether anything is drawn over the picture. */
const drawn = (page: Page) =>
  page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>('[data-easel] canvas')!
    return canvas
      .getContext('2d')!
      .getImageData(0, 0, canvas.width, canvas.height)
      .data.some(x => x > 0)
  })

test('what is said and done over a video is heard and seen again, in the studio and by the player', async ({
  page,
  person,
  accessible,
  shoot,
}) => {
  const player = await person()
  const { folder } = await studio(page, player)

  await record(page).click()
  await expect(page.getByText('Speak in')).toBeVisible()
  await accessible()
  await speaking(page)
  await expect(page.getByRole('progressbar', { name: 'Level of the microphone' })).toBeVisible()
  for (let i = 0; i < 4; i++) await page.locator('body').press('.')
  await onFrame(page, 4)
  await page.locator('body').press('d')
  await draw(page)
  await expect.poll(() => drawn(page)).toBe(true)
  await accessible()
  await shoot('instructor-studio-speaking')
  await page.getByRole('button', { name: 'Pause recording' }).click()
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByLabel('Speed', { exact: true }).selectOption('0.5')
  await seconds(page, 3)
  for (let i = 0; i < 6; i++) await page.locator('body').press('.')
  await onFrame(page, 10)
  await stop(page)

  // A note of its own, where it began; saved, on the device and in the store.
  const card = page.locator('[data-voice]')
  await expect(card).toHaveAttribute('data-where', 'saved', { timeout: 30_000 })
  await expect(page.getByRole('tab', { name: 'Notes 1' })).toBeVisible()
  await expect.poll(async () => (await voicesOf(page, folder)).length).toBe(1)
  const [voice] = (await voicesOf(page, folder)) as [Voice]
  const kinds = voice.actions.map(([, what]) => what)
  expect(kinds).toEqual(expect.arrayContaining(['seek', 'stroke', 'rate']))
  expect(voice.shapes).toHaveLength(1)
  expect(voice.type).toBe('audio/mp4')
  expect(voice.milliseconds).toBeGreaterThan(2500)

  // The stage is where the hand left it; hearing it shows what was shown then.
  await page.getByRole('button', { name: 'Stop drawing' }).click()
  expect(await drawn(page)).toBe(false)
  await page.getByRole('button', { name: /Play the voice-over of note 1/ }).click()
  await onFrame(page, 4)
  await expect.poll(() => drawn(page)).toBe(true)
  await onFrame(page, 10)
  await expect(page.getByRole('button', { name: /Play the voice-over of note 1/ })).toBeVisible({ timeout: 20_000 })

  await page.getByRole('tab', { name: 'Summary and grades' }).click()
  await page.getByLabel('Summary', { exact: true }).fill('Lead with the hands.')
  await page.getByRole('button', { name: 'Deliver' }).click()
  await page.getByRole('button', { name: 'Deliver feedback' }).click()
  await page.waitForURL('**/instructor/dashboard')
})
