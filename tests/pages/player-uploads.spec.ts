import { copyFile, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from '../support/browser.ts'
import { ffmpeg, largeClip } from '../support/clips.ts'
import { grown, lying, samples, truncated } from '../support/media.ts'
import { asPlayer, call } from './people.ts'
import { pictureOf, sureAt } from './picture.ts'

const MB = 1024 * 1024
test.use({ actionTimeout: 15_000 })
// A busy machine takes its time.
test.describe.configure({ timeout: 120_000 })

let folder: string
test.beforeEach(async ({ page }) => {
  await asPlayer(page)
  folder = crypto.randomUUID()
  await call(page, 'POST', '/api/folders', { id: folder, name: 'Bullpen' })
  await page.goto(`/player/folder/${folder}`)
  await expect(page.getByRole('button', { name: 'Choose videos' })).toBeVisible()
})

const choose = (page: Page, ...files: string[]) => page.getByLabel('Choose videos').setInputFiles(files)
const clip = (page: Page) => page.getByRole('region', { name: 'Videos', exact: true })
const partOf = (url: string) => Number(new URL(url).searchParams.get('partNumber'))

/** Holds these parts back until `go`, and counts what was sent. */
async function holding(page: Page, parts: number[]) {
  let go = () => {}
  const gate = new Promise<void>(done => {
    go = done
  })
  const sent: number[] = []
  await page.route(
    url => parts.includes(partOf(url.href)),
    async route => {
      await gate
      await route.continue().catch(() => {})
    },
  )
  page.on('requestfinished', r => r.method() === 'PUT' && partOf(r.url()) && sent.push(partOf(r.url())))
  return { go, sent }
}

test('pauses and goes on with the missing parts only', async ({ page, shoot, accessible }) => {
  const file = await grown(samples.mp4, 30 * MB)
  const { go, sent } = await holding(page, [3, 4])
  await choose(page, file)
  const row = page.getByRole('list', { name: 'Uploads' }).getByRole('listitem')
  await expect.poll(() => [...sent].sort(), { timeout: 30_000 }).toEqual([1, 2])
  await expect(row).toContainText(/\d+ MB of 30 MB/)
  await shoot('player-upload-sending')
  await page.getByRole('button', { name: `Pause ${basename(file)}` }).click()
  await expect(row).toContainText('16 MB of 30 MB · paused')
  await shoot('player-upload-paused')
  await accessible()
  go()
  await page.getByRole('button', { name: `Resume ${basename(file)}` }).click()
  await expect(clip(page)).toContainText(basename(file), { timeout: 30_000 })
  expect(sent.filter(n => n === 1 || n === 2)).toHaveLength(2)
  await expect(clip(page)).toContainText('0:02 · 320 × 240 · 30 MB')
})

test('goes on after a reload when the same file is chosen, whatever it is called now', async ({ page, shoot, accessible }) => {
  const dir = await mkdtemp(join(tmpdir(), 'again-'))
  const file = await grown(samples.mp4, 30 * MB)
  const renamed = join(dir, 'IMG_0042.mp4')
  await copyFile(file, renamed)
  page.on('dialog', dialog => dialog.accept())
  const { go, sent } = await holding(page, [3, 4])
  await choose(page, file)
  await expect.poll(() => [...sent].sort(), { timeout: 30_000 }).toEqual([1, 2])
  await page.reload()
  const row = page.getByRole('list', { name: 'Uploads' }).getByRole('listitem')
  await expect(row).toContainText('16 MB of 30 MB arrived before. Choose the same file to send the rest.')
  await shoot('player-upload-unfinished')
  await accessible()

  await page.goto('/player/dashboard')
  await expect(page.getByText(`${basename(file)} has not finished uploading`)).toBeVisible()
  await page.getByText(`${basename(file)} has not finished uploading`).click()
  go()
  await choose(page, renamed)
  await expect(clip(page)).toBeVisible({ timeout: 30_000 })
  expect([...sent].sort()).toEqual([1, 2, 3, 4])
  await page.goto('/player/dashboard')
  await expect(page.getByText('Bullpen is ready to assign')).toBeVisible()
  await rm(dir, { recursive: true })
})

test('waits out a lost connection and goes on by itself', async ({ page, context, problems }) => {
  problems.expect(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_NETWORK/)
  const file = await grown(samples.mp4, 30 * MB)
  const { go, sent } = await holding(page, [3, 4])
  await choose(page, file)
  await expect.poll(() => [...sent].sort(), { timeout: 30_000 }).toEqual([1, 2])
  await context.setOffline(true)
  go()
  const row = page.getByRole('list', { name: 'Uploads' }).getByRole('listitem')
  await expect(row).toContainText('connection lost, goes on by itself')
  await context.setOffline(false)
  await expect(clip(page)).toContainText(basename(file), { timeout: 30_000 })
  expect(sent.filter(n => n === 1 || n === 2)).toHaveLength(2)
})

test('says what is wrong with a file before a byte is sent', async ({ page, shoot, accessible }) => {
  const dir = await mkdtemp(join(tmpdir(), 'wrong-'))
  const huge = join(dir, 'whole-game.mp4')
  await copyFile(samples.mp4, huge)
  const handle = await open(huge, 'r+')
  await handle.truncate(501 * MB)
  await handle.close()
  const long = join(dir, `${'very-'.repeat(41)}long.mp4`)
  await copyFile(samples.mp4, long)
  const asked: string[] = []
  page.on('request', r => r.method() === 'POST' && r.url().includes('/api/uploads') && asked.push(r.url()))

  await choose(page, await lying())
  await expect(page.getByRole('alert').filter({ hasText: 'This is not a video that we can read' })).toBeVisible()
  await choose(page, huge)
  await expect(page.getByRole('alert').filter({ hasText: '501 MB, and up to 500 MB fit' })).toBeVisible()
  await choose(page, long)
  await expect(page.getByRole('alert').filter({ hasText: 'characters, and 200 fit' })).toBeVisible()
  await shoot('player-upload-refused')
  await accessible()
  expect(asked).toEqual([])
  await page.getByRole('button', { name: 'Dismiss whole-game.mp4' }).click()
  await expect(page.getByText('501 MB')).toBeHidden()
  await rm(dir, { recursive: true })
})

test('takes three videos and says so at the fourth', async ({ page, shoot, accessible }) => {
  const frames: number[] = []
  page.on('request', r => r.url().endsWith('/complete') && frames.push(r.postDataJSON().inside.media.frames))
  await choose(page, samples.mp4, samples.mov, samples.webm, samples.mp4)
  await expect(page.getByText('A session takes up to 3 videos. Remove one first, or start another folder.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Video \d/ })).toHaveCount(3, { timeout: 30_000 })
  // Counted here, so that notes are exact at once.
  expect(frames).toEqual([60, 60, 60])
  await expect(page.getByRole('button', { name: 'Add another video' })).toBeHidden()
  await shoot('player-folder-full')
  await accessible()

  await page.getByRole('button', { name: /^Video 3/ }).click()
  await page.getByRole('button', { name: 'Remove sample.webm' }).click()
  await accessible()
  await page.getByRole('button', { name: 'Remove video' }).click()
  await expect(page.getByRole('button', { name: /^Video \d/ })).toHaveCount(2)
  await expect(page.getByRole('button', { name: 'Add another video' })).toBeVisible()
})

test('shows the sentence of the server for a file that is not what it says', async ({ page }) => {
  await choose(page, await truncated(samples.mp4, 2000))
  const row = page.getByRole('list', { name: 'Uploads' }).getByRole('listitem')
  await expect(row.getByRole('alert')).toBeVisible({ timeout: 20_000 })
  await expect(row.getByRole('alert')).toContainText('The end of this video is missing')
  await row.getByRole('button', { name: /^Dismiss/ }).click()
  await expect(row).toBeHidden()
})

test('a part that did not arrive is said, and another try sends that part alone', async ({ page, problems }) => {
  problems.expect(/409/)
  const file = await grown(samples.mp4, 30 * MB)
  const sent: number[] = []
  let lost = false
  await page.route(
    url => partOf(url.href) > 0,
    route => {
      const part = partOf(route.request().url())
      sent.push(part)
      if (part !== 2 || lost) return route.continue()
      lost = true
      return route.fulfill({ status: 200, headers: { etag: '"lost"', 'access-control-allow-origin': '*' } })
    },
  )
  await choose(page, file)
  const row = page.getByRole('list', { name: 'Uploads' }).getByRole('listitem')
  await expect(row.getByRole('alert')).toContainText('Part 2 of 4 has not arrived.', { timeout: 30_000 })
  await row.getByRole('button', { name: 'Try again' }).click()
  await expect(clip(page)).toContainText(basename(file), { timeout: 30_000 })
  expect(sent.toSorted()).toEqual([1, 2, 2, 3, 4])
})

test('can be called off; nothing of it stays', async ({ page }) => {
  const file = await grown(samples.mp4, 30 * MB)
  const { sent } = await holding(page, [3, 4])
  await choose(page, file)
  await expect.poll(() => [...sent].sort(), { timeout: 30_000 }).toEqual([1, 2])
  await page.getByRole('button', { name: `Cancel ${basename(file)}` }).click()
  await expect(page.getByRole('list', { name: 'Uploads' })).toBeHidden()
  await expect.poll(async () => (await (await page.request.get(`/api/uploads?folder=${folder}`)).json()).uploads).toEqual([])
})

/** Forty seconds at 30 frames a second, a key frame every two. */
const long = () =>
  largeClip('long.mp4', {
    ...{ frames: 1200, rate: '30', width: 384, height: 216 },
    encode: ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '60', '-bf', '2', '-pix_fmt', 'yuv420p'],
  })

test('a video longer than a swing is not sent before its player has trimmed it, or says so (needs ffmpeg)', async ({
  page,
  shoot,
  accessible,
}) => {
  test.skip(!ffmpeg, 'ffmpeg is not here to make the clip')
  const file = await long()
  const begun: string[] = []
  page.on('request', r => r.method() === 'POST' && r.url().endsWith('/api/uploads') && begun.push(r.postDataJSON().name))
  const rows = page.getByRole('list', { name: 'Uploads' }).getByRole('listitem')
  await choose(page, file, samples.mp4)
  await expect(rows.filter({ hasText: 'long.mp4' })).toContainText('40 seconds are longer than a swing needs')
  await expect(rows.filter({ hasText: 'long.mp4' })).toContainText('not sent yet')
  // The others do not wait for it.
  await expect(clip(page)).toContainText('sample.mp4', { timeout: 30_000 })
  expect(begun).toEqual(['sample.mp4'])
  await shoot('player-upload-long')
  await accessible()

  await page.getByRole('button', { name: /^Trim .* to the swing$/ }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: /^Trim to/ })).toBeDisabled()
  await dialog.getByLabel('Start').fill('315')
  await dialog.getByLabel('End').fill('404')
  await expect(dialog.getByRole('button', { name: 'Trim to 3.0 s' })).toBeEnabled()
  await shoot('player-upload-trim')
  await accessible()
  const completed = page.waitForRequest(/\/complete$/)
  await dialog.getByRole('button', { name: 'Trim to 3.0 s' }).click()
  // The key frame before is number 300.
  await expect(rows).toContainText('Trimmed from 0:40.00. 0.5 s before what you chose stay in the file, where nobody sees them.')
  expect((await completed).postDataJSON().inside.media).toMatchObject({ codec: 'avc', frames: 94 })
  await page.getByRole('button', { name: /^Video 2: .*\(trimmed\)\.mp4/ }).click({ timeout: 30_000 })
  await sureAt(page, 0)
  expect(await pictureOf(page)).toBe(315)
})

