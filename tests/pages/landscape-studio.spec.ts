import type { Page } from '@playwright/test'
import { expect, test } from '../support/playwright-base-fixtures.ts'
import { createStartedReview, installHummingMicrophone, waitForRecording, waitForSavedDraft, waitForStage } from './studio-setup.ts'

const LANDSCAPE_PHONES = [
  { width: 844, height: 390 },
  { width: 667, height: 375 },
  { width: 932, height: 430 },
]

/**
 * Measures the stage on a short screen. `share`: the height that a 16:9 picture would have, as a fraction of the window's height.
 * `covering`: controls, bars and hints over the clip's picture. `unreachable`: buttons of the stage that a tap does not hit, except those
 * of toolbars that can be scrolled.
 */
const measureStage = (page: Page) =>
  page.evaluate(() => {
    const stage = document.querySelector('section[aria-label^="Video "]')!
    const place = stage.querySelector('[data-drawing-stage]')!.getBoundingClientRect()
    const { videoWidth, videoHeight } = stage.querySelector('video')!
    const height = Math.min(place.height, (place.width * videoHeight) / videoWidth)
    const width = (height * videoWidth) / videoHeight
    const left = place.left + (place.width - width) / 2
    const top = place.top + (place.height - height) / 2
    const overPicture = (element: Element) => {
      const box = element.getBoundingClientRect()
      return box.right > left + 1 && box.left < left + width - 1 && box.bottom > top + 1 && box.top < top + height - 1
    }
    const nameOf = (element: Element) => element.getAttribute('aria-label') || element.textContent || element.className
    const controls = [...document.querySelectorAll('button, select, input[type=range], [role=toolbar], [data-recording], [data-tool-hint]')]
      .filter(element => element.checkVisibility())
      .filter(element => !element.closest('[inert]'))
    const inStage = controls.filter(element => stage.contains(element) && element.matches('button'))
    const isHit = (element: Element) => {
      const scrolled = element.closest('[role=toolbar]')
      if (scrolled && !element.closest('.sticky')) return true
      const { left: x, top: y, width: w, height: h } = element.getBoundingClientRect()
      const hit = document.elementFromPoint(x + w / 2, y + h / 2)
      return hit !== null && element.contains(hit)
    }
    return {
      share: Math.min(place.height, (place.width * 9) / 16) / innerHeight,
      covering: controls.filter(overPicture).map(nameOf),
      unreachable: inStage.filter(element => !isHit(element)).map(nameOf),
    }
  })

async function expectPicture(page: Page, when: string) {
  await expect.poll(async () => (await measureStage(page)).share, when).toBeGreaterThanOrEqual(0.6)
  const { covering, unreachable } = await measureStage(page)
  expect(covering, `covering the picture ${when}`).toEqual([])
  expect(unreachable, `out of reach ${when}`).toEqual([])
  if (process.env.SCREENS) await page.screenshot({ path: `test-results/screens/landscape ${when}.png`.replaceAll(' ', '-') })
}

