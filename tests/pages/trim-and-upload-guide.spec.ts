import type { Page } from '@playwright/test'
import { expect, test } from '../support/playwright-base-fixtures.ts'
import { sampleVideos } from '../support/sample-media.ts'
import { ensureCustomTestClip, ffmpegPath } from '../support/test-clips.ts'
import { callApi, signUpAsPlayer } from './api-setup.ts'
import { shownFrameNumber, waitForFrame, waitForRenditionInPlayer } from './shown-frame.ts'

test.beforeEach(async ({ page }) => {
  await signUpAsPlayer(page)
  const folder = crypto.randomUUID()
  await callApi(page, 'POST', '/api/folders', { id: folder, name: 'Bullpen' })
  await page.goto(`/player/folder/${folder}`)
  await expect(page.getByRole('button', { name: 'Choose videos' })).toBeVisible()
})

const chooseVideos = (page: Page, ...files: string[]) => page.getByLabel('Choose videos').setInputFiles(files)
const videosRegion = (page: Page) => page.getByRole('region', { name: 'Videos', exact: true })

/** Creates a 40-second clip at 30 frames per second, with a keyframe every two seconds. */
const longClip = () =>
  ensureCustomTestClip('long.mp4', {
    frames: 1200,
    rate: '30',
    width: 384,
    height: 216,
    encode: ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '60', '-bf', '2', '-pix_fmt', 'yuv420p'],
  })

test('a long video is offered for trimming before the upload (needs ffmpeg)', { tag: '@sweep' }, async ({ page, shoot, accessible }) => {
  test.skip(!ffmpegPath, 'ffmpeg is not installed, so the clip cannot be made')
  const file = await longClip()
  const begun: string[] = []
  page.on('request', r => r.method() === 'POST' && r.url().endsWith('/api/uploads') && begun.push(r.postDataJSON().name))
  const rows = page.getByRole('list', { name: 'Uploads' }).getByRole('listitem')
  await chooseVideos(page, file, sampleVideos.mp4)
  await expect(rows.filter({ hasText: 'long.mp4' })).toContainText('40 seconds is longer than you need')
  await expect(rows.filter({ hasText: 'long.mp4' })).toContainText('not sent yet')
  // Other chosen files are uploaded without waiting for the long one.
  await expect(videosRegion(page)).toContainText('sample.mp4')
  expect(begun).toEqual(['sample.mp4'])
  await shoot('player-upload-long')
  await accessible()

  await page.getByRole('button', { name: /^Trim .* to the action$/ }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: /^Trim to/ })).toBeDisabled()
  await dialog.getByLabel('Start').fill('315')
  await dialog.getByLabel('End').fill('404')
  await expect(dialog.getByRole('button', { name: 'Trim to 3.0 s' })).toBeEnabled()
  await shoot('player-upload-trim')
  await accessible()
  const completed = page.waitForRequest(/\/complete$/)
  await dialog.getByRole('button', { name: 'Trim to 3.0 s' }).click()
  // The keyframe before the chosen start is frame 300.
  await expect(rows).toContainText('Trimmed from 0:40.00. The file keeps 0.5 s from before your start, which is never shown.')
  expect((await completed).postDataJSON().inside.media).toMatchObject({ codec: 'avc', frames: 94 })
  await page.getByRole('button', { name: /^Video 2: .*\(trimmed\)\.mp4/ }).click()
  await waitForRenditionInPlayer(page)
  await waitForFrame(page, 0)
  expect(await shownFrameNumber(page)).toBe(315)
})

