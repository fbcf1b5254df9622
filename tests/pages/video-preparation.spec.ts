import { readFile } from 'node:fs/promises'
import { v7 } from 'uuid'
import { createPostgresPool } from '../../src/server/postgres-pool.ts'
import { minimalMp4File } from '../modules/media/container-builders.ts'
import { disablePreloadedData, expect, test } from '../support/playwright-base-fixtures.ts'
import { sampleVideos } from '../support/sample-media.ts'
import { ensureTestClip, ffmpegPath, readBurnedInFrameNumbers } from '../support/test-clips.ts'
import {
  addVideo,
  callApi,
  createFolderWithVideo,
  saveCardByApi,
  signInAsAdmin,
  signUpAsInstructor,
  signUpAsPlayer,
  waitForFolderStatus,
} from './api-setup.ts'
import { shownFrameNumber, waitForFrame } from './shown-frame.ts'
import { fetchDraftOf, noteField, PREPARATION_TIMEOUT_OPTIONS, waitForSavedDraft } from './studio-setup.ts'

test('an iPhone video that the browser cannot decode can be reviewed (needs ffmpeg)', { tag: '@sweep' }, async ({
  page,
  person,
  shoot,
}) => {
  test.skip(!ffmpegPath, 'ffmpeg is not installed, so the clip cannot be made')
  const file = await ensureTestClip('hevc.mov')
  expect((await readBurnedInFrameNumbers(file)).length).toBe(120)
  const instructor = await person()
  const coach = await signUpAsInstructor(instructor)
  await signUpAsPlayer(page)
  await saveCardByApi(page)
  const folder = v7()
  await callApi(page, 'POST', '/api/folders', { id: folder, name: 'From the phone' })

  await page.goto(`/player/folder/${folder}`)
  const read = Promise.withResolvers<void>()
  await page.route(/\/video\?/, async route => {
    if (route.request().method() === 'PUT') await read.promise
    await route.continue()
  })
  await page.getByLabel('Choose videos').setInputFiles({ name: 'IMG_0042.MOV', mimeType: 'video/quicktime', buffer: await readFile(file) })
  // During the upload, the page shows what the file contains.
  await expect(page.getByText('HEVC · 60 frames/s · 384 × 216 · 2.0 s')).toBeVisible()
  await expect(page.getByText('This video is HEVC. After the upload, it is prepared to play on every device.')).toBeVisible()
  await shoot('player-folder-advice')
  read.resolve()
  // The video can be assigned while it is being prepared, and plays, without a reload, once it is ready.
  const assignment = v7()
  await expect(async () => {
    await callApi(page, 'POST', `/api/folders/${folder}/assign`, { assignment, instructor: coach.id, message: 'My hands, please.' })
  }).toPass()
  await page.goto(`/player/folder/${folder}`)
  await waitForFrame(page, 0)
  await page.getByRole('slider', { name: 'Position' }).fill('77')
  await waitForFrame(page, 77)
  expect(await shownFrameNumber(page)).toBe(77)
  await shoot('player-folder-prepared')

  await callApi(instructor, 'POST', `/api/folders/${folder}/review`)
  await instructor.goto(`/instructor/folder/${folder}`)
  await waitForFrame(instructor, 0)
  for (const _ of [1, 2, 3]) await instructor.locator('body').press('Shift+.')
  await instructor.locator('body').press('.')
  await waitForFrame(instructor, 31)
  expect(await shownFrameNumber(instructor)).toBe(31)
  await instructor.locator('body').press('m')
  await noteField(instructor).fill('Hands drift forward here.')
  await waitForSavedDraft(instructor)
  const draft = await fetchDraftOf(instructor, folder)
  // At 60 frames per second, frame 31 starts at 516.67 ms.
  expect(draft.notes[0]).toMatchObject({ frame: 31, at: 517 })
  await callApi(instructor, 'POST', `/api/folders/${folder}/feedback`, { ...draft, summary: 'Keep the hands back.' })

  await waitForFolderStatus(page, folder, 'feedback-given')
  await page.goto(`/player/folder/${folder}`)
  await expect(page.getByText('Keep the hands back.')).toBeVisible()
  await page
    .getByRole('button', { name: /Hands drift forward/ })
    .first()
    .click()
  await waitForFrame(page, 31)
  expect(await shownFrameNumber(page)).toBe(31)
  await page.getByRole('button', { name: /^Pay \$/ }).click()
  await expect(page.getByRole('heading', { name: /^Paid \$/ })).toBeVisible()
})