for (const size of LANDSCAPE_PHONES)
  test(`at ${size.width} × ${size.height} the studio’s picture gets most of the height`, { tag: '@sweep' }, async ({
    page,
    person,
    accessible,
  }) => {
    await installHummingMicrophone(page)
    const { folder } = await createStartedReview(page, await person())
    const tool = (name: string) => page.getByRole('radio', { name, exact: true }).check({ force: true })
    const at = `at ${size.width}`
    await page.setViewportSize(size)
    await page.goto(`/instructor/folder/${folder}`)
    await waitForSavedDraft(page)
    await waitForStage(page)
    await expectPicture(page, `${at} at rest`)
    for (const name of ['Play', 'Draw', 'Note', 'Compare', 'Record voice-over', 'Deliver', 'Support Chat'])
      await expect(page.getByRole('button', { name, exact: true }), name).toBeInViewport({ ratio: 1 })
    if (size.width >= 820)
      for (const name of ['Draw', 'Note', 'Compare', 'Record voice-over'])
        await expect(page.getByRole('button', { name, exact: true }), `the word of ${name}`).toHaveCSS('font-size', '13px')
    await accessible()

    await page.getByRole('button', { name: 'Draw', exact: true }).click()
    await expect(page.getByRole('toolbar', { name: 'Drawing' })).toBeInViewport({ ratio: 1 })
    await expectPicture(page, `${at} drawing`)
    // These tools show a hint, as one line or as a bar of buttons.
    for (const name of ['Path, frame by frame', 'Follow motion, frame by frame']) {
      await tool(name)
      await expect(page.locator('[data-tool-hint]')).toBeVisible()
      await expectPicture(page, `${at} with ${name}`)
    }
    await tool('Pen')
    await page.getByRole('button', { name: 'Record voice-over' }).click()
    await waitForRecording(page)
    await expectPicture(page, `${at} drawing and recording`)
    await page.getByRole('button', { name: 'Stop drawing' }).click()
    await expectPicture(page, `${at} recording`)
    await expect(page.getByRole('button', { name: 'Pause recording' })).toBeInViewport({ ratio: 1 })
    await accessible()
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await expect(page.locator('[data-recording]')).toHaveCount(0)
    // The new note is below the picture, which keeps its size until somebody writes in the note.
    await expectPicture(page, `${at} recorded`)
    await page.getByRole('button', { name: 'Note', exact: true }).click()
    await expect(page.locator('textarea:focus')).toBeInViewport()
  })

/**
 * Measures a comparison: the fraction of the screen's height that the pictures get, the buttons that a tap does not hit, and the buttons
 * over the pictures.
 */
const measureComparison = (page: Page) =>
  page.evaluate(() => {
    const comparison = document.querySelector('section[aria-label="Comparison"]')!
    const pictures = comparison.querySelector('[data-drawing-stage]')!.closest('[data-theme=studio]')!.getBoundingClientRect()
    const shown = [...comparison.querySelectorAll('button')].filter(it => it.checkVisibility() && !it.closest('[role=toolbar]'))
    const boxes = shown.map(it => ({ name: it.getAttribute('aria-label') ?? it.textContent, it, box: it.getBoundingClientRect() }))
    const isHit = ({ it, box }: (typeof boxes)[number]) =>
      it.contains(document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2))
    return {
      share: pictures.height / innerHeight,
      unreachable: boxes.filter(all => !isHit(all)).map(({ name }) => name),
      covering: boxes.filter(({ box }) => box.bottom > pictures.top + 1 && box.top < pictures.bottom - 1).map(({ name }) => name),
    }
  })

test('in landscape, compared clips get most of the screen height', { tag: '@sweep' }, async ({ page, person, accessible }) => {
  const { folder } = await createStartedReview(page, await person())
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/instructor/folder/${folder}`)
  await waitForSavedDraft(page)
  await waitForStage(page)
  await page.getByRole('button', { name: 'Compare', exact: true }).click()
  await page.getByRole('button', { name: 'Overlay nearby frames' }).click()
  await page.getByRole('radio', { name: 'Side by side' }).check({ force: true })
  for (const size of LANDSCAPE_PHONES) {
    await page.setViewportSize(size)
    const at = `at ${size.width} × ${size.height}`
    await expect.poll(async () => (await measureComparison(page)).share, at).toBeGreaterThanOrEqual(0.65)
    const { unreachable, covering } = await measureComparison(page)
    expect({ unreachable, covering }, at).toEqual({ unreachable: [], covering: [] })
    await accessible()
    await page.getByRole('button', { name: 'Draw', exact: true }).click()
    await expect(page.getByRole('toolbar', { name: 'Drawing' })).toBeInViewport({ ratio: 1 })
    expect((await measureComparison(page)).share, `${at}, drawing`).toBeGreaterThanOrEqual(0.65)
    await page.getByRole('button', { name: 'Stop drawing' }).click()
    await page.getByRole('button', { name: 'More', exact: true }).click()
    expect((await measureComparison(page)).share, `${at}, with more`).toBeGreaterThanOrEqual(0.65)
    await page.getByRole('button', { name: 'Mirror' }).first().scrollIntoViewIfNeeded()
    await page.getByRole('button', { name: 'Less', exact: true }).click()
  }
  await page.getByRole('button', { name: 'Back to the video' }).click()
  await waitForStage(page)
})
