import type { Page } from '@playwright/test'
import { expect, test } from '../support/playwright-base-fixtures.ts'
import { createStartedReview, fetchDraftOf, fetchSessionOf, waitForSavedDraft, waitForStage } from './studio-setup.ts'

const tool = (page: Page, name: string) => page.getByRole('radio', { name, exact: true }).check({ force: true })
const at = async (page: Page, x: number, y: number) => {
  const box = (await page.locator('[data-drawing-stage]').boundingBox())!
  return [box.x + box.width * x, box.y + box.height * y] as const
}
async function drag(page: Page, from: [number, number], to: [number, number]) {
  await page.mouse.move(...(await at(page, ...from)))
  await page.mouse.down()
  await page.mouse.move(...(await at(page, ...to)), { steps: 4 })
  await page.mouse.up()
}
const pressPicture = async (page: Page, x: number, y: number) => page.mouse.click(...(await at(page, x, y)))
const expectFrame = (page: Page, frame: number) => expect(page.locator(`[data-frame="${frame}"]`).first()).toBeAttached()

test('paths, stopwatches, lengths and strike zones are drawn, delivered and displayed', { tag: '@sweep' }, async ({
  page,
  person,
  accessible,
}) => {
  const player = await person()
  const { folder } = await createStartedReview(page, player)
  await page.goto(`/instructor/folder/${folder}`)
  await waitForSavedDraft(page)
  await waitForStage(page)
  await page.locator('body').press('d')
  await tool(page, 'Path, frame by frame')
  await expect(page.getByText('Each point takes you to the next frame.')).toBeVisible()
  for (const x of [0.3, 0.4, 0.55, 0.7]) {
    await pressPicture(page, x, 0.5 - x / 4)
    await waitForStage(page)
  }
  await expectFrame(page, 4)
  await tool(page, 'Stopwatch')
  await pressPicture(page, 0.3, 0.75)
  for (let i = 0; i < 6; i++) await page.locator('body').press('.')
  await expectFrame(page, 10)
  await pressPicture(page, 0.3, 0.75)
  await tool(page, 'Length')
  await page.getByLabel('Known length').selectOption('17')
  await drag(page, [0.35, 0.9], [0.5, 0.9])
  await drag(page, [0.35, 0.3], [0.35, 0.8])
  await tool(page, 'Strike zone')
  await drag(page, [0.6, 0.3], [0.75, 0.6])
  await tool(page, 'Home plate')
  await drag(page, [0.6, 0.8], [0.75, 0.9])
  await tool(page, 'Grid')
  await drag(page, [0.1, 0.1], [0.25, 0.4])
  await waitForSavedDraft(page)
  const { notes } = await fetchDraftOf(page, folder)
  const shapes = notes.flatMap((n: { shapes: object[] }) => n.shapes)
  expect(shapes.map((s: { tool: string }) => s.tool)).toEqual(['path', 'stopwatch', 'length', 'zone', 'plate', 'grid'])
  expect(shapes[0]).toMatchObject({ from: 0, frames: [0, 1, 2, 3] })
  expect(shapes[1]).toMatchObject({ frames: [4, 10], milliseconds: expect.any(Number) })
  expect(notes[0]).toMatchObject({ frame: 0, until: 3 })
  await accessible()
  if (process.env.SCREENS) {
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
      [844, 390],
      [820, 1180],
    ] as const) {
      await page.setViewportSize({ width, height })
      // On a small screen, the picture fills the screen in drawing mode.
      await page.getByRole('button', { name: 'Stop drawing' }).click()
      await page.getByRole('button', { name: 'Draw', exact: true }).click()
      await expect(page.getByRole('toolbar', { name: 'Drawing' })).toBeVisible()
      await page.waitForTimeout(500)
      await page.screenshot({ path: `test-results/screens/field-tools-${width}.png` })
    }
    await page.setViewportSize({ width: 1440, height: 900 })
  }
  await page.getByRole('button', { name: 'Stop drawing' }).click()
  await page.keyboard.press('s')
  await page.getByRole('textbox', { name: 'Summary' }).fill('Lead with the hands.')
  await page.getByRole('button', { name: 'Deliver', exact: true }).click()
  await page.getByRole('button', { name: 'Deliver feedback' }).click()
  await page.waitForURL('**/instructor/dashboard')
  await expect.poll(async () => (await fetchSessionOf(player, folder))?.review?.notes.length).toBe(notes.length)

  await player.goto(`/player/folder/${folder}`)
  await waitForStage(player)
  await player.getByRole('button', { name: /^Watch with / }).click()
  const isDrawn = () =>
    player.evaluate(() => {
      const canvas = document.querySelector<HTMLCanvasElement>('canvas[data-drawn]')!
      return (
        canvas.width > 0 &&
        canvas
          .getContext('2d')!
          .getImageData(0, 0, canvas.width, canvas.height)
          .data.some(value => value > 0)
      )
    })
  await expect.poll(isDrawn).toBe(true)
})