test('folder, queue and studio show the progress of preparation without a reload', {
  tag: '@sweep',
}, async ({ page, person, shoot, accessible }) => {
  const player = await person()
  const coach = await signUpAsInstructor(page)
  await signUpAsPlayer(player)
  const { folder } = await createFolderWithVideo(player, 'Tee work', await readFile(sampleVideos.mp4))
  await addVideo(player, folder, await readFile(sampleVideos.mov), { name: 'swing.mov', type: 'video/quicktime' })
  await addVideo(player, folder, await readFile(sampleVideos.webm), { name: 'swing.webm', type: 'video/webm' })
  const clips = async () => (await (await player.request.get(`/api/folders/${folder}`)).json()).clips
  await expect
    .poll(async () => (await clips()).map((c: { rendition?: { state: string } }) => c.rendition?.state).join(), PREPARATION_TIMEOUT_OPTIONS)
    .toBe('ready,ready,ready')
  // Videos of all three types play from their renditions.
  await player.goto(`/player/folder/${folder}`)
  for (const name of ['swing.mp4', 'swing.mov', 'swing.webm']) {
    await player.getByRole('button', { name: new RegExp(`^Video \\d: ${name}`) }).click()
    await waitForFrame(player, 0)
    expect(await player.locator('video').evaluate((v: HTMLVideoElement) => v.src.slice(0, 5))).toBe('blob:')
    await expect(player.getByRole('slider', { name: 'Position' })).toHaveAttribute('max', '59')
  }

  await saveCardByApi(player)
  await callApi(player, 'POST', `/api/folders/${folder}/assign`, { assignment: v7(), instructor: coach.id, message: 'My hands, please.' })
  let changed = false
  const reason = 'This video is damaged and cannot be played. Export it again on your phone or film a new one, then replace it.'
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
    await disablePreloadedData(who)
    await who.route(new RegExp(`/api/folders/${folder}(\\?|$)`), async route => {
      const response = await route.fetch()
      const body = await response.json()
      if (!changed) body.session.clips[0].rendition = waiting
      body.session.clips[1].rendition = {
        ...waiting,
        state: 'refused',
        progress: 0,
        reason: { code: 'damaged', message: reason },
        unseen: true,
      }
      await route.fulfill({ response, json: body })
    })
  }
  await page.route('**/api/queue', async route => {
    const response = await route.fetch()
    const body = await response.json()
    Object.assign(body.folders[0], { preparing: changed ? 0 : 1, unseen: 1 })
    await route.fulfill({ response, json: body })
  })
  await page.goto('/instructor/dashboard')
  await expect(page.getByText('3 videos, 1 being prepared, 1 cannot be played')).toBeVisible()
  await accessible()
  await shoot('instructor-dashboard-preparing')
  // The instructor cannot watch a video while it is being prepared, not even its original: the page says so, and accepts no note.
  await page.goto(`/instructor/folder/${folder}`)
  await expect(page.getByText('Preparing the video… 40%')).toBeVisible()
  await accessible()
  await shoot('instructor-assigned-preparing')
  await page.getByRole('button', { name: /^Video 2: swing.mov.*Cannot be played/ }).click()
  await expect(page.getByText('swing.mov cannot be shown.')).toBeVisible()
  await expect(page.getByText(reason)).toHaveCount(0)
  await page.getByRole('button', { name: /^Video 1: swing.mp4/ }).click()
  await expect(page.getByText('Preparing the video… 40%')).toBeVisible()
  await page.locator('body').press('m')
  await expect(page.getByText('This video is still being prepared.').first()).toBeVisible()
  await expect(noteField(page)).toHaveCount(0)
  await accessible()
  await shoot('instructor-studio-preparing')
  await page.getByRole('button', { name: /^Video 2: swing.mov.*Cannot be played/ }).click()
  await expect(page.getByText('swing.mov cannot be shown.')).toBeVisible()
  await shoot('instructor-studio-refused')
  await page.getByRole('button', { name: /^Video 1: swing.mp4/ }).click()
  await player.goto(`/player/folder/${folder}`)
  await expect(player.getByText(/^Preparing, 40%/).first()).toBeVisible()
  await player.getByRole('button', { name: /^Video 2: swing.mov.*Cannot be played/ }).click()
  await expect(player.getByText(reason).first()).toBeVisible()
  await accessible(player)
  await shoot('player-folder-refused', player)
  await player.getByRole('button', { name: /^Video 1: swing.mp4/ }).click()
  await shoot('player-folder-preparing', player)

  changed = true
  await waitForFrame(page, 0)
  await expect(page.getByText('Preparing the video…')).toHaveCount(0)
  await page.goto('/instructor/dashboard')
  await expect(page.getByText('3 videos, 1 cannot be played')).toBeVisible()
  await expect(player.getByText(/^Preparing, 40%/)).toHaveCount(0)
  await expect.poll(() => player.locator('video').evaluate((v: HTMLVideoElement) => v.src.slice(0, 5))).toBe('blob:')
})

