import { copyFile, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from '../support/playwright-base-fixtures.ts'
import { hevcClips, sampleVideos, writePaddedVideo, writeTextAsVideo, writeTruncatedVideo } from '../support/sample-media.ts'
import { callApi, signUpAsPlayer } from './api-setup.ts'

const MB = 1024 * 1024

let folder: string
test.beforeEach(async ({ page }) => {
  await signUpAsPlayer(page)
  folder = crypto.randomUUID()
  await callApi(page, 'POST', '/api/folders', { id: folder, name: 'Bullpen' })
  await page.goto(`/player/folder/${folder}`)
  await expect(page.getByRole('button', { name: 'Choose videos' })).toBeVisible()
})

const chooseVideos = (page: Page, ...files: string[]) => page.getByLabel('Choose videos').setInputFiles(files)
const videosRegion = (page: Page) => page.getByRole('region', { name: 'Videos', exact: true })
const partOf = (url: string) => Number(new URL(url).searchParams.get('partNumber'))

/** Holds these parts back until `go` is called, and collects the numbers of the parts that have been sent. */
async function holdParts(page: Page, parts: number[]) {
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

/** Waits until these parts, 8 MB each, have been sent, which can take minutes when other programs are using the disk. */
const waitForParts = (sent: number[], parts: number[]) => expect.poll(() => [...sent].sort(), { timeout: 200_000 }).toEqual(parts)

// @spec:7.21
test('a paused upload resumes with only the missing parts', { tag: '@sweep' }, async ({ page, shoot, accessible }) => {
  const file = await writePaddedVideo(sampleVideos.mp4, 30 * MB)
  const { go, sent } = await holdParts(page, [3, 4])
  await chooseVideos(page, file)
  const row = page.getByRole('list', { name: 'Uploads' }).getByRole('listitem')
  await waitForParts(sent, [1, 2])
  await expect(row).toContainText(/\d+ MB of 30 MB/)
  await shoot('player-upload-sending')
  await page.getByRole('button', { name: `Pause ${basename(file)}` }).click()
  await expect(row).toContainText('16 MB of 30 MB · paused')
  await shoot('player-upload-paused')
  await accessible()
  go()
  await page.getByRole('button', { name: `Resume ${basename(file)}` }).click()
  await expect(videosRegion(page)).toContainText(basename(file))
  expect(sent.filter(n => n === 1 || n === 2)).toHaveLength(2)
  await expect(videosRegion(page)).toContainText('0:02 · 320 × 240 · 30 MB')
})

test('an upload resumes after a reload when the same file is chosen, even if renamed', { tag: '@sweep' }, async ({
  page,
  shoot,
  accessible,
}) => {
  const dir = await mkdtemp(join(tmpdir(), 'again-'))
  const file = await writePaddedVideo(sampleVideos.mp4, 30 * MB)
  const renamed = join(dir, 'IMG_0042.mp4')
  await copyFile(file, renamed)
  page.on('dialog', dialog => dialog.accept())
  const { go, sent } = await holdParts(page, [3, 4])
  await chooseVideos(page, file)
  await waitForParts(sent, [1, 2])
  await page.reload()
  const row = page.getByRole('list', { name: 'Uploads' }).getByRole('listitem')
  await expect(row).toContainText('16 MB of 30 MB uploaded. Choose the same file to send the rest.')
  await shoot('player-upload-unfinished')
  await accessible()

  await page.goto('/player/dashboard')
  await expect(page.getByText(`${basename(file)} has not finished uploading`)).toBeVisible()
  await page.getByText(`${basename(file)} has not finished uploading`).click()
  go()
  await chooseVideos(page, renamed)
  await expect(videosRegion(page)).toBeVisible()
  expect([...sent].sort()).toEqual([1, 2, 3, 4])
  await page.goto('/player/dashboard')
  await expect(page.getByText('Bullpen is ready to assign')).toBeVisible()
  await rm(dir, { recursive: true })
})

test('an upload resumes automatically after a lost connection', { tag: '@sweep' }, async ({ page, context, problems }) => {
  problems.expect(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_NETWORK/)
  const file = await writePaddedVideo(sampleVideos.mp4, 30 * MB)
  const { go, sent } = await holdParts(page, [3, 4])
  await chooseVideos(page, file)
  await waitForParts(sent, [1, 2])
  await context.setOffline(true)
  go()
  const row = page.getByRole('list', { name: 'Uploads' }).getByRole('listitem')
  await expect(row).toContainText('connection lost, resumes automatically')
  await context.setOffline(false)
  await expect(videosRegion(page)).toContainText(basename(file))
  expect(sent.filter(n => n === 1 || n === 2)).toHaveLength(2)
})

test('an unusable file is refused before any byte is sent', async ({ page, shoot, accessible }) => {
  const dir = await mkdtemp(join(tmpdir(), 'wrong-'))
  const huge = join(dir, 'whole-game.mp4')
  await copyFile(sampleVideos.mp4, huge)
  const handle = await open(huge, 'r+')
  await handle.truncate(501 * MB)
  await handle.close()
  const long = join(dir, `${'very-'.repeat(41)}long.mp4`)
  await copyFile(sampleVideos.mp4, long)
  const asked: string[] = []
  page.on('request', r => r.method() === 'POST' && r.url().includes('/api/uploads') && asked.push(r.url()))

  await chooseVideos(page, await writeTextAsVideo())
  await expect(page.getByRole('alert').filter({ hasText: 'This is not a video that we can read' })).toBeVisible()
  await chooseVideos(page, huge)
  await expect(page.getByRole('alert').filter({ hasText: '501 MB. The limit is 500 MB' })).toBeVisible()
  await chooseVideos(page, long)
  await expect(page.getByRole('alert').filter({ hasText: 'characters. The limit is 200' })).toBeVisible()
  await shoot('player-upload-refused')
  await accessible()
  expect(asked).toEqual([])
  await page.getByRole('button', { name: 'Dismiss whole-game.mp4' }).click()
  await expect(page.getByText('501 MB')).toBeHidden()
  await rm(dir, { recursive: true })
})

test('a folder accepts three videos and refuses a fourth', { tag: '@sweep' }, async ({ page, shoot, accessible }) => {
  const frames: number[] = []
  page.on('request', r => r.url().endsWith('/complete') && frames.push(r.postDataJSON().inside.media.frames))
  await chooseVideos(page, sampleVideos.mp4, sampleVideos.mov, sampleVideos.webm, sampleVideos.mp4)
  await expect(page.getByText('A session can have up to 3 videos. Remove one first, or start another folder.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Video \d/ })).toHaveCount(3)
  // The browser counts the frames, so that notes are exact from the start.
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

test('a fourth file is refused even if the first three are added before it is read', { tag: '@sweep' }, async ({ page }) => {
  const threeAdded = page.getByRole('button', { name: /^Video 3/ }).waitFor()
  const begun: string[] = []
  page.on('request', r => r.method() === 'POST' && r.url().endsWith('/api/uploads') && begun.push(r.url()))
  await page.exposeFunction('waitForThreeVideos', () => threeAdded)
  // The page hashes each file before it counts the videos, so delay the fourth hash until three videos have been added.
  await page.evaluate(() => {
    const digest = crypto.subtle.digest.bind(crypto.subtle)
    let hashed = 0
    crypto.subtle.digest = async (...args) => {
      if (++hashed === 4) await (window as unknown as { waitForThreeVideos(): Promise<void> }).waitForThreeVideos()
      return digest(...args)
    }
  })
  await chooseVideos(page, sampleVideos.mp4, sampleVideos.mov, sampleVideos.webm, sampleVideos.mp4)
  await threeAdded
  await expect(page.getByText('A session can have up to 3 videos. Remove one first, or start another folder.')).toBeVisible()
  expect(begun).toHaveLength(3)
})

test("a truncated file shows the server's message", async ({ page }) => {
  await chooseVideos(page, await writeTruncatedVideo(sampleVideos.mp4, 2000))
  const row = page.getByRole('list', { name: 'Uploads' }).getByRole('listitem')
  await expect(row.getByRole('alert')).toBeVisible()
  await expect(row.getByRole('alert')).toContainText('The end of this video is missing')
  await row.getByRole('button', { name: /^Dismiss/ }).click()
  await expect(row).toBeHidden()
})

test('a video of which this browser plays only the sound gets no black poster', { tag: '@sweep' }, async ({ page }) => {
  const stills: string[] = []
  page.on('request', r => r.url().endsWith('/poster') && stills.push(r.url()))
  const read = Promise.withResolvers<void>()
  await page.route(/\/video\?/, async route => {
    if (route.request().method() === 'PUT') await read.promise
    await route.continue()
  })
  await chooseVideos(page, hevcClips.sounding)
  const row = page.getByRole('list', { name: 'Uploads' }).getByRole('listitem')
  await expect(row).toContainText('This video is HEVC. After the upload, it is prepared')
  await expect(row).not.toContainText('dark')
  read.resolve()
  await expect(videosRegion(page)).toContainText(basename(hevcClips.sounding))
  expect(stills).toEqual([])
})

test('a failed part is reported, and a retry sends only that part', { tag: '@sweep' }, async ({ page, problems }) => {
  problems.expect(/409/)
  const file = await writePaddedVideo(sampleVideos.mp4, 30 * MB)
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
  await chooseVideos(page, file)
  const row = page.getByRole('list', { name: 'Uploads' }).getByRole('listitem')
  await expect(row.getByRole('alert')).toContainText('Part 2 of 4 has not arrived.')
  await row.getByRole('button', { name: 'Try again' }).click()
  await expect(videosRegion(page)).toContainText(basename(file))
  expect(sent.toSorted()).toEqual([1, 2, 2, 3, 4])
})

test('a canceled upload leaves no data behind', { tag: '@sweep' }, async ({ page }) => {
  const file = await writePaddedVideo(sampleVideos.mp4, 30 * MB)
  const { sent } = await holdParts(page, [3, 4])
  await chooseVideos(page, file)
  await waitForParts(sent, [1, 2])
  await page.getByRole('button', { name: `Cancel ${basename(file)}` }).click()
  await expect(page.getByRole('list', { name: 'Uploads' })).toBeHidden()
  await expect.poll(async () => (await (await page.request.get(`/api/uploads?folder=${folder}`)).json()).uploads).toEqual([])
})
