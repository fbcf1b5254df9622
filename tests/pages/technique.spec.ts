import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, test } from '../support/browser.ts'
import { clip, ffmpeg } from '../support/clips.ts'
import { numberSeen } from '../support/seen.ts'
import { asInstructor, asPlayer, assigned, call } from './people.ts'

test.use({ actionTimeout: 20_000 })
test.describe.configure({ timeout: 240_000 })
test.skip(!ffmpeg, 'ffmpeg is not here to make the clips')

const saved = (page: Page) => expect(page.locator('[data-saved=saved]')).toBeVisible()
const sureAt = (page: Page, frame: number) =>
  expect(page.locator(`[data-frame="${frame}"][data-sure="true"]`)).toBeAttached({ timeout: 60_000 })

/** What is burnt into a picture on the page, or into a part of it (0 to 1 across). */
const burnt = (page: Page, selector: string, from = 0, to = 1) =>
  page.locator(selector).evaluate(
    (of: HTMLCanvasElement | HTMLVideoElement, { read, from, to }) => {
      const seen = new Function(`return (${read})`)() as typeof numberSeen
      const [width, height] = of instanceof HTMLVideoElement ? [of.videoWidth, of.videoHeight] : [of.width, of.height]
      const part = document.createElement('canvas')
      part.width = Math.round(width * (to - from))
      part.height = height
      part.getContext('2d')!.drawImage(of, width * from, 0, part.width, height, 0, 0, part.width, height)
      return seen(part, part.width, part.height)
    },
    { read: numberSeen.toString(), from, to },
  )

/** A folder under review, of a clip at 240 frames a second in which a bat cracks at frame 151. */
async function reviewing(page: Page, player: Page) {
  const coach = await asInstructor(page)
  await asPlayer(player)
  const { folder, video } = await assigned(player, coach, 'Tee work', await readFile(await clip('crack-240.mp4')))
  await call(page, 'POST', `/api/folders/${folder}/review`)
  const prepared = async () => (await (await page.request.get(`/api/folders/${folder}`)).json()).session?.clips[0].rendition?.state
  await expect.poll(prepared, { timeout: 60_000 }).toBe('ready')
  return { folder, video, coach }
}

test('the strip shows stills of the whole clip, and dragging over it ends on the very frame', async ({ page, person }) => {
  const player = await person()
  const { folder } = await reviewing(page, player)
  await page.goto(`/instructor/folder/${folder}`)
  await saved(page)
  await sureAt(page, 0)
  const strip = page.locator('canvas[data-stills]')
  await expect(strip).toBeVisible()
  // The stills stand in order, each over its part of the clip.
  const { width, height } = (await strip.boundingBox())!
  const many = Math.round(width / ((height * 384) / 216))
  for (const i of [0, Math.floor(many / 2), many - 1]) {
    const number = await burnt(page, 'canvas[data-stills]', i / many, (i + 1) / many)
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
  await sureAt(page, frame)
  expect(await burnt(page, 'video')).toBe(frame)
})