test('a player replaces an unplayable video during a session', {
  tag: '@sweep',
}, async ({ page, person, app, shoot, accessible }) => {
  const [coach, admin] = [await person(), await person()]
  const ray = await signUpAsInstructor(coach)
  await signUpAsPlayer(page)
  await saveCardByApi(page)
  const { folder } = await createFolderWithVideo(page, 'Two swings', await readFile(sampleVideos.mp4))
  const lost = await addVideo(page, folder, Buffer.from(minimalMp4File()), { name: 'IMG_0001.mp4' })
  // A folder with a refused video cannot be assigned, so make the video look as if the worker had not refused it yet.
  const sql = createPostgresPool(app.config.databaseUrl, { max: 1 })
  const refusedNow = async () => (await sql`select 1 from media_work where video = ${lost} and state = 'refused'`).length
  await expect.poll(refusedNow).toBe(1)
  await sql`update media_work set state = 'preparing', due = now() + interval '1 hour' where video = ${lost}`
  await callApi(page, 'POST', `/api/folders/${folder}/assign`, { assignment: v7(), instructor: ray.id, message: 'Both, please.' })
  await sql`update media_work set state = 'refused' where video = ${lost}`
  await sql.end()

  await signInAsAdmin(admin, app)
  await admin.goto('/admin/dashboard')
  const queue = admin.getByRole('region', { name: /could not be prepared$/ })
  await queue.locator('summary', { hasText: 'failed' }).click()
  const line = queue.getByRole('listitem').filter({ hasText: lost })
  await expect(line).toContainText('Failed: no-picture')
  await shoot('admin-media', admin)
  await accessible(admin)
  const retried = admin.waitForResponse(r => r.url().endsWith(`/api/admin/media/${lost}/retry?kind=rendition`))
  await line.getByRole('button', { name: `Try video ${lost} again` }).click()
  expect((await retried).status()).toBe(204)
  await expect(line).toContainText('Failed: no-picture')

  await page.goto(`/player/folder/${folder}`)
  await page.getByRole('button', { name: /^Video 2: IMG_0001.mp4.*Cannot be played/ }).click()
  await expect(page.getByRole('alert')).toContainText('Replace it with a video of your swing, pitch or play.')
  await expect(page.getByRole('button', { name: 'Replace this video' })).toBeVisible()
  await shoot('player-folder-replace')
  await accessible()
  const { promise: sending, resolve: send } = Promise.withResolvers<void>()
  await page.route(/\/incoming\//, route => sending.then(() => route.continue()))
  await page.getByLabel('Choose a video to replace IMG_0001.mp4').setInputFiles(sampleVideos.mov)
  // The upload continues, and stays visible, while the player looks at the other video.
  await page.getByRole('button', { name: /^Video 1: / }).click()
  await expect(page.getByRole('list', { name: 'Uploads' })).toContainText('sample.mov')
  send()
  await expect(page.getByRole('button', { name: /^Video 2: sample.mov/ })).toBeVisible()
  await page.getByRole('button', { name: /^Video 2: sample.mov/ }).click()
  await waitForFrame(page, 0)
  await expect(page.getByText('Replace this video')).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Videos', exact: true })).not.toContainText('IMG_0001.mp4')
  // The download has the original's file name.
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download sample.mov' }).click()
  expect((await download).suggestedFilename()).toBe('sample.mov')
})

test('an administrator refuses a video in preparation, and the player reads why', { tag: '@sweep' }, async ({
  page,
  person,
  app,
  shoot,
  accessible,
}) => {
  const admin = await person()
  await signUpAsPlayer(page)
  const { folder } = await createFolderWithVideo(page, 'Endless', await readFile(sampleVideos.mp4))
  const video = await addVideo(page, folder, await readFile(sampleVideos.mov), { name: 'endless.mov', type: 'video/quicktime' })
  const sql = createPostgresPool(app.config.databaseUrl, { max: 1 })
  const state = async () => (await sql`select state from media_work where video = ${video}`)[0]?.state
  await expect.poll(state, { timeout: 60_000 }).toBe('ready')
  await sql`update media_work set state = 'preparing', begun = now(), cpu_seconds = 41, due = now() + interval '1 hour' where video = ${video}`

  await signInAsAdmin(admin, app)
  await admin.goto('/admin/dashboard')
  await admin.locator('summary', { hasText: 'being prepared' }).click()
  const line = admin.getByRole('list', { name: 'Videos in preparation' }).getByRole('listitem').filter({ hasText: video })
  await expect(line).toContainText('41 s of CPU time')
  await line.getByRole('button', { name: `Refuse video ${video}` }).click()
  const dialog = admin.getByRole('dialog', { name: 'Refuse this video?' })
  await dialog.getByRole('button', { name: 'Refuse video' }).click()
  await expect(dialog).toContainText('Give a reason')
  await dialog.getByLabel('Reason').fill('It takes longer than any swing. Film a shorter one.')
  await shoot('admin-media-refuse', admin)
  await accessible(admin)
  await dialog.getByRole('button', { name: 'Refuse video' }).click()
  await expect(line).toContainText('Failed: by-administrator')
  await expect(dialog).toHaveCount(0)
  expect(await state()).toBe('refused')
  await sql.end()

  await page.goto(`/player/folder/${folder}`)
  await page.getByRole('button', { name: /^Video 2: endless.mov.*Cannot be played/ }).click()
  await expect(page.getByText('It takes longer than any swing. Film a shorter one.').first()).toBeVisible()
})

test('a folder without any playable video is marked there and on the dashboard', { tag: '@sweep' }, async ({ page, shoot, accessible }) => {
  await signUpAsPlayer(page)
  const { folder } = await createFolderWithVideo(page, 'Back yard', Buffer.from(minimalMp4File()))
  await addVideo(page, folder, Buffer.from(minimalMp4File()), { name: 'IMG_0002.mp4' })
  const unseen = async () => (await (await page.request.get(`/api/folders/${folder}`)).json()).unseen
  await expect.poll(unseen, PREPARATION_TIMEOUT_OPTIONS).toBe(2)
  await page.goto('/player/dashboard')
  const needed = page.getByRole('region', { name: 'Needs your attention' })
  await needed.getByRole('link', { name: /None of the videos in Back yard can be played/ }).click()
  await expect(page.getByText('None of your videos can be played')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Replace the videos' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Replace this video' })).toBeVisible()
  await expect(page.getByText('Its frame rate could not be read.')).toBeVisible()
  await accessible()
  await shoot('player-folder-all-refused')
})