test('a smaller copy is offered where this browser can make one, never taken silently, and has every frame (needs ffmpeg)', async ({
  page,
  shoot,
}) => {
  test.skip(!ffmpeg, 'ffmpeg is not here to make the clip')
  const file = await largeClip('rare.mp4', {
    ...{ frames: 45, rate: '30', width: 1920, height: 1080 },
    encode: ['-c:v', 'libaom-av1', '-cpu-used', '8', '-usage', 'realtime', '-b:v', '40M', '-g', '15'],
  })
  const { go } = await holding(page, [1])
  await choose(page, file)
  const row = page.getByRole('list', { name: 'Uploads' }).getByRole('listitem')
  await expect(row).toContainText('AV1 · 30 frames/s · 1920 × 1080 · 1.5 s')
  const offer = page.getByRole('button', { name: /^Upload a smaller copy of/ })
  await expect(offer).toBeVisible()
  await shoot('player-upload-smaller')
  await offer.click()
  await expect(row).toContainText(/Making a smaller copy, \d+ %/)
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(row).toContainText('paused')
  const completed = page.waitForRequest(/\/complete$/, { timeout: 90_000 })
  await offer.click()
  await expect(row).toContainText('A smaller copy, with every frame of the original.', { timeout: 60_000 })
  go()
  expect((await completed).postDataJSON().inside.media).toMatchObject({ codec: 'avc', width: 1280, height: 720, frames: 45 })
  await expect(clip(page)).toContainText('(720p).mp4', { timeout: 30_000 })
  await sureAt(page, 0)
  await page.getByRole('slider', { name: 'Position' }).fill('31')
  await sureAt(page, 31)
  expect(await pictureOf(page)).toBe(31)
})
