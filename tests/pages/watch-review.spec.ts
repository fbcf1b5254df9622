import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, test } from '../support/playwright-base-fixtures.ts'
import { sampleVideos } from '../support/sample-media.ts'
import {
  callApi,
  createAssignedFolder,
  createReviewedFolder,
  signUpAsInstructor,
  signUpAsPlayer,
  waitForFolderStatus,
} from './api-setup.ts'
import { waitForStage } from './studio-setup.ts'

const video = await readFile(sampleVideos.mp4)
const upright = await readFile(sampleVideos.upright)
const PHONE = { width: 390, height: 844 }
const LANDSCAPE_PHONE = { width: 844, height: 390 }

/** Returns the names of the buttons in the window that play or pause something. */
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

/** Counts the visible elements with exactly this text, including those that are scrolled out of view. */
const countSeen = (page: Page, text: string) =>
  page
    .getByText(text, { exact: true })
    .evaluateAll(all => all.filter(e => e.checkVisibility() && e.clientWidth > 1 && e.clientHeight > 1).length)

const stageOf = (page: Page) => page.locator('#stage [aria-label^="Video "]').first()

test('one button plays the whole review until the viewer steps by hand', { tag: '@sweep' }, async ({ page, person, accessible, shoot }) => {
  const instructor = await person()
  const coach = await signUpAsInstructor(instructor)
  await signUpAsPlayer(page)
  const { folder } = await createReviewedFolder(page, instructor, coach, 'Tee work', video)
  await page.setViewportSize(PHONE)
  await page.goto(`/player/folder/${folder}`)
  const watch = page.getByRole('button', { name: /^Watch with Ray · \d:\d\d$/ })
  await expect(watch).toBeInViewport()
  expect(await playButtons(page)).toHaveLength(1)
  // At rest, the header and the stage leave at least 45% of the height for reading.
  const stage = stageOf(page)
  await stage.scrollIntoViewIfNeeded()
  expect(64 + (await stage.boundingBox())!.height).toBeLessThanOrEqual(0.55 * PHONE.height)
  await page.evaluate(() => scrollTo({ top: 0 }))

  await watch.click()
  const position = page.getByRole('slider', { name: 'Position in the review' })
  await expect(position).not.toHaveValue('0')
  await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeInViewport()
  expect(await playButtons(page)).toEqual(['Pause'])
  // The note's text is shown under the picture and not again in the list below, and the chat button is above the stage.
  await expect(page.getByRole('button', { name: /Balanced/ })).toHaveAttribute('aria-current', 'true')
  expect(await countSeen(page, 'Balanced. Stay there.')).toBe(1)
  const chat = (await page.getByRole('button', { name: 'Support Chat' }).boundingBox())!
  expect(chat.y + chat.height).toBeLessThanOrEqual((await stage.boundingBox())!.y)
  await shoot('watching', page)
  await page.setViewportSize(PHONE)
  await page.getByRole('button', { name: 'Next chapter' }).click()
  await expect(position).toHaveAttribute('aria-valuetext', /Note 2/)

  // Wherever the focus is, an arrow key stops playback. The viewer then controls the stage, stepping with keys and by dragging.
  await page.locator('body').press('ArrowLeft')
  await expect(position).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  const frame = page.getByRole('slider', { name: 'Position', exact: true })
  await frame.press('Home')
  await page.locator('body').press('Shift+ArrowRight')
  await expect(frame).toHaveValue('10')
  const box = (await page.locator('#stage [data-drawing-stage]').boundingBox())!
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.75, box.y + box.height / 2, { steps: 4 })
  await page.mouse.up()
  await expect(frame).toHaveValue('25')
  await expect(page.getByText('Frame 26')).toBeVisible()
  expect(await countSeen(page, 'Balanced. Stay there.')).toBe(1)
  await accessible()

  // The review ends with the goal or the last note, and can then be played again.
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await position.press('End')
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
})

