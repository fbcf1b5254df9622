import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { disablePreloadedData, expect, test } from '../support/playwright-base-fixtures.ts'
import { sampleVideos } from '../support/sample-media.ts'
import { TEST_PASSWORD } from '../support/signed-in-fixtures.ts'
import { callApi, createAssignedFolder, createFolderWithVideo, signUpAsInstructor, signUpAsPlayer } from './api-setup.ts'
import { chooseInstructorInDialog } from './choose-instructor-in-dialog.ts'

const video = await readFile(sampleVideos.mp4)

test('the New folder button appears only once the folders have loaded', async ({ page }) => {
  await signUpAsPlayer(page)
  await disablePreloadedData(page)
  const answer = Promise.withResolvers<void>()
  await page.route('**/api/folders', async route => {
    await answer.promise
    await route.continue()
  })
  await page.goto('/player/dashboard')
  await expect(page.getByRole('status').filter({ hasText: 'Loading your folders' })).toBeVisible()
  const button = page.getByRole('button', { name: 'New folder' })
  await expect(button).toHaveCount(0)
  answer.resolve()
  await expect(button).toHaveCount(1)
  await button.click()
  await expect(page.getByRole('dialog', { name: 'New folder' })).toBeVisible()
})

// @spec:4.28
test('a player creates a folder by keyboard, renames, archives and restores it', async ({ page, shoot, accessible }) => {
  await signUpAsPlayer(page)
  await page.goto('/player/dashboard')
  await page.getByRole('button', { name: 'New folder' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Name')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Give the folder a name')).toBeVisible()
  await shoot('player-new-folder')
  await accessible()
  await page.keyboard.type('Saturday bullpen')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Saturday bullpen' })).toBeVisible()

  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByLabel('Folder name').fill('Sunday bullpen')
  await accessible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Sunday bullpen' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Rename' })).toBeFocused()
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByLabel('Folder name').fill('Never mind')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { name: 'Sunday bullpen' })).toBeVisible()

  await page.getByRole('button', { name: 'Archive' }).click()
  await expect(page.getByText('This folder is archived.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No videos here' })).toBeVisible()
  await shoot('player-folder-archived')
  await accessible()
  await page.goto('/player/dashboard')
  await page.getByText('Archived (1)').click()
  await expect(page.getByText('No open folders')).toBeVisible()
  await shoot('player-dashboard-archived')
  await accessible()
  await page.getByRole('button', { name: 'Restore Sunday bullpen' }).click()
  await expect(page.getByRole('region', { name: 'Folders' }).getByText('Sunday bullpen')).toBeVisible()
})

test('folder screens show loading and failed states, and a retry works', { tag: '@sweep' }, async ({
  page,
  problems,
  shoot,
  accessible,
}) => {
  problems.expect(/^(console: Failed to load|500:)/)
  await signUpAsPlayer(page)
  const { folder } = await createFolderWithVideo(page, 'Slides', video)
  for (const [name, path, api] of [
    ['player-dashboard', '/player/dashboard', '**/api/folders'],
    ['player-folder', `/player/folder/${folder}`, `**/api/folders/${folder}`],
    ['player-payment', '/player/payment', '**/api/billing'],
    ['player-rewards', '/player/rewards', '**/api/rewards'],
  ] as const) {
    let answer = () => {}
    const gate = new Promise<void>(done => {
      answer = done
    })
    await disablePreloadedData(page)
    await page.route(api, async route => {
      await gate
      await route.fulfill({ status: 500, contentType: 'application/problem+json', body: '{"message":"Internal","code":"internal"}' })
    })
    await page.goto(path)
    await expect(
      page
        .getByRole('status')
        .filter({ hasText: /^Loading/ })
        .first(),
    ).toBeVisible()
    await shoot(`${name}-loading`)
    await accessible()
    answer()
    const failed = page.getByRole('alert').filter({ hasText: 'did not load' })
    await expect(failed).toContainText('Internal')
    await shoot(`${name}-error`)
    await accessible()
    await page.unroute(api)
    await failed.getByRole('button', { name: 'Try again' }).click()
    await expect(failed).toBeHidden()
  }
})

test("a player cannot open somebody else's folder", { tag: '@sweep' }, async ({ page, person, shoot, accessible }) => {
  const other = await person()
  await signUpAsPlayer(other, 'Leo')
  const { folder } = await createFolderWithVideo(other, 'Private', video)
  await signUpAsPlayer(page)
  await page.goto(`/player/folder/${folder}`)
  await expect(page.getByText('Folder not found')).toBeVisible()
  await shoot('player-folder-gone')
  await accessible()
  await page.goto('/player/folder/nonsense')
  await expect(page.getByText('Folder not found')).toBeVisible()
})

