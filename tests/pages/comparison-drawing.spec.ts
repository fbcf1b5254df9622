import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { v7 } from 'uuid'
import type { Comparison, Shape } from '../../modules/reviews/contract.ts'
import { layOutPictures } from '../../src/comparison/paint-compared-pictures.ts'
import { decodePoints } from '../../src/drawing/point-encoding-and-simplification.ts'
import { expect, test } from '../support/playwright-base-fixtures.ts'
import { sampleVideos } from '../support/sample-media.ts'
import { callApi, createFolderWithVideo, saveCardByApi, signUpAsInstructor, signUpAsPlayer, waitForFolderStatus } from './api-setup.ts'
import { waitForComparedFrames } from './shown-frame.ts'
import { fetchDraftOf, waitForPreparedVideos, waitForSavedDraft } from './studio-setup.ts'

type Which = 0 | 1
/** Left, top, right, bottom. */
type Edges = [number, number, number, number]
/** Width divided by height of the two clips: today's, and June's from a phone held upright. */
const ASPECTS = [320 / 240, 216 / 384] as const
const CLAY = [226, 116, 63]
const GOLD = [232, 185, 59]

/** The boxes of both pictures on the page in CSS pixels, computed from their canvas. */
async function places(page: Page, mode: Comparison['mode'] = 'side') {
  const canvas = page.locator('canvas[role=img]')
  const [box, size] = [(await canvas.boundingBox())!, await canvas.evaluate(({ width, height }: HTMLCanvasElement) => ({ width, height }))]
  const dots = size.width / box.width
  return layOutPictures(mode, size, ASPECTS).map(r => ({
    left: box.x + r.left / dots,
    top: box.y + r.top / dots,
    width: r.width / dots,
    height: r.height / dots,
  }))
}

/** Drags from one point of a clip's picture to another. Coordinates are from 0 to 1; the picture must not be zoomed. */
async function drag(page: Page, which: Which, from: [number, number], to: [number, number], mode?: Comparison['mode']) {
  const { left, top, width, height } = (await places(page, mode))[which]!
  await page.mouse.move(left + from[0] * width, top + from[1] * height)
  await page.mouse.down()
  await page.mouse.move(left + to[0] * width, top + to[1] * height, { steps: 4 })
  await page.mouse.up()
}

/** The bounding box of all drawings in `color` over a clip, in CSS pixels of the page; null if there are none. */
const boxOfColor = (page: Page, which: Which, color: number[]) =>
  page.evaluate(
    async ([which, color]) => {
      // Drawings are painted in the next animation frame.
      await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
      const canvas = document.querySelector<HTMLCanvasElement>(`[data-side="${which}"] canvas`)!
      const box = canvas.getBoundingClientRect()
      const { data, width, height } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
      let edges: Edges | null = null
      for (let i = 0; i < width * height; i++) {
        if (data[i * 4 + 3]! < 200 || color.some((c, k) => Math.abs(data[i * 4 + k]! - c) > 40)) continue
        const [x, y] = [i % width, Math.floor(i / width)]
        const [left, top, right, bottom]: Edges = edges ?? [x, y, x + 1, y + 1]
        edges = [Math.min(left, x), Math.min(top, y), Math.max(right, x + 1), Math.max(bottom, y + 1)]
      }
      const [across, down] = [box.width / width, box.height / height]
      return edges && [box.left + edges[0] * across, box.top + edges[1] * down, box.left + edges[2] * across, box.top + edges[3] * down]
    },
    [which, color] as const,
  )
const isDrawn = async (page: Page, which: Which, color: number[]) => (await boxOfColor(page, which, color)) !== null

