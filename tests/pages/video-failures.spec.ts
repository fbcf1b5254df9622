import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { disablePreloadedData, expect, test } from '../support/playwright-base-fixtures.ts'
import { hevcClips, sampleVideos } from '../support/sample-media.ts'
import { addVideo, callApi, createFolderWithVideo, saveCardByApi, signUpAsInstructor, signUpAsPlayer } from './api-setup.ts'
import { chooseInstructorInDialog } from './choose-instructor-in-dialog.ts'
import { createStartedReview, noteField, waitForPreparedVideos, waitForSavedDraft } from './studio-setup.ts'

// Whatever happens to a video, a page must not disturb what a person is doing.
const swing = await readFile(sampleVideos.mp4)
const silent = await readFile(hevcClips.silent)
const sounding = await readFile(hevcClips.sounding)

const shownTime = (page: Page) => page.locator('video').evaluate((v: HTMLVideoElement) => v.readyState >= 2 && v.currentTime)
/** The word 'Frame' and the number of the frame that the stage shows. */
const frameNumber = (page: Page) => page.locator('[data-frame]').getByText(/^Frame/)
/**
 * Serves folders as if their videos had not been prepared: clips play from signed URLs, without a frame table. Instructors cannot access
 * originals, so their clips use the URL of the rendition.
 */
const serveUnprepared = async (page: Page, change: (clip: { name: string; url: string }) => void = () => {}) => {
  await disablePreloadedData(page)
  await page.route(/\/api\/folders\/[\w-]{36}$/, async route => {
    if (route.request().method() !== 'GET') return route.fallback()
    const response = await route.fetch()
    // If the browser has left the page in the meantime, there is no response to read.
    const its = await response.json().catch(() => undefined)
    if (!its) return route.abort()
    for (const clip of [...(its.clips ?? []), ...(its.session?.clips ?? [])]) {
      clip.url ??= clip.rendition?.url ?? null
      delete clip.rendition
      // While a video is new, the page requests the folder again and again, so make the video an hour older.
      clip.added = new Date(Date.parse(clip.added) - 3_600_000).toISOString()
      change(clip)
    }
    await route.fulfill({ response, json: its })
  })
}
/** The rendition of a video that cannot be prepared. */
const refused = {
  state: 'refused',
  progress: 0,
  reason: { code: 'damaged', message: 'This video is damaged.' },
  unseen: true,
  url: null,
  bytes: null,
  width: null,
  height: null,
  table: null,
  filmstrip: null,
}
/** Starts counting the page's requests for a folder. The returned function returns the count so far. */
function countFolderRequests(page: Page, folder: string) {
  let times = 0
  page.on('request', r => r.method() === 'GET' && new URL(r.url()).pathname === `/api/folders/${folder}` && times++)
  return () => times
}

test('when a video URL expires, typed text, focus and position stay', { tag: '@sweep' }, async ({ page, person }) => {
  const { folder } = await createStartedReview(page, await person())
  await waitForPreparedVideos(page, folder)

  // The URL in the first response is valid until `isExpired` is set.
  let isExpired = false
  let answers = 0
  await serveUnprepared(page, clip => {
    if (++answers === 1) clip.url += '&old'
  })
  await page.route(/&old$/, route =>
    isExpired ? route.fulfill({ status: 403, body: '<Error/>' }) : route.continue({ url: route.request().url().slice(0, -4) }),
  )
  await page.goto(`/instructor/folder/${folder}`)
  await waitForSavedDraft(page)
  await expect.poll(() => shownTime(page)).not.toBe(false)
  await page.getByRole('slider', { name: 'Position' }).fill('36')
  await expect.poll(() => shownTime(page)).toBeCloseTo(36.5 / 30, 3)
  await page.getByRole('button', { name: 'Note', exact: true }).click()
  await expect(noteField(page)).toBeFocused()
  await page.keyboard.type('Your hands ')
  await noteField(page).evaluate(n => n.setAttribute('data-same', ''))

  isExpired = true
  // Load the video again, as a browser does after it has discarded its buffered data.
  await page.locator('video').evaluate((v: HTMLVideoElement) => v.load())
  await page.keyboard.type('drift forward')
  await expect.poll(() => page.locator('video').evaluate((v: HTMLVideoElement) => v.src)).not.toContain('&old')
  await expect.poll(() => shownTime(page)).toBeCloseTo(36.5 / 30, 3)
  await page.keyboard.type(' before the foot is down.')
  await expect(page.locator('[data-same]')).toBeFocused()
  await expect(noteField(page)).toHaveValue('Your hands drift forward before the foot is down.')
  expect(answers).toBe(2)
})