test('a long note turns its pages while it plays, until the viewer scrolls', { tag: '@sweep' }, async ({ page, person, shoot }) => {
  const instructor = await person()
  const coach = await signUpAsInstructor(instructor)
  await signUpAsPlayer(page)
  const { folder, video: clip } = await createAssignedFolder(page, coach, 'Tee work', video)
  const text = `${'Keep the hands back until the front foot is down, and let the hips begin. '.repeat(9)}Then swing.`
  await callApi(instructor, 'POST', `/api/folders/${folder}/review`)
  await callApi(instructor, 'POST', `/api/folders/${folder}/feedback`, {
    notes: [{ id: crypto.randomUUID(), video: clip, at: 400, kind: 'technique', text }],
    summary: 'Hands back.',
    grades: [{ skill: 'hitting', grade: 55 }],
  })
  await waitForFolderStatus(page, folder, 'feedback-given')
  await page.setViewportSize(PHONE)
  await page.goto(`/player/folder/${folder}`)
  await page.getByRole('button', { name: /^Watch with Ray/ }).click()
  const position = page.getByRole('slider', { name: 'Position in the review' })
  const box = page.locator('[aria-live=polite]').filter({ hasText: 'Then swing.' })
  const scrolled = () => box.evaluate(e => [e.scrollTop, e.scrollHeight - e.clientHeight])
  await expect(box).toBeVisible()
  expect((await scrolled())[0]).toBe(0)
  const length = Number(await position.getAttribute('max'))
  // Move late into the note, so that its last page shows; the slider has steps of 100 ms.
  await position.fill(String(Math.floor((length * 0.85) / 100) * 100))
  await expect.poll(async () => (([top, end]) => end! > 100 && top === end)(await scrolled())).toBe(true)
  await shoot('watch-long-note')

  await box.hover()
  await page.mouse.wheel(0, -2000)
  await expect.poll(async () => (await scrolled())[0]).toBe(0)
  const before = Number(await position.inputValue())
  await expect.poll(async () => Number(await position.inputValue())).toBeGreaterThan(before + 300)
  expect((await scrolled())[0]).toBe(0)
})

test("full screen works with or without the browser's support, and keeps the focus", { tag: '@sweep' }, async ({ page, person, shoot }) => {
  const instructor = await person()
  const coach = await signUpAsInstructor(instructor)
  await signUpAsPlayer(page)
  const { folder } = await createReviewedFolder(page, instructor, coach, 'Tee work', video)
  // Simulates an iPhone, where only a <video> element can be in full screen.
  await page.addInitScript(() => {
    if (location.search.includes('fallback=true')) Object.assign(Element.prototype, { requestFullscreen: undefined })
  })
  for (const isFallback of [true, false])
    for (const size of [PHONE, LANDSCAPE_PHONE, { width: 1440, height: 900 }]) {
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
      // In full screen, the note's text is visible, and nothing behind the stage can be reached.
      await expect(stage.getByText('Hands drift')).toBeVisible()
      expect(await page.getByText('Ask about this moment').evaluate(e => e.closest('[inert]') !== null)).toBe(true)
      await expect(page.locator('[data-chat]')).toBeHidden()
      if (isFallback) {
        await shoot(`full-screen-${size.width}`, page)
        await page.setViewportSize(size)
        await page.keyboard.press('Escape')
      } else await page.keyboard.press('Enter')
      await expect(enter).toBeFocused()
      await expect(page.locator('[data-full-screen]')).toHaveCount(0)
      await expect(page.locator('[data-chat]')).toBeVisible()
    }
})

test('full screen hides the controls of a playing video until the next input', { tag: '@sweep' }, async ({ page, person }) => {
  const coach = await signUpAsInstructor(page)
  const phone = await person({ viewport: PHONE, hasTouch: true })
  await signUpAsPlayer(phone)
  const { folder } = await createReviewedFolder(phone, page, coach, 'Tee work', upright)
  await phone.goto(`/player/folder/${folder}`)
  await waitForStage(phone)
  await phone.getByRole('button', { name: 'Loop the video' }).click()
  await phone.getByRole('button', { name: 'Full screen' }).click()
  const pause = phone.getByRole('button', { name: 'Pause', exact: true })
  const picture = phone.locator('[data-full-screen] [data-drawing-stage]')
  const height = async () => (await picture.boundingBox())!.height
  await expect(pause).toBeInViewport()
  const withControls = await height()
  const inputs = {
    move: () => phone.mouse.move(200, 300),
    touch: () => phone.touchscreen.tap(200, 300),
    key: () => phone.keyboard.press('Shift'),
  }
  for (const [name, input] of Object.entries(inputs)) {
    await expect(pause, `at rest before a ${name}`).not.toBeInViewport()
    expect(await height()).toBeGreaterThan(withControls)
    await input()
    await expect(pause, `after a ${name}`).toBeInViewport()
  }
  // The tap did not pause the video. Once the video is paused, its controls stay visible.
  await expect(pause).toBeVisible()
  await pause.click()
  await expect(phone.getByRole('button', { name: 'Play', exact: true })).toBeInViewport()
})

