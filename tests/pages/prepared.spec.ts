import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { v7 } from 'uuid'
import { expect, test } from '../support/browser.ts'
import { clip, ffmpeg, numbersIn } from '../support/clips.ts'
import { samples } from '../support/media.ts'
import { numberSeen } from '../support/seen.ts'
import { asInstructor, asPlayer, call, film, filmed, withCard } from './people.ts'

test.use({ actionTimeout: 20_000 })
test.describe.configure({ timeout: 240_000 })

/** What is burnt into the picture that the page's <video> shows. */
const picture = (page: Page) =>
  page.locator('video').evaluate((video: HTMLVideoElement, read) => {
    const seen = new Function(`return (${read})`)() as typeof numberSeen
    return seen(video, video.videoWidth, video.videoHeight)
  }, numberSeen.toString())
const sureAt = (page: Page, frame: number) =>
  expect(page.locator(`[data-frame="${frame}"][data-sure="true"]`)).toBeAttached({ timeout: 60_000 })

test('an iPhone video that this browser cannot decode, from upload to paid feedback (needs ffmpeg)', async ({ page, person, shoot }) => {
  test.skip(!ffmpeg, 'ffmpeg is not here to make the clip')
  const file = await clip('hevc.mov')
  expect((await numbersIn(file)).length).toBe(120)
  const instructor = await person()
  const coach = await asInstructor(instructor)
  await asPlayer(page)
  await withCard(page)
  const folder = v7()
  await call(page, 'POST', '/api/folders', { id: folder, name: 'From the phone' })

  await page.goto(`/player/folder/${folder}`)
  const read = Promise.withResolvers<void>()
  await page.route(/\/videos\//, async route => {
    if (route.request().method() === 'PUT') await read.promise
    await route.continue()
  })
  await page.getByLabel('Choose videos').setInputFiles({ name: 'IMG_0042.MOV', mimeType: 'video/quicktime', buffer: await readFile(file) })
  // While it goes up, what is inside stands beside it.
  await expect(page.getByText('HEVC · 60 frames/s · 384 × 216 · 2.0 s')).toBeVisible()
  await expect(page.getByText('The picture is HEVC. After the upload it is prepared, so that it plays on every device.')).toBeVisible()
  await shoot('player-folder-advice')
  read.resolve()
  // It may be assigned while it is prepared, and plays by itself, without a reload.
  const assignment = v7()
  await expect(async () => {
    await call(page, 'POST', `/api/folders/${folder}/assign`, { assignment, instructor: coach.id, message: 'My hands, please.' })
  }).toPass()
  await page.goto(`/player/folder/${folder}`)
  await sureAt(page, 0)
  await page.getByRole('slider', { name: 'Position' }).fill('77')
  await sureAt(page, 77)
  expect(await picture(page)).toBe(77)
  await shoot('player-folder-prepared')

  await call(instructor, 'POST', `/api/folders/${folder}/review`)
  await instructor.goto(`/instructor/folder/${folder}`)
  await sureAt(instructor, 0)
  for (const _ of [1, 2, 3]) await instructor.locator('body').press('Shift+.')
  await instructor.locator('body').press('.')
  await sureAt(instructor, 31)
  expect(await picture(instructor)).toBe(31)
  await instructor.locator('body').press('m')
  await instructor.getByLabel('Note 1', { exact: true }).fill('Hands drift forward here.')
  await expect(instructor.locator('[data-saved=saved]')).toBeVisible()
  const { draft } = await (await instructor.request.get(`/api/folders/${folder}/draft`)).json()
  // 31 frames at 60 a second begin at 516.67 ms.
  expect(draft.notes[0]).toMatchObject({ frame: 31, at: 517 })
  await call(instructor, 'POST', `/api/folders/${folder}/feedback`, { ...draft, summary: 'Keep the hands back.' })

  await expect(async () => {
    await page.goto(`/player/folder/${folder}`)
    await expect(page.getByText('Keep the hands back.')).toBeVisible({ timeout: 3000 })
  }).toPass()
  await page
    .getByRole('button', { name: /Hands drift forward/ })
    .first()
    .click()
  await sureAt(page, 31)
  expect(await picture(page)).toBe(31)
  await page.getByRole('button', { name: /^Pay \$/ }).click()
  await expect(page.getByRole('heading', { name: /^Paid \$/ })).toBeVisible()
})