test('a page restored by the Back button is refreshed; after a logout it opens /auth', { tag: '@sweep' }, async ({ page }) => {
  await signUpAsPlayer(page)
  await page.goto('/player/dashboard')
  await expect(page.getByRole('heading', { name: 'Your first folder' })).toBeVisible()
  const back = () => page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await callApi(page, 'POST', '/api/folders', { id: randomUUID(), name: 'Made elsewhere' })
  await expect.poll(async () => (await (await page.request.get('/api/folders')).json()).folders.length).toBe(1)
  await back()
  await expect(page.getByText('Made elsewhere')).toBeVisible()
  const other = await page.context().newPage()
  await other.goto('/player/dashboard')
  await other.getByRole('button', { name: 'Logout' }).click()
  await expect(other).toHaveURL(/\/auth/)
  await back()
  await expect(page).toHaveURL(/\/auth/)
})

test('a form keeps its text when the session ends', { tag: '@sweep' }, async ({ page, person }) => {
  const instructor = await person()
  const coach = await signUpAsInstructor(instructor, 'Kit', 'Soto')
  await signUpAsPlayer(page)
  const { folder } = await createAssignedFolder(page, coach, 'Bunts', video)
  await callApi(page, 'POST', `/api/folders/${folder}/withdraw`)
  await page.goto(`/player/folder/${folder}?assign=1`)
  const dialog = page.getByRole('dialog', { name: 'Assign to an instructor' })
  await chooseInstructorInDialog(dialog, 'Kit Soto')
  await dialog.getByLabel('Anything they should know?').fill('I wrote a lot here.')
  await page.context().clearCookies()
  await dialog.getByRole('button', { name: 'Assign to Kit' }).click()
  const login = page.getByRole('dialog', { name: 'Your session has ended' })
  await login.getByLabel('Password').fill(TEST_PASSWORD)
  await login.getByRole('button', { name: 'Log in' }).click()
  await expect(login).toBeHidden()
  await expect(dialog.getByLabel('Anything they should know?')).toHaveValue('I wrote a lot here.')
  await dialog.getByRole('button', { name: 'Assign to Kit' }).click()
  await expect(page.getByRole('button', { name: 'Take it back' })).toBeVisible()
})

test('a player tests whether a video plays on this device', { tag: '@sweep' }, async ({ page, shoot, accessible }) => {
  await signUpAsPlayer(page)
  const { video: id } = await createFolderWithVideo(page, 'Test', video)
  await page.goto(`/player/video-test/${id}`)
  await expect(page.getByRole('heading', { name: 'It plays on this device' })).toBeVisible()
  await shoot('player-video-test')
  await accessible()
  await page.goto(`/player/video-test/${randomUUID()}`)
  await expect(page.getByText('Video not found')).toBeVisible()
  await accessible()
})

test('a playback test that cannot load the video says so, and tries again', { tag: '@sweep' }, async ({
  page,
  problems,
  shoot,
  accessible,
}) => {
  problems.expect(/Failed to load resource|ERR_FAILED/)
  await signUpAsPlayer(page)
  const { video: id } = await createFolderWithVideo(page, 'Test', video)
  let isOffline = true
  await page.route(/\/(videos|renditions|tables)\/[0-9a-f-]{36}\//, route => (isOffline ? route.abort() : route.continue()))
  await page.goto(`/player/video-test/${id}`)
  const verdict = page.locator('section').filter({ has: page.getByRole('heading', { name: 'The video did not load' }) })
  await expect(verdict).toContainText('Check your connection and try again.')
  await shoot('player-video-test-unreachable')
  await accessible()
  isOffline = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'It plays on this device' })).toBeVisible()
})

test('an expired video URL is renewed, and the video loads', { tag: '@sweep' }, async ({ page, problems }) => {
  problems.expect(/Failed to load resource|403/)
  await signUpAsPlayer(page)
  const { folder } = await createFolderWithVideo(page, 'Old link', video)
  let dead = true
  await page.route(
    url => url.pathname.includes('/videos/'),
    route => (dead ? route.fulfill({ status: 403, body: 'Request has expired' }) : route.continue()),
  )
  page.on('response', reply => {
    if (reply.url().includes('/videos/') && reply.status() === 403) dead = false
  })
  await page.goto(`/player/folder/${folder}`)
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await expect(page.getByRole('slider', { name: 'Position' })).toHaveAttribute('max', '59')
})
