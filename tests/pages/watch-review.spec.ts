import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, test } from '../support/browser.ts'
import { sampleVideos } from '../support/sample-media.ts'
import { asInstructor, asPlayer, createReviewedFolder } from './api-setup.ts'

const video = await readFile(sampleVideos.mp4)
const PHONE = { width: 390, height: 844 }
const PHONE_ACROSS = { width: 844, height: 390 }

/** Every visible button whose press plays something. */
const playButtons = (page: Page) =>
  page
    .getByRole('button', { name: /^(Play|Pause|Watch with)\b/ })
    .filter({ visible: true })
    .evaluateAll(all =>
      all
        .filter(e => {
          const { top, bottom } = e.getBoundingClientRect()
          return bottom > 0 && top < innerHeight
        })
        .map(e => e.textContent || e.getAttribute('aria-label')),
    )

const stageOf = (page: Page) => page.locator('#stage [aria-label^="Video "]').first()

test('one button plays the whole review, and stepping by hand takes over the stage', async ({ page, person, accessible, shoot }) => {
  const instructor = await person()
  const coach = await asInstructor(instructor)
  await asPlayer(page)
  const { folder } = await createReviewedFolder(page, instructor, coach, 'Tee work', video)
  await page.setViewportSize(PHONE)
  await page.goto(`/player/folder/${folder}`)
  const watch = page.getByRole('button', { name: /^Watch with Ray · \d:\d\d$/ })
  await expect(watch).toBeInViewport()
  expect(await playButtons(page)).toHaveLength(1)
  // At rest, the header and the stage leave at least 45 % of the height for reading.
  const stage = stageOf(page)
  await stage.scrollIntoViewIfNeeded()
  expect(64 + (await stage.boundingBox())!.height).toBeLessThanOrEqual(0.55 * PHONE.height)
  await page.evaluate(() => scrollTo({ top: 0 }))

  await watch.click()
  const position = page.getByRole('slider', { name: 'Position in the review' })
  await expect(position).not.toHaveValue('0')
  await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeInViewport()
  expect(await playButtons(page)).toEqual(['Pause'])
  await shoot('watching', page)
  await page.setViewportSize(PHONE)
  await page.getByRole('button', { name: 'Next chapter' }).click()
  await expect(position).toHaveAttribute('aria-valuetext', /Note 2/)

  // An arrow key, wherever the focus is, and a drag on the picture take the stage over.
  await page.locator('body').press('ArrowLeft')
  await expect(position).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  const frame = page.getByRole('slider', { name: 'Position', exact: true })
  await frame.press('Home')
  await page.locator('body').press('Shift+ArrowRight')
  await expect(frame).toHaveValue('10')
  const box = (await page.locator('#stage [data-easel]').boundingBox())!
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.75, box.y + box.height / 2, { steps: 4 })
  await page.mouse.up()
  await expect(frame).toHaveValue('25')
  await expect(page.getByText('Frame 26')).toBeVisible()
  await accessible()

  // The end is the goal, or the last note; then it can be watched again.
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await position.press('End')
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
})

test('full screen fills the screen with or without the browser, and keeps the focus', async ({ page, person, shoot }) => {
  const instructor = await person()
  const coach = await asInstructor(instructor)
  await asPlayer(page)
  const { folder } = await createReviewedFolder(page, instructor, coach, 'Tee work', video)
  // As on an iPhone, which has full screen for a bare <video> alone.
  await page.addInitScript(() => {
    if (location.search.includes('fallback=true')) Object.assign(Element.prototype, { requestFullscreen: undefined })
  })
  for (const isFallback of [true, false])
    for (const size of [PHONE, PHONE_ACROSS, { width: 1440, height: 900 }]) {
      await page.setViewportSize(size)
      await page.goto(`/player/folder/${folder}?fallback=${isFallback}&width=${size.width}`)
      await page.getByRole('button', { name: /Hands drift/ }).click()
      const enter = page.getByRole('button', { name: 'Full screen' })
      await enter.focus()
      await page.keyboard.press('Enter')
      const leave = page.getByRole('button', { name: 'Leave full screen' })
      await expect(leave).toBeFocused()
      const stage = page.locator('[data-full-screen]')
      await expect
        .poll(async () => stage.boundingBox())
        .toEqual({ x: 0, y: 0, ...(await page.evaluate(() => ({ width: innerWidth, height: innerHeight }))) })
      // The words of the note are on it, and nothing else can be reached.
      await expect(stage.getByText('Hands drift')).toBeVisible()
      expect(await page.getByText('Ask about this moment').evaluate(e => e.closest('[inert]') !== null)).toBe(true)
      if (isFallback) {
        await shoot(`full-screen-${size.width}`, page)
        await page.setViewportSize(size)
        await page.keyboard.press('Escape')
      } else await page.keyboard.press('Enter')
      await expect(enter).toBeFocused()
      await expect(page.locator('[data-full-screen]')).toHaveCount(0)
    }
})

test('a phone in landscape has the notes beside the picture', async ({ page, person, shoot }) => {
  const instructor = await person()
  const coach = await asInstructor(instructor)
  await asPlayer(page)
  const { folder } = await createReviewedFolder(page, instructor, coach, 'Tee work', video)
  await page.setViewportSize(PHONE_ACROSS)
  await page.goto(`/player/folder/${folder}`)
  await page.getByRole('button', { name: /^Watch with Ray/ }).click()
  const stage = stageOf(page)
  await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeInViewport()
  const [picture, list] = [(await stage.boundingBox())!, (await page.getByRole('heading', { name: '2 notes' }).boundingBox())!]
  expect(list.x).toBeGreaterThanOrEqual(picture.x + picture.width)
  expect(picture.height).toBeLessThanOrEqual(PHONE_ACROSS.height)
  await expect(page.getByRole('banner')).not.toBeInViewport()
  await shoot('watching-across', page)
})