test('three prepared, one preparing, one that cannot be played: the folder, the queue and the studio say so and follow without a reload', async ({
  page,
  person,
  shoot,
  accessible,
}) => {
  const player = await person()
  const coach = await asInstructor(page)
  await asPlayer(player)
  const { folder } = await filmed(player, 'Tee work', await readFile(samples.mp4))
  await film(player, folder, await readFile(samples.mov), { name: 'swing.mov', type: 'video/quicktime' })
  await film(player, folder, await readFile(samples.webm), { name: 'swing.webm', type: 'video/webm' })
  const clips = async () => (await (await player.request.get(`/api/folders/${folder}`)).json()).clips
  await expect
    .poll(async () => (await clips()).map((c: { rendition?: { state: string } }) => c.rendition?.state).join(), { timeout: 120_000 })
    .toBe('ready,ready,ready')
  // All three kinds play from what was prepared.
  await player.goto(`/player/folder/${folder}`)
  for (const name of ['swing.mp4', 'swing.mov', 'swing.webm']) {
    await player.getByRole('button', { name: new RegExp(`^Video \\d: ${name}`) }).click()
    await sureAt(player, 0)
    expect(await player.locator('video').evaluate((v: HTMLVideoElement) => v.src.slice(0, 5))).toBe('blob:')
    await expect(player.getByRole('slider', { name: 'Position' })).toHaveAttribute('max', '59')
  }

  await withCard(player)
  await call(player, 'POST', `/api/folders/${folder}/assign`, { assignment: v7(), instructor: coach.id, message: 'My hands, please.' })
  let changed = false
  const reason = 'This video is damaged and cannot be played. Export it again on your phone, or film a new one, and put it in its place.'
  const waiting = {
    state: 'preparing',
    progress: 0.4,
    reason: null,
    unseen: false,
    url: null,
    bytes: null,
    width: null,
    height: null,
    table: null,
    filmstrip: null,
  }
  for (const who of [player, page]) {
    await who.route(new RegExp(`/api/folders/${folder}(\\?|$)`), async route => {
      const response = await route.fetch()
      const its = await response.json()
      if (!changed) its.session.clips[0].rendition = waiting
      its.session.clips[1].rendition = {
        ...waiting,
        state: 'refused',
        progress: 0,
        reason: { code: 'damaged', message: reason },
        unseen: true,
      }
      await route.fulfill({ response, json: its })
    })
  }
  await page.route('**/api/queue', async route => {
    const response = await route.fetch()
    const its = await response.json()
    Object.assign(its.folders[0], { preparing: changed ? 0 : 1, unseen: 1 })
    await route.fulfill({ response, json: its })
  })
  await page.goto('/instructor/dashboard')
  await expect(page.getByText('3 videos, 1 being prepared, 1 cannot be played')).toBeVisible()
  await accessible()
  await shoot('instructor-dashboard-preparing')
  await player.goto(`/player/folder/${folder}`)
  await expect(player.getByText(/^Preparing, 40 %/).first()).toBeVisible()
  await player.getByRole('button', { name: /^Video 2: swing.mov.*Cannot be played/ }).click()
  await expect(player.getByText(reason).first()).toBeVisible()
  await accessible(player)
  await shoot('player-folder-refused', player)
  await player.getByRole('button', { name: /^Video 1: swing.mp4/ }).click()
  await shoot('player-folder-preparing', player)

  changed = true
  await expect(page.getByText('3 videos, 1 cannot be played')).toBeVisible()
  await expect(player.getByText(/^Preparing, 40 %/)).toHaveCount(0)
  await expect.poll(() => player.locator('video').evaluate((v: HTMLVideoElement) => v.src.slice(0, 5))).toBe('blob:')
})