/** Swipes over the picture with one finger. `across` and `down`: how far, as fractions of the picture's width and height. */
async function swipe(page: Page, across: number, down: number) {
  const cdp = await page.context().newCDPSession(page)
  const { x, y, width, height } = (await page.locator('#stage [data-drawing-stage]').boundingBox())!
  for (const part of [0, 0.1, 0.2, 0.4, 0.6, 0.8, 1])
    await cdp.send('Input.dispatchTouchEvent', {
      type: part ? 'touchMove' : 'touchStart',
      touchPoints: [{ x: x + width * (0.5 + across * part), y: y + height * (0.7 + down * part) }],
    })
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

test('on a phone, a horizontal swipe moves by frames, and a vertical swipe scrolls', { tag: '@sweep' }, async ({ page, person }) => {
  const coach = await signUpAsInstructor(page)
  const phone = await person({ viewport: PHONE, hasTouch: true })
  await signUpAsPlayer(phone)
  const { folder } = await createReviewedFolder(phone, page, coach, 'Tee work', upright)
  await phone.goto(`/player/folder/${folder}`)
  await waitForStage(phone)
  const stage = phone.locator('#stage [data-drawing-stage]')
  await stage.evaluate(e => e.scrollIntoView({ block: 'center', behavior: 'instant' }))
  const frame = phone.getByRole('slider', { name: 'Position', exact: true })
  await frame.press('Home')
  const scrolled = () => phone.evaluate(() => scrollY)
  const before = await scrolled()
  await swipe(phone, 0.25, 0)
  await expect(frame).toHaveValue('15')
  await swipe(phone, -0.1, 0)
  await expect(frame).toHaveValue('9')
  expect(await scrolled()).toBe(before)
  await swipe(phone, 0, -0.5)
  await expect.poll(scrolled).toBeGreaterThan(before)
  await expect(frame).toHaveValue('9')
})

test('turning a phone keeps the stage in view, at its position and playing', { tag: '@sweep' }, async ({ page, person }) => {
  const instructor = await person()
  const coach = await signUpAsInstructor(instructor)
  await signUpAsPlayer(page)
  const { folder } = await createReviewedFolder(page, instructor, coach, 'Tee work', upright)
  await page.setViewportSize(PHONE)
  await page.goto(`/player/folder/${folder}`)
  await waitForStage(page)
  const stage = stageOf(page)
  const expectInView = async (button: string) => {
    await expect(page.getByRole('button', { name: button, exact: true })).toBeInViewport({ ratio: 1 })
    await expect(stage).toBeInViewport({ ratio: 0.99 })
  }
  // The viewer has moved the video to a frame and reads the notes below it; the stage stays at the top of the screen.
  const strip = page.getByRole('slider', { name: 'Position', exact: true })
  await strip.fill('12')
  // Of the stage's keys, a slider uses only the arrow keys itself; the others still work while the slider has the focus.
  await strip.focus()
  for (const [key, frame] of [
    ['.', '13'],
    [',', '12'],
  ] as const) {
    await page.keyboard.press(key)
    await expect(strip).toHaveValue(frame)
  }
  await page.getByRole('button', { name: /Hands drift/ }).evaluate(e => e.scrollIntoView({ block: 'center', behavior: 'instant' }))
  await expectInView('Next frame')
  for (const size of [LANDSCAPE_PHONE, PHONE, LANDSCAPE_PHONE, PHONE]) {
    await page.setViewportSize(size)
    await expectInView('Next frame')
    await expect(page.locator('#stage [data-frame="12"]')).toBeAttached()
  }

  await page.getByRole('button', { name: /^Watch with Ray/ }).click()
  const position = page.getByRole('slider', { name: 'Position in the review' })
  await page.getByLabel('Speed of the review').selectOption('0.75')
  await expect(position).not.toHaveValue('0')
  let shown = 0
  for (const size of [LANDSCAPE_PHONE, PHONE]) {
    await page.setViewportSize(size)
    await expectInView('Pause')
    const now = Number(await position.inputValue())
    expect(now).toBeGreaterThanOrEqual(shown)
    shown = now
    await expect.poll(async () => Number(await position.inputValue())).toBeGreaterThan(now)
  }
})

test('a phone in landscape shows the notes next to the picture', { tag: '@sweep' }, async ({ page, person, shoot }) => {
  const instructor = await person()
  const coach = await signUpAsInstructor(instructor)
  await signUpAsPlayer(page)
  const { folder } = await createReviewedFolder(page, instructor, coach, 'Tee work', video)
  await page.setViewportSize(LANDSCAPE_PHONE)
  await page.goto(`/player/folder/${folder}`)
  await page.getByRole('button', { name: /^Watch with Ray/ }).click()
  const stage = stageOf(page)
  await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeInViewport()
  const [picture, list] = [(await stage.boundingBox())!, (await page.getByRole('heading', { name: '2 notes' }).boundingBox())!]
  expect(list.x).toBeGreaterThanOrEqual(picture.x + picture.width)
  expect(picture.height).toBeLessThanOrEqual(LANDSCAPE_PHONE.height)
  await expect(page.getByRole('banner')).not.toBeInViewport()
  await shoot('watching-across', page)
})