test('on a phone the picture fills the screen while drawing', { tag: '@sweep' }, async ({ page, person, accessible }) => {
  const { folder } = await createStartedReview(page, await person())
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/instructor/folder/${folder}`)
  await waitForSavedDraft(page)
  await waitForStage(page)
  const height = async () => (await page.locator('[data-drawing-stage]').boundingBox())!.height
  const before = await height()
  await page.getByRole('button', { name: 'Draw', exact: true }).click()
  await expect.poll(height).toBeGreaterThan(before + 100)
  await accessible()
  await drag(page, [0.3, 0.4], [0.6, 0.6])
  await page.getByRole('button', { name: 'Stop drawing' }).click()
  await expect.poll(height).toBe(before)
  await expect(page.getByRole('tab', { name: 'Notes 1' })).toBeVisible()
  // Writing a note ends drawing mode, so that the rest of the screen is visible again.
  await page.getByRole('button', { name: 'Draw', exact: true }).click()
  await page.getByRole('button', { name: 'Note', exact: true }).click()
  await expect(page.getByLabel('Note 1', { exact: true })).toBeFocused()
  await expect(page.getByRole('toolbar', { name: 'Drawing' })).toBeHidden()
})

test('a line gets keyframes by mouse and by keyboard', { tag: '@sweep' }, async ({ page, person, accessible }) => {
  const player = await person()
  const { folder } = await createStartedReview(page, player)
  await page.goto(`/instructor/folder/${folder}`)
  await waitForSavedDraft(page)
  await waitForStage(page)
  const key = (name: string) => page.locator('body').press(name)
  const shapeInDraft = async () => {
    await waitForSavedDraft(page)
    return (await fetchDraftOf(page, folder)).notes[0].shapes[0]
  }
  await key('d')
  await tool(page, 'Line')
  await drag(page, [0.3, 0.3], [0.3, 0.6])
  await key('f')
  await expect(page.getByText('Keyframe set. Go to another frame and move the drawing')).toBeVisible()
  for (let i = 0; i < 10; i++) await key('.')
  await expectFrame(page, 10)
  await drag(page, [0.3, 0.45], [0.6, 0.45])
  await expect(page.getByText('Keyframe 2 of 2')).toBeVisible()
  await expect(page.locator('[data-keyframe="10"]')).toBeVisible()
  expect(await shapeInDraft()).toMatchObject({ from: 0, keyframes: [{ frame: 10 }] })

  // Between two keyframes, the position of the line is interpolated. Here, keys select the line and move it down.
  await page.getByRole('button', { name: 'Previous keyframe' }).click()
  await expectFrame(page, 0)
  for (let i = 0; i < 5; i++) await key('.')
  await expectFrame(page, 5)
  await expect(page.getByText('2 keyframes')).toBeVisible()
  const board = page.getByRole('application')
  await board.focus()
  for (let i = 0; i < 5; i++) await board.press('ArrowLeft')
  await board.press('Enter')
  for (let i = 0; i < 4; i++) await board.press('ArrowDown')
  await board.press('Enter')
  await expect(page.getByText('Keyframe 2 of 3')).toBeVisible()
  expect((await shapeInDraft()).keyframes.map((k: { frame: number }) => k.frame)).toEqual([5, 10])
  await accessible()
  if (process.env.SCREENS)
    for (const [width, height] of [
      [1440, 900],
      [820, 1180],
      [390, 844],
      [844, 390],
    ] as const) {
      await page.setViewportSize({ width, height })
      await page.getByRole('button', { name: 'Stop drawing' }).click()
      await page.getByRole('button', { name: 'Draw', exact: true }).click()
      await page.screenshot({ path: `test-results/screens/draw-${width}.png` })
      await page.getByRole('radio', { name: 'Follow motion, frame by frame' }).check({ force: true })
      await expect(page.getByText('Keyframe 2 of 3')).toBeVisible()
      await page.screenshot({ path: `test-results/screens/follow-${width}.png` })
    }
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('button', { name: 'Remove keyframe' }).click()
  await expect(page.getByText('2 keyframes')).toBeVisible()
  await key('Control+z')
  await expect(page.getByText('Keyframe 2 of 3')).toBeVisible()
  expect((await shapeInDraft()).keyframes).toHaveLength(2)
})

test('a tool saved as a preset is available after a reload', { tag: '@sweep' }, async ({ page, person, accessible }) => {
  const { folder } = await createStartedReview(page, await person())
  const enterDrawingMode = async () => {
    await page.goto(`/instructor/folder/${folder}`)
    await waitForSavedDraft(page)
    await waitForStage(page)
    await page.locator('body').press('d')
  }
  await enterDrawingMode()
  const presets = page.getByLabel('Presets')
  await tool(page, 'Arrow')
  await page.getByRole('radio', { name: 'Gold' }).check({ force: true })
  await page.getByLabel('Width').selectOption('Thick')
  await page.getByLabel('Duration').selectOption('2 seconds')
  await presets.selectOption('Keep this tool as a preset')
  await expect(presets.locator('option:checked')).toHaveText('Gold arrow, thick, 2 seconds')
  await accessible()
  if (process.env.SCREENS) await page.screenshot({ path: 'test-results/screens/presets-1440.png' })

  await enterDrawingMode()
  await expect(page.getByRole('radio', { name: 'Pen', exact: true })).toBeChecked()
  await presets.selectOption('Gold arrow, thick, 2 seconds')
  await expect(page.getByRole('radio', { name: 'Arrow', exact: true })).toBeChecked()
  await expect(page.getByRole('radio', { name: 'Gold' })).toBeChecked()
  await expect(page.getByLabel('Duration')).toHaveValue('two')
  await presets.selectOption('Remove this preset')
  await expect(presets.locator('option:checked')).toHaveText('Presets')
})
