import type { Page } from '@playwright/test'
import { expect, test } from '../support/playwright-base-fixtures.ts'
import { clickDeliverAndConfirm } from './click-deliver-and-confirm.ts'
import { createStartedReview, noteField, waitForPreparedVideos, waitForSavedDraft } from './studio-setup.ts'

/** The color of the drawings at a point of the picture (`x` and `y` from 0 to 1); null if nothing is drawn there. */
const drawingColorAt = (page: Page, x: number, y: number) =>
  page.evaluate(
    async ([x, y]) => {
      // Drawings are painted in the next animation frame.
      await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
      const stage = document.querySelector('[data-drawing-stage]')!
      const video = stage.querySelector('video')!.getBoundingClientRect()
      const canvas = stage.querySelector<HTMLCanvasElement>('canvas[data-drawn]')!
      const box = canvas.getBoundingClientRect()
      const natural = stage.querySelector('video')!
      const aspect = natural.videoWidth / natural.videoHeight
      const [width, height] =
        video.width / video.height > aspect ? [video.height * aspect, video.height] : [video.width, video.width / aspect]
      const left = video.left + (video.width - width) / 2 - box.left
      const top = video.top + (video.height - height) / 2 - box.top
      const dots = canvas.width / box.width
      // A thin line may fall between two pixels, so take the brightest of the nine around the point: it has the line's color.
      const around = canvas
        .getContext('2d')!
        .getImageData(Math.round((left + x! * width) * dots) - 1, Math.round((top + y! * height) * dots) - 1, 3, 3).data
      const pixels = Array.from({ length: 9 }, (_, i) => [...around.subarray(i * 4, i * 4 + 4)])
      const [r, g, b, a] = pixels.sort((one, other) => sum(other) - sum(one))[0]!
      return a ? `${r},${g},${b}` : null
      function sum([r, g, b, a]: number[]) {
        return (r! + g! + b!) * a!
      }
    },
    [x, y],
  )
const CLAY = '226,116,63'
const GOLD = '232,185,59'

/** Presses at the first point of the picture, drags through the others and releases. Coordinates are from 0 to 1. */
async function drag(page: Page, ...way: [number, number][]) {
  const box = (await page.locator('[data-drawing-stage]').boundingBox())!
  const aspect = await page.locator('[data-drawing-stage] video').evaluate((v: HTMLVideoElement) => v.videoWidth / v.videoHeight)
  const [width, height] = box.width / box.height > aspect ? [box.height * aspect, box.height] : [box.width, box.width / aspect]
  const [left, top] = [box.x + (box.width - width) / 2, box.y + (box.height - height) / 2]
  const [first, ...rest] = way.map(([x, y]) => [left + x * width, top + y * height] as const)
  await page.mouse.move(...first!)
  await page.mouse.down()
  for (const to of rest) await page.mouse.move(...to, { steps: 4 })
  await page.mouse.up()
}

/** Waits until a loop has started over, that is, until the frame number decreases during playback. */
const waitForLoopRestart = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>(done => {
        let before = 0
        const look = () => {
          const frame = Number(document.querySelector<HTMLElement>('[data-frame]')!.dataset.frame)
          if (frame < before) return done()
          before = frame
          requestAnimationFrame(look)
        }
        look()
      }),
  )