/** The box that a rectangle should have on the page, in CSS pixels, with the picture zoomed by `scale` around its middle. */
async function expectedBox(page: Page, which: Which, { p, width }: Shape, scale = 1) {
  const cell = (await places(page))[which]!
  const [w, h] = [cell.width * scale, cell.height * scale]
  const [left, top] = [cell.left + (cell.width - w) / 2, cell.top + (cell.height - h) / 2]
  const half = Math.max(2, (width / 10_000) * h) / 2
  const [a, b] = decodePoints(p) as [{ x: number; y: number }, { x: number; y: number }]
  const on = (n: number, from: number, length: number) => from + (n / 10_000) * length
  return [on(a.x, left, w) - half, on(a.y, top, h) - half, on(b.x, left, w) + half, on(b.y, top, h) + half]
}
/** Expects each edge of a rectangle to be within one CSS pixel of where it should be. */
async function expectInPlace(page: Page, which: Which, shape: Shape, color: number[], scale = 1) {
  await expect
    .poll(async () => {
      const [is, should] = [await boxOfColor(page, which, color), await expectedBox(page, which, shape, scale)]
      return is ? Math.max(...is.map((n, i) => Math.abs(n - should[i]!))) : Number.POSITIVE_INFINITY
    })
    .toBeLessThanOrEqual(1)
}