test('a video that the browser cannot decode is reported and can be removed', { tag: '@sweep' }, async ({ page, shoot }) => {
  await serveUnprepared(page)
  await signUpAsPlayer(page)
  for (const [file, name, type] of [
    [silent, 'silent.mp4', 'video/mp4'],
    [sounding, 'sounding.mov', 'video/quicktime'],
  ] as const) {
    const folder = randomUUID()
    await callApi(page, 'POST', '/api/folders', { id: folder, name: 'From the phone' })
    await addVideo(page, folder, file, { name, type })
    const times = countFolderRequests(page, folder)
    await page.goto(`/player/folder/${folder}`)
    await expect(page.getByText(`This device cannot play ${name}.`)).toBeVisible()
    await expect(frameNumber(page)).toBeHidden()
    // There is at most one request to load the folder, and one to renew the URL.
    expect(times()).toBeLessThanOrEqual(2)
    await shoot('player-folder-undecodable')
    await page.getByRole('button', { name: `Remove ${name}` }).click()
    await page.getByRole('button', { name: 'Remove video' }).click()
    await expect(page.getByText('Add up to 3 videos of what you are working on.')).toBeVisible()
  }
})

test('with one unplayable video of three, the rest of the folder still works', { tag: '@sweep' }, async ({ page, person, accessible }) => {
  const player = await person()
  await serveUnprepared(player)
  // The instructor gets no URL for an original.
  await serveUnprepared(page, clip => {
    if (clip.name === 'phone.mov') Object.assign(clip, { url: null, rendition: refused })
  })
  await signUpAsInstructor(page, 'Hal', 'Evans')
  await signUpAsPlayer(player)
  const { folder } = await createFolderWithVideo(player, 'Three swings', swing)
  await addVideo(player, folder, sounding, { name: 'phone.mov', type: 'video/quicktime' })
  await addVideo(player, folder, swing, { name: 'third.mp4' })
  await saveCardByApi(player)

  /** Switches between the two playable videos and the unplayable one. Asserts that the page requests the folder at most twice. */
  async function goThrough(viewer: Page, says: string, times: () => number) {
    await expect.poll(() => shownTime(viewer)).not.toBe(false)
    await viewer.getByRole('button', { name: /^Video 2: / }).click()
    await expect(viewer.getByText(says)).toBeVisible()
    await expect(frameNumber(viewer)).toBeHidden()
    await viewer.getByRole('button', { name: /^Video 3: / }).click()
    await expect.poll(() => shownTime(viewer)).not.toBe(false)
    await viewer.getByRole('button', { name: /^Video 2: / }).click()
    await expect(viewer.getByText(says)).toBeVisible()
    expect(times()).toBeLessThanOrEqual(2)
  }
  const seen = countFolderRequests(player, folder)
  await player.goto(`/player/folder/${folder}`)
  await goThrough(player, 'This device cannot play phone.mov.', seen)
  await expect(player.getByRole('button', { name: 'Remove phone.mov' })).toBeVisible()
  await accessible(player)
  await player.getByRole('button', { name: 'Assign to an instructor' }).click()
  await chooseInstructorInDialog(player.getByRole('dialog'), 'Hal Evans')
  await player.getByRole('button', { name: 'Assign to Hal' }).click()
  await expect(player.getByRole('button', { name: 'Take it back' })).toBeVisible()

  const looked = countFolderRequests(page, folder)
  await waitForPreparedVideos(page, folder, { clips: 3 })
  await page.goto(`/instructor/folder/${folder}`)
  await goThrough(page, 'phone.mov cannot be shown.', looked)
  await page.getByRole('button', { name: /^Video 1: / }).click()
  await expect.poll(() => shownTime(page)).not.toBe(false)
  await page.getByRole('button', { name: 'Note', exact: true }).click()
  await noteField(page).fill('Nice and short.')
  await page.getByRole('button', { name: /^Video 2: / }).click()
  await expect(page.getByText('phone.mov cannot be shown.')).toBeVisible()
  await page.getByRole('button', { name: 'Go to note 1 at' }).click()
  await expect.poll(() => shownTime(page)).not.toBe(false)
  await expect(noteField(page)).toHaveValue('Nice and short.')
})