test('the player sees a drawing at its frame and position, at every screen size', { tag: '@sweep' }, async ({
  page,
  person,
  accessible,
  shoot,
}) => {
  const player = await person()
  const { folder } = await createStartedReview(page, player)
  await waitForPreparedVideos(page, folder)
  await page.goto(`/instructor/folder/${folder}`)
  await waitForSavedDraft(page)
  await expect(page.locator('[data-sure=true]')).toBeVisible()

  // An arrow drawn with the mouse creates a note, and M focuses its text.
  for (let i = 0; i < 4; i++) await page.locator('body').press('.')
  await expect(page.locator('[data-frame="4"]')).toBeVisible()
  await page.locator('body').press('d')
  await page.getByRole('radio', { name: 'Arrow' }).check({ force: true })
  await drag(page, [0.2, 0.5], [0.6, 0.5])
  expect(await drawingColorAt(page, 0.4, 0.5)).toBe(CLAY)
  // The picture is as high as the stage, so the toolbar would cover its top. The picture moves down instead.
  const bar = (await page.getByRole('toolbar', { name: 'Drawing' }).boundingBox())!
  expect((await page.locator('[data-drawing-stage]').boundingBox())!.y).toBeGreaterThanOrEqual(bar.y + bar.height)
  await expect(page.getByRole('tab', { name: 'Notes 1' })).toBeVisible()
  await page.locator('body').press('m')
  await expect(noteField(page)).toBeFocused()
  await page.keyboard.type('Hands first')

  // A line in another color is drawn, undone and redone.
  await page.getByRole('radio', { name: 'Gold' }).check({ force: true })
  await page.getByRole('radio', { name: 'Line', exact: true }).check({ force: true })
  await drag(page, [0.3, 0.2], [0.3, 0.8])
  expect(await drawingColorAt(page, 0.3, 0.7)).toBe(GOLD)
  await page.locator('body').press('Control+z')
  expect(await drawingColorAt(page, 0.3, 0.7)).toBeNull()
  await page.locator('body').press('Control+Shift+z')
  expect(await drawingColorAt(page, 0.3, 0.7)).toBe(GOLD)

  // An angle with two arms is drawn with the keyboard alone.
  await page.getByRole('radio', { name: 'Angle', exact: true }).check({ force: true })
  const board = page.getByRole('application')
  await board.focus()
  await board.press('Enter')
  for (let i = 0; i < 12; i++) await board.press('ArrowDown')
  await board.press('Enter')
  for (let i = 0; i < 12; i++) await board.press('ArrowRight')
  await board.press('Enter')
  expect(await drawingColorAt(page, 0.5, 0.55)).toBe(GOLD)
  // A drag draws a line that shows its angle to the vertical; a single press draws a plumb line.
  await page.getByRole('radio', { name: 'Angle to vertical or level' }).check({ force: true })
  await drag(page, [0.7, 0.8], [0.78, 0.3])
  expect(await drawingColorAt(page, 0.74, 0.55)).toBe(GOLD)
  await page.getByRole('radio', { name: 'Plumb line' }).check({ force: true })
  await drag(page, [0.92, 0.5])
  expect(await drawingColorAt(page, 0.92, 0.9)).toBe(GOLD)
  await expect(page.getByRole('tab', { name: 'Notes 1' })).toBeVisible()
  await shoot('instructor-studio-drawing')
  await accessible()

  // A drawing is moved and deleted.
  await page.getByRole('radio', { name: 'Select and move' }).check({ force: true })
  await drag(page, [0.3, 0.75], [0.35, 0.75])
  expect(await drawingColorAt(page, 0.35, 0.75)).toBe(GOLD)
  await page.getByRole('button', { name: 'Delete this drawing' }).click()
  expect(await drawingColorAt(page, 0.35, 0.75)).toBeNull()
  await page.getByRole('button', { name: 'Stop drawing' }).click()
  await expect(board).toBeHidden()
  await waitForSavedDraft(page)

  // The drawing keeps its place after a reload, a zoom and a resize.
  await page.reload()
  await page.getByRole('button', { name: /Go to note 1/ }).click()
  await expect.poll(() => drawingColorAt(page, 0.3, 0.5)).toBe(CLAY)
  for (let i = 0; i < 3; i++) await page.locator('body').press('+')
  await expect.poll(() => drawingColorAt(page, 0.45, 0.5)).toBe(CLAY)
  await page.setViewportSize({ width: 820, height: 1180 })
  await page.locator('body').press('0')
  await expect.poll(() => drawingColorAt(page, 0.45, 0.5)).toBe(CLAY)
  await page.setViewportSize({ width: 1440, height: 900 })

  // The note covers a range, which plays in a loop.
  for (let i = 0; i < 6; i++) await page.locator('body').press('.')
  await page.getByRole('button', { name: 'End note 1 at the frame shown' }).click()
  await expect(page.getByText('+6 frames')).toBeVisible()
  await page.getByRole('button', { name: 'Loop this part' }).click()
  await waitForLoopRestart(page)
  await page.getByRole('button', { name: 'Pause' }).click()
  await waitForSavedDraft(page)

  await page.getByRole('tab', { name: 'Summary' }).click()
  await page.getByRole('textbox', { name: 'Summary' }).fill('Lead with the hands.')
  await clickDeliverAndConfirm(page)
  await page.waitForURL('**/instructor/dashboard')

  await player.setViewportSize({ width: 390, height: 844 })
  await player.goto(`/player/folder/${folder}`)
  await player.getByRole('button', { name: /Hands first/ }).click()
  await expect.poll(() => drawingColorAt(player, 0.45, 0.5)).toBe(CLAY)
  expect(await drawingColorAt(player, 0.35, 0.75)).toBeNull()
  for (const [x, y] of [
    [0.74, 0.55],
    [0.92, 0.9],
  ] as const)
    expect(await drawingColorAt(player, x, y)).toBe(GOLD)
  await expect(player.locator('[data-frame="4"]')).toBeAttached()
  // The arrow is not shown on the previous frame.
  await player.getByRole('button', { name: 'Previous frame' }).click()
  await expect.poll(() => drawingColorAt(player, 0.45, 0.5)).toBeNull()

  // If no range is selected, the whole video loops and does not stop at notes.
  await player.reload()
  await player.getByRole('button', { name: 'Loop the video' }).click()
  await waitForLoopRestart(player)
  await waitForLoopRestart(player)
  await player.getByRole('button', { name: 'Stop looping the video' }).click()
  await expect(player.getByRole('button', { name: /^Loop (the video|this part)$/ })).toBeVisible()
})