test('the upload guide checks the camera and proposes the hit by sound (needs ffmpeg)', {
  tag: '@sweep',
}, async ({ page, shoot, accessible }) => {
  test.skip(!ffmpegPath, 'ffmpeg is not installed, so the clip cannot be made')
  await expect(page.getByRole('img', { name: /^A batter in an upright picture/ })).toBeVisible()
  await expect(page.getByText('120 or 240 frames per second')).toBeVisible()
  await shoot('player-upload-guide')
  await accessible()
  // In this clip, the camera pans, and a hit is heard at 21 s.
  const file = await ensureCustomTestClip('hit.mp4', {
    frames: 1200,
    rate: '30',
    width: 384,
    height: 216,
    filter: "scroll=h='0.02'",
    encode: ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '60', '-pix_fmt', 'yuv420p'],
    sound: 'aac',
    soundSource: "aevalsrc='0.01*(random(0)-0.5)+0.9*(random(1)-0.5)*exp(-300*max(0,t-21))*gte(t,21)':s=48000",
  })
  const row = page.getByRole('list', { name: 'Uploads' }).getByRole('listitem')
  await chooseVideos(page, file)
  await expect(row).toContainText('Fast motion looks blurry at 30 frames per second')
  await expect(row).toContainText('Filmed with the phone sideways')
  await expect(row).toContainText('The camera moves.')
  await shoot('player-upload-checked')
  await accessible()
  await page.getByRole('button', { name: /^Trim .* to the action$/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /^Set to the sound of the hit at 0:2[01]\.\d\d$/ }).click()
  await expect(dialog.getByRole('button', { name: 'Trim to 4.0 s' })).toBeEnabled()
  await expect(dialog.getByLabel('Start')).toHaveValue(/^55[45]$/)
  await shoot('player-upload-proposed')
  await accessible()
})

test('without sound, the strongest motion is proposed as the swing (needs ffmpeg)', {
  tag: '@sweep',
}, async ({ page, shoot, accessible }) => {
  test.skip(!ffmpegPath, 'ffmpeg is not installed, so the clip cannot be made')
  // The clip is still, except for one second of motion at 20 s.
  const file = await ensureCustomTestClip('motion.mp4', {
    frames: 1200,
    rate: '30',
    width: 384,
    height: 216,
    filter: "drawbox=c=gray:t=fill,noise=alls=100:allf=t:enable='between(t,20,21)'",
    encode: ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '60', '-pix_fmt', 'yuv420p'],
  })
  await chooseVideos(page, file)
  await page.getByRole('button', { name: /^Trim .* to the action$/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /^Set to the strongest motion at 0:(20|21)\.\d\d$/ }).click()
  await expect(dialog.getByRole('button', { name: 'Trim to 4.0 s' })).toBeEnabled()
  await shoot('player-upload-motion')
  await accessible()
})

test('an optional smaller copy for the upload has every frame (needs ffmpeg)', {
  tag: '@sweep',
}, async ({ page, shoot }) => {
  test.skip(!ffmpegPath, 'ffmpeg is not installed, so the clip cannot be made')
  const file = await ensureCustomTestClip('rare.mp4', {
    frames: 45,
    rate: '30',
    width: 1920,
    height: 1080,
    encode: ['-c:v', 'libaom-av1', '-cpu-used', '8', '-usage', 'realtime', '-b:v', '40M', '-g', '15'],
  })
  let go = () => {}
  const gate = new Promise<void>(done => {
    go = done
  })
  await page.route(/partNumber=1|\/video\?/, async route => {
    if (route.request().method() === 'PUT') await gate
    await route.continue()
  })
  await chooseVideos(page, file)
  const row = page.getByRole('list', { name: 'Uploads' }).getByRole('listitem')
  await expect(row).toContainText('AV1 · 30 frames/s · 1920 × 1080 · 1.5 s')
  const offer = page.getByRole('button', { name: /^Upload a smaller copy of/ })
  await expect(offer).toBeVisible()
  await shoot('player-upload-smaller')
  await offer.click()
  await expect(row).toContainText(/Creating a smaller copy, \d+%/)
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(row).toContainText('paused')
  const completed = page.waitForRequest(/\/complete$/)
  await offer.click()
  await expect(row).toContainText('A smaller copy, with every frame of the original.')
  go()
  expect((await completed).postDataJSON().inside.media).toMatchObject({ codec: 'avc', width: 1280, height: 720, frames: 45 })
  await expect(videosRegion(page)).toContainText('(720p).mp4')
  await waitForRenditionInPlayer(page)
  await waitForFrame(page, 0)
  await page.getByRole('slider', { name: 'Position' }).fill('31')
  await waitForFrame(page, 31)
  expect(await shownFrameNumber(page)).toBe(31)
})
