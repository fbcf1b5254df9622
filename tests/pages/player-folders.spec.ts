import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expect, skipPersonalPages, test } from '../support/browser.ts'
import { sampleVideos } from '../support/sample-media.ts'
import {
  asInstructor,
  asPlayer,
  call,
  createAssignedFolder,
  createFolderWithVideo,
  createReviewedFolder,
  PASSWORD,
  saveCardByApi,
} from './api-setup.ts'

const video = await readFile(sampleVideos.mp4)

// @spec:4.28
test('a folder is created by keyboard, renamed, archived and restored', async ({ page, shoot, accessible }) => {
  await asPlayer(page)
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

test('loading and failed states are shown, and a retry works', { tag: '@sweep' }, async ({ page, problems, shoot, accessible }) => {
  problems.expect(/^(console: Failed to load|500:)/)
  await asPlayer(page)
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
    await skipPersonalPages(page)
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

test("a player cannot open somebody else's folder", async ({ page, person, shoot, accessible }) => {
  const other = await person()
  await asPlayer(other, 'Leo')
  const { folder } = await createFolderWithVideo(other, 'Private', video)
  await asPlayer(page)
  await page.goto(`/player/folder/${folder}`)
  await expect(page.getByText('Folder not found')).toBeVisible()
  await shoot('player-folder-gone')
  await accessible()
  await page.goto('/player/folder/nonsense')
  await expect(page.getByText('Folder not found')).toBeVisible()
})

test('a player takes an assignment back, is declined, and reads why', async ({ page, person, shoot, accessible }) => {
  const instructor = await person()
  const coach = await asInstructor(instructor)
  await asPlayer(page)
  const { folder } = await createAssignedFolder(page, coach, 'Double plays', video)
  await page.goto(`/player/folder/${folder}`)
  await page.getByRole('button', { name: 'Take it back' }).click()
  await expect(page.getByRole('button', { name: 'Assign to an instructor' })).toBeVisible()

  await call(page, 'POST', `/api/folders/${folder}/assign`, { assignment: randomUUID(), instructor: coach.id })
  await instructor.goto(`/instructor/folder/${folder}`)
  await instructor.getByRole('button', { name: 'Decline' }).click()
  const dialog = instructor.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Decline' }).click()
  await expect(dialog.getByText('Tell the player why')).toBeVisible()
  await dialog.getByLabel('Tell Mia why').fill('I am on the road until Sunday. Ask Jo.')
  await shoot('instructor-decline', instructor)
  await accessible(instructor)
  await dialog.getByRole('button', { name: 'Decline' }).click()
  await expect(instructor).toHaveURL(/\/instructor\/dashboard/)

  await expect.poll(async () => (await (await page.request.get(`/api/folders/${folder}`)).json()).declined?.reason).toContain('road')
  await page.goto('/player/dashboard')
  await page.getByText('Ray Delgado could not take Double plays').click()
  await expect(page.getByText('I am on the road until Sunday. Ask Jo.').first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Assign to an instructor' })).toBeVisible()
  await shoot('player-folder-declined')
  await accessible()
})

test('a declined follow-up names its instructor, and earlier feedback stays', { tag: '@sweep' }, async ({ page, person }) => {
  const [first, second] = [await person(), await person()]
  const ray = await asInstructor(first)
  const jo = await asInstructor(second, 'Jo', 'Kim')
  await asPlayer(page)
  const { folder } = await createReviewedFolder(page, first, ray, 'Double plays', video)
  // The bill follows a moment later.
  const bill = async () => (await (await page.request.get('/api/billing')).json()).payments[0]
  await expect.poll(bill).toBeDefined()
  const { id, total } = await bill()
  await call(page, 'POST', `/api/payments/${id}/pay`, { tip: 0, total })
  const status = async () => (await (await page.request.get(`/api/folders/${folder}`)).json()).status
  await expect.poll(status).toBe('paid')
  await call(page, 'POST', `/api/folders/${folder}/assign`, { assignment: randomUUID(), instructor: jo.id })
  await page.goto(`/player/folder/${folder}`)
  await expect(page.getByText(/Jo Kim got it/)).toBeVisible()
  await page
    .getByRole('navigation', { name: 'Sessions' })
    .getByRole('link', { name: /Ray Delgado/ })
    .click()
  await expect(page.getByRole('heading', { name: 'Ray Delgado sums it up' })).toBeVisible()
  await call(second, 'POST', `/api/folders/${folder}/decline`, { reason: 'Booked until June.' })
  await expect.poll(status).toBe('paid')
  await page.goto('/player/dashboard')
  await page.getByText('Jo Kim could not take Double plays').click()
  await expect(page.getByText('Jo Kim could not take it this time')).toBeVisible()
  await expect(page.getByText('Booked until June.').first()).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Ray Delgado sums it up' })).toBeVisible()
  await expect(page.getByRole('heading', { name: /^Paid / })).toBeVisible()
  await page.goto('/player/dashboard')
  await expect(page.getByRole('heading', { name: 'Your folders' })).toBeVisible()
  await expect(page.getByText('Double plays').first()).toBeVisible()
  await expect(page.getByText('Jo Kim could not take Double plays')).toBeHidden()
})

test('assigning without a card asks for one in the dialog', async ({ page, context, person, problems }) => {
  problems.expect(/409/)
  await asInstructor(await person(), 'Lou', 'Diaz')
  await asPlayer(page)
  const { folder } = await createFolderWithVideo(page, 'Slides', video)
  await saveCardByApi(page)
  await page.goto(`/player/folder/${folder}?assign=1`)
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: /Lou Diaz/ }).check()
  await dialog.getByLabel('Anything they should know?').fill('Feet first.')
  await expect(dialog.getByText('Visa ending in 4242')).toBeVisible()
  // Meanwhile, in another tab:
  const other = await context.newPage()
  await other.goto('/player/payment')
  await other.getByRole('button', { name: /^Remove Visa/ }).click()
  await other.getByRole('button', { name: /^Yes, remove Visa/ }).click()
  await expect(other.getByText('ending in 4242')).toBeHidden()
  await dialog.getByRole('button', { name: 'Assign to Lou' }).click()
  await expect(dialog.getByText('Save a card first. You pay only after the feedback.')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Add a card to continue' })).toBeVisible()
  await expect(dialog.getByLabel('Anything they should know?')).toHaveValue('Feet first.')
})

test('a page restored by the back button is refreshed, and empty after a logout', async ({ page }) => {
  await asPlayer(page)
  await page.goto('/player/dashboard')
  await expect(page.getByRole('heading', { name: 'Your first folder' })).toBeVisible()
  const back = () => page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await call(page, 'POST', '/api/folders', { id: randomUUID(), name: 'Made elsewhere' })
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

test('a player’s only instructor is preselected, and another choice is kept', async ({ page, person }) => {
  const known = await asInstructor(await person(), 'Nora', 'Abels')
  await asInstructor(await person(), 'Sam', 'Reyes')
  await asPlayer(page)
  await call(page, 'PUT', `/api/instructors/${known.id}/connection`)
  const { folder } = await createFolderWithVideo(page, 'Hops', video)
  await page.goto(`/player/folder/${folder}?assign=1`)
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('radio', { name: /Nora Abels/ })).toBeChecked()
  await dialog
    .getByRole('radio', { name: /Sam Reyes/ })
    .first()
    .check()
  await page.reload()
  await expect(dialog.getByRole('radio', { name: /Sam Reyes/ }).first()).toBeChecked()
})

test('a refusal of the server is shown in the dialog', async ({ page, person }) => {
  const instructor = await person()
  await asInstructor(await person(), 'Pia', 'Lund')
  const coach = await asInstructor(instructor, 'Wes', 'Farr')
  await asPlayer(page)
  const { folder } = await createAssignedFolder(page, coach, 'Relays', video)
  await call(page, 'POST', `/api/folders/${folder}/withdraw`)
  await page.goto(`/player/folder/${folder}?assign=1`)
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Assign', exact: true }).click()
  await expect(dialog.getByText('Choose who should review it')).toBeVisible()
  await dialog.getByRole('radio', { name: /Wes Farr/ }).check()
  // Meanwhile the videos change in another tab.
  const { id } = await (await page.request.get(`/api/folders/${folder}`)).json().then(f => f.clips[0])
  await call(page, 'DELETE', `/api/folders/${folder}/videos/${id}`)
  await dialog.getByRole('button', { name: /^Assign to Wes/ }).click()
  await expect(dialog.getByText('Add a video first')).toBeVisible()
})

test('a session that ends in the middle of a form loses nothing', { tag: '@sweep' }, async ({ page, person }) => {
  const instructor = await person()
  const coach = await asInstructor(instructor, 'Kit', 'Soto')
  await asPlayer(page)
  const { folder } = await createAssignedFolder(page, coach, 'Bunts', video)
  await call(page, 'POST', `/api/folders/${folder}/withdraw`)
  await page.goto(`/player/folder/${folder}?assign=1`)
  const dialog = page.getByRole('dialog', { name: 'Assign to an instructor' })
  await dialog.getByRole('radio', { name: /Kit Soto/ }).check()
  await dialog.getByLabel('Anything they should know?').fill('I wrote a lot here.')
  await page.context().clearCookies()
  await dialog.getByRole('button', { name: 'Assign to Kit' }).click()
  const login = page.getByRole('dialog', { name: 'Your session has ended' })
  await login.getByLabel('Password').fill(PASSWORD)
  await login.getByRole('button', { name: 'Log in' }).click()
  await expect(login).toBeHidden()
  await expect(dialog.getByLabel('Anything they should know?')).toHaveValue('I wrote a lot here.')
  await dialog.getByRole('button', { name: 'Assign to Kit' }).click()
  await expect(page.getByRole('button', { name: 'Take it back' })).toBeVisible()
})

test('a player tests how a video plays on this device', async ({ page, shoot, accessible }) => {
  await asPlayer(page)
  const { video: id } = await createFolderWithVideo(page, 'Test', video)
  await page.goto(`/player/video-test/${id}`)
  await expect(page.getByRole('heading', { name: 'It plays on this device' })).toBeVisible()
  await shoot('player-video-test')
  await accessible()
  await page.goto(`/player/video-test/${randomUUID()}`)
  await expect(page.getByText('Video not found')).toBeVisible()
  await accessible()
})

test('an expired video URL is renewed without moving the video', async ({ page, problems }) => {
  problems.expect(/Failed to load resource|403/)
  await asPlayer(page)
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

test('a player under 18 reads that a guardian must agree, and resends the letter', async ({ page, app, shoot, accessible }) => {
  const year = new Date().getFullYear() - 15
  const mail = `guardian.${randomUUID().slice(0, 8)}@example.com`
  await asPlayer(page, 'Zoe', 'Lane', { dateOfBirth: `${year}-01-15`, guardianName: 'Ann Lane', guardianEmail: mail })
  await page.goto('/player/dashboard')
  const notice = page.getByRole('region', { name: 'Waiting for your parent or guardian' })
  await expect(notice.getByText(`The email went to ${mail}.`)).toBeVisible()
  await shoot('player-dashboard-guardian')
  await accessible()
  await notice.getByRole('button', { name: 'Send it again' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Their name')).toHaveValue('Ann Lane')
  await expect(dialog.getByLabel('Their email')).toHaveValue(mail)
  await dialog.getByLabel('Their email').fill('nonsense')
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(dialog.getByText('Invalid email address')).toBeVisible()
  await accessible()
  await dialog.getByLabel('Their email').fill(`new.${mail}`)
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect(notice.getByText(`The email went to new.${mail}.`)).toBeVisible()
  await expect.poll(async () => (await app.letters(`new.${mail}`)).length).toBe(1)
})