test('the player sees drawings on both clips of a comparison at every screen size', { tag: '@sweep' }, async ({
  page,
  person,
  accessible,
  shoot,
}) => {
  const instructor = await person({ viewport: { width: 1440, height: 900 } })
  const coach = await signUpAsInstructor(instructor)
  await signUpAsPlayer(page)
  await saveCardByApi(page)
  const folder = async (name: string, file: string) => {
    const made = await createFolderWithVideo(page, name, await readFile(file))
    await callApi(page, 'POST', `/api/folders/${made.folder}/assign`, { assignment: v7(), instructor: coach.id, message: 'Please.' })
    return made
  }
  const june = await folder('Front toss, June', sampleVideos.upright)
  const now = await folder('Front toss, November', sampleVideos.mp4)
  for (const { folder } of [june, now]) await waitForPreparedVideos(page, folder)
  await callApi(instructor, 'POST', `/api/folders/${now.folder}/review`)
  await instructor.goto(`/instructor/folder/${now.folder}`)
  await waitForSavedDraft(instructor)
  const body = instructor.locator('body')
  await body.press('c')
  await instructor.getByRole('region', { name: 'Front toss, June' }).getByRole('button', { name: /swing/ }).click()
  await waitForComparedFrames(instructor, [0, 0])
  await body.press('Shift+.')
  await waitForComparedFrames(instructor, [10, 10])

  // Both pictures share one set of tools; a drawing appears only on the picture on which it was drawn.
  await body.press('d')
  await expect(instructor.getByRole('application', { name: /first clip, This session/ })).toBeFocused()
  const tool = async (name: string) => {
    const radio = instructor.getByRole('radio', { name, exact: true })
    // Focusing the tool scrolls the toolbar, so that the buttons at its end do not cover the tool.
    await radio.focus()
    await radio.check({ force: true })
  }
  await tool('Rectangle')
  await drag(instructor, 0, [0.2, 0.3], [0.6, 0.7])
  await expect.poll(() => isDrawn(instructor, 0, CLAY)).toBe(true)
  expect(await isDrawn(instructor, 1, CLAY)).toBe(false)
  await tool('Gold')
  await instructor.getByLabel('Duration').selectOption('This frame only')
  await drag(instructor, 1, [0.1, 0.2], [0.5, 0.4])
  await expect.poll(() => isDrawn(instructor, 1, GOLD)).toBe(true)
  await accessible(instructor)
  await shoot('studio-compare-drawing', instructor)
  // Undo and redo apply to both pictures.
  await body.press('Control+z')
  await expect.poll(() => isDrawn(instructor, 1, GOLD)).toBe(false)
  await body.press('Control+z')
  await expect.poll(() => isDrawn(instructor, 0, CLAY)).toBe(false)
  for (let i = 0; i < 2; i++) await body.press('Control+Shift+z')
  await expect.poll(() => isDrawn(instructor, 1, GOLD)).toBe(true)
  // A line drawn with the keyboard alone is selected and moved with the mouse, and deleted with a key.
  await tool('Line')
  await tool('Chalk')
  const board = instructor.getByRole('application', { name: /second clip/ })
  await board.focus()
  await board.press('Enter')
  for (let i = 0; i < 20; i++) await board.press('ArrowDown')
  await board.press('Enter')
  await tool('Select and move')
  await drag(instructor, 1, [0.5, 0.6], [0.7, 0.6])
  await expect(instructor.getByRole('button', { name: 'Delete this drawing' })).toBeEnabled()
  await waitForSavedDraft(instructor)
  const savedSides = async (): Promise<Comparison['sides']> => (await fetchDraftOf(instructor, now.folder)).comparisons[0].sides
  await expect.poll(async () => decodePoints((await savedSides())[1].shapes!.at(-1)!.p)[0]!.x).toBeGreaterThan(6500)
  await board.press('Delete')
  await expect
    .poll(async () => (await savedSides()).map(s => s.shapes?.map(({ tool, from }) => [tool, from])))
    .toEqual([[['rectangle', 10]], [['rectangle', 10]]])
  const [first, second] = (await savedSides()).map(s => s.shapes![0]!) as [Shape, Shape]
  // In a new comparison, Escape in the toolbar ends drawing mode, and does not close the comparison.
  await instructor.getByRole('radio', { name: 'Chalk', exact: true }).press('Escape')
  await expect(instructor.getByRole('toolbar', { name: 'Drawing' })).toBeHidden()

  // One drawing stays for a second, the other only for its frame.
  await body.press('.')
  await waitForComparedFrames(instructor, [11, 11])
  await expect.poll(() => isDrawn(instructor, 1, GOLD)).toBe(false)
  expect(await isDrawn(instructor, 0, CLAY)).toBe(true)
  await body.press('Shift+,')
  await expect.poll(() => isDrawn(instructor, 0, CLAY)).toBe(false)

  // Drawings keep their places on the picture at every size and zoom.
  await instructor.reload()
  await instructor.getByRole('tab', { name: 'Technique' }).click()
  await instructor.getByRole('button', { name: /^This session and Front toss/ }).click()
  await waitForComparedFrames(instructor, [0, 0])
  await body.press('Shift+.')
  await waitForComparedFrames(instructor, [10, 10])
  for (const [width, height] of [
    [1440, 900],
    [1100, 700],
    [820, 1180],
  ] as const) {
    await instructor.setViewportSize({ width, height })
    await expectInPlace(instructor, 0, first, CLAY)
    await expectInPlace(instructor, 1, second, GOLD)
  }
  for (let i = 0; i < 2; i++) await body.press('+')
  await expectInPlace(instructor, 0, first, CLAY, 1.25 ** 2)

  // With overlaid clips, drawing starts on the newer one, until the instructor chooses the other.
  await body.press('0')
  await instructor.setViewportSize({ width: 1440, height: 900 })
  await instructor.getByText('Slider', { exact: true }).first().click()
  await body.press('d')
  await expect(instructor.getByRole('radio', { name: 'This session' })).toBeChecked()
  await tool('Arrow')
  await tool('Sky')
  await instructor.getByLabel('Duration').selectOption('To the end')
  await drag(instructor, 0, [0.2, 0.2], [0.4, 0.8], 'slider')
  await instructor.getByRole('radio', { name: /^Front toss, June/ }).check()
  await drag(instructor, 1, [0.8, 0.2], [0.6, 0.8], 'slider')
  await expect
    .poll(async () => (await savedSides()).map(s => s.shapes!.map(({ tool }) => tool)))
    .toEqual([
      ['rectangle', 'arrow'],
      ['rectangle', 'arrow'],
    ])
  await accessible(instructor)
  await shoot('studio-compare-drawing-slider', instructor)

  // A comparison can be renamed, deleted and restored in the list.
  await instructor.getByRole('button', { name: 'Rename comparison 1' }).click()
  await instructor.getByLabel('Title of comparison 1').fill('Shoulder, now and in June')
  await instructor.getByLabel('Title of comparison 1').press('Enter')
  await expect(instructor.getByRole('button', { name: 'Rename comparison 1' })).toBeFocused()
  await expect(instructor.getByLabel('Title of the comparison')).toHaveValue('Shoulder, now and in June')
  await instructor.getByRole('button', { name: 'Delete comparison 1' }).click()
  await expect(instructor.getByText('“Shoulder, now and in June” is deleted.')).toBeVisible()
  await accessible(instructor)
  await instructor.getByRole('button', { name: 'Restore' }).click()
  await instructor.getByRole('button', { name: 'Shoulder, now and in June', exact: true }).click()
  await waitForSavedDraft(instructor)

  const { goals: _, ...review } = await fetchDraftOf(instructor, now.folder)
  const [comparison] = review.comparisons as [Comparison]
  await callApi(instructor, 'POST', `/api/folders/${now.folder}/feedback`, {
    ...review,
    comparisons: [{ ...comparison, mode: 'side' }],
    summary: 'Look how much later the shoulder goes.',
  })

  // On the player's phone, drawings are at the same places and frames, also during playback.
  const phone = await person({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    deviceScaleFactor: 2,
    storageState: await page.context().storageState(),
  })
  await waitForFolderStatus(phone, now.folder, 'feedback-given')
  await phone.goto(`/player/folder/${now.folder}`)
  await expect(phone.getByRole('heading', { name: 'Before and after' })).toBeVisible()
  await phone.getByRole('button', { name: /^Shoulder, now and in June/ }).click()
  await waitForComparedFrames(phone, [0, 0])
  expect(await isDrawn(phone, 0, CLAY)).toBe(false)
  await phone.getByRole('slider', { name: 'Position of both clips' }).press('Shift+ArrowRight')
  await waitForComparedFrames(phone, [10, 10])
  await expectInPlace(phone, 0, first, CLAY)
  await expectInPlace(phone, 1, second, GOLD)
  await expect(phone.getByRole('application')).toHaveCount(0)
  // The slider marks where drawings appear.
  await expect(phone.locator('[data-drawn]')).not.toHaveCount(0)
  await accessible(phone)
  await shoot('player-compare-drawing', phone)
  await phone.getByRole('button', { name: 'Play both' }).click()
  await expect.poll(() => isDrawn(phone, 0, CLAY)).toBe(false)
  await expect.poll(() => isDrawn(phone, 0, CLAY), { intervals: [20] }).toBe(true)
  await phone.getByRole('button', { name: 'Pause both' }).click()

  // The divider can be moved with a finger and with keys.
  await phone.getByText('Slider', { exact: true }).click()
  const divider = phone.getByRole('slider', { name: 'Divider' })
  await expect(divider).toHaveAttribute('aria-valuenow', '50')
  const handle = (await divider.boundingBox())!
  expect([handle.width, handle.height]).toEqual([44, 44])
  const cdp = await phone.context().newCDPSession(phone)
  const [x, y] = [handle.x + 22, handle.y + 22]
  const { width } = (await places(phone, 'slider'))[0]!
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', by = 0) =>
    cdp.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x: x + by * width, y: y + by * 40 }] })
  await touch('touchStart')
  for (const by of [-0.05, -0.15, -0.25]) await touch('touchMove', by)
  await touch('touchEnd')
  await expect(divider).toHaveAttribute('aria-valuenow', '25')
  await divider.press('ArrowRight')
  await divider.press('PageUp')
  await expect(divider).toHaveAttribute('aria-valuetext', /^36% This session, 64% Front toss, June/)
  await divider.press('End')
  await expect(divider).toHaveAttribute('aria-valuenow', '100')
  await accessible(phone)
  await shoot('player-compare-divider', phone)
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})
