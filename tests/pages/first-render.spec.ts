import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page, Response } from '@playwright/test'
import { sampleVideos } from '../support/sample-media.ts'
import { expect, TEST_PASSWORD, test } from '../support/signed-in-fixtures.ts'
import { addVideo, callApi, createAssignedFolder, signInAsAdmin, signUpAsInstructor, signUpAsPlayer } from './api-setup.ts'
import { fetchSessionOf } from './studio-setup.ts'

// These tests open screens whose HTML has its data embedded (`src/server/pages-with-preloaded-data.ts`).

/** Marks this browser as one that has opened a screen before. */
const markAsReturning = (page: Page) =>
  page.context().addCookies([{ name: 'zone', value: 'America/Chicago', domain: '127.0.0.1', path: '/' }])

/** Holds back the page's scripts until the returned `scripts` is called. Records its API requests and its layout shifts. */
async function holdScripts(page: Page) {
  const scripts = Promise.withResolvers<void>()
  await page.route(/\/_astro\/.*\.js/, async route => {
    await scripts.promise
    await route.continue()
  })
  const asked: string[] = []
  page.on('request', r => /\/api\//.test(r.url()) && asked.push(new URL(r.url()).pathname))
  await page.addInitScript(() => {
    const moved: number[] = []
    new PerformanceObserver(list => {
      for (const entry of list.getEntries()) moved.push((entry as unknown as { value: number }).value)
    }).observe({ type: 'layout-shift', buffered: true })
    Object.assign(window, { moved })
  })
  return { asked, scripts: scripts.resolve, moved: () => page.evaluate(() => (window as unknown as { moved: number[] }).moved) }
}

/**
 * Empties `asked` and opens a screen. The server leaves the data out if its API takes longer than 700 ms, which happens on a busy machine;
 * this function then opens the screen again, after the requests of the first attempt have ended with its page.
 */
async function openWithData(page: Page, url: string, asked: string[] = []): Promise<Response> {
  for (;;) {
    asked.length = 0
    const response = (await page.goto(url, { waitUntil: 'commit' }))!
    if (response.headers()['cache-control'] === 'private, no-store') return response
    await page.goto('about:blank')
  }
}

async function createFolders(page: Page, ...names: string[]) {
  const ids = names.map(() => randomUUID())
  for (const [i, name] of names.entries()) await callApi(page, 'POST', '/api/folders', { id: ids[i], name })
  return ids
}

test('a dashboard renders before its scripts, without layout shifts or extra requests', async ({ as }) => {
  const page = await as('player', { firstName: 'Ines' })
  await markAsReturning(page)
  await page.setViewportSize({ width: 390, height: 844 })
  const [, id] = await createFolders(page, 'Bullpen', 'Bunts')
  await addVideo(page, id!, await readFile(sampleVideos.mp4))
  const { asked, scripts, moved } = await holdScripts(page)
  await openWithData(page, '/player/dashboard', asked)
  await expect(page.getByRole('heading', { name: 'Needs your attention' })).toBeVisible()
  await expect(page.getByText('Bunts is ready to assign')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Folders' }).getByRole('link')).toHaveCount(2)
  await page.getByRole('button', { name: 'New folder' }).click()
  expect(asked).toEqual([])

  scripts()
  await expect(page.getByRole('dialog', { name: 'New folder' })).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('banner').getByText('Hi, Ines')).toBeAttached()
  // A pressed button may grow by a pixel, but text must not move.
  expect((await moved()).reduce((sum, shift) => sum + shift, 0)).toBeLessThan(0.001)
  expect(asked).toEqual([])
})

test('a folder shows the poster of its video before any script runs', { tag: '@sweep' }, async ({ as }) => {
  const page = await as('player', { firstName: 'Stella' })
  await markAsReturning(page)
  const [id] = await createFolders(page, 'Long toss')
  await addVideo(page, id!, await readFile(sampleVideos.mp4))
  const poster = async () => (await (await callApi(page, 'GET', `/api/folders/${id}`)).json()).clips[0]?.poster
  await expect.poll(poster).toBeTruthy()
  await page.goto(`/player/folder/${id}`)
  await expect(page.getByRole('slider', { name: 'Position' })).toHaveAttribute('max', '59')
  const video = await page.locator('video').boundingBox()
  const story = await page.getByRole('heading', { name: 'History' }).boundingBox()

  const { asked, scripts } = await holdScripts(page)
  await openWithData(page, page.url(), asked)
  await expect(page.getByRole('heading', { name: 'Long toss' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'History' })).toBeVisible()
  const still = page.getByRole('region', { name: 'Videos' }).locator('img').first()
  expect(await still.boundingBox()).toEqual(video)
  expect(await page.getByRole('heading', { name: 'History' }).boundingBox()).toEqual(story)
  scripts()
  await expect(page.getByRole('slider', { name: 'Position' })).toHaveAttribute('max', '59')
  expect(asked.filter(path => path === `/api/folders/${id}` || path === '/api/user')).toEqual([])
})

test('an assigned folder renders for its instructor before any script runs', {
  tag: '@sweep',
}, async ({ page, person }) => {
  const player = await person()
  const coach = await signUpAsInstructor(page)
  await signUpAsPlayer(player)
  const { folder } = await createAssignedFolder(player, coach, 'Tee work', await readFile(sampleVideos.mp4))
  await markAsReturning(page)
  const poster = async () => (await fetchSessionOf(page, folder))?.clips[0].poster
  await expect.poll(poster).toBeTruthy()
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 1440, height: 900 },
  ]) {
    await page.setViewportSize(viewport)
    await page.goto(`/instructor/folder/${folder}`)
    await expect(page.getByRole('slider', { name: 'Position' })).toHaveAttribute('max', '59')
    const video = await page.locator('video').boundingBox()

    const { asked, scripts, moved } = await holdScripts(page)
    await openWithData(page, page.url(), asked)
    await expect(page.getByRole('heading', { level: 1, name: 'Tee work' })).toBeVisible()
    const still = page.getByRole('status').filter({ hasText: 'Loading the studio' }).locator('img').first()
    expect(await still.boundingBox()).toEqual(video)
    scripts()
    await expect(page.getByRole('slider', { name: 'Position' })).toHaveAttribute('max', '59')
    expect((await moved()).reduce((sum, shift) => sum + shift, 0)).toBeLessThan(0.001)
    expect(asked.filter(path => path === `/api/folders/${folder}` || path === '/api/user')).toEqual([])
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  }
})

test("an administrator's overview renders before its scripts unless it is filtered", { tag: '@sweep' }, async ({ page, app }) => {
  await signInAsAdmin(page, app)
  await markAsReturning(page)
  await page.setViewportSize({ width: 390, height: 844 })
  const { asked, scripts, moved } = await holdScripts(page)
  await openWithData(page, '/admin/dashboard', asked)
  await expect(page.getByRole('heading', { name: 'Everything is running' })).toBeVisible()
  await expect(page.getByText('Times are in your time zone, America/Chicago.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Raw event/ })).not.toHaveCount(0)
  scripts()
  await expect(page.getByRole('heading', { name: 'Invite an administrator' })).toBeVisible()
  expect((await moved()).reduce((sum, shift) => sum + shift, 0)).toBeLessThan(0.001)
  expect(asked.filter(path => path.startsWith('/api/admin/'))).toEqual([])

  await page.goto('/admin/dashboard?type=NothingLikeThis')
  await expect(page.getByText('Nothing matches')).toBeVisible()
})

test("the next user of the browser sees none of the previous user's data", { tag: '@sweep' }, async ({ as, member }) => {
  const page = await as('player', { firstName: 'Abe' })
  await markAsReturning(page)
  await createFolders(page, "Abe's folder")
  const first = await openWithData(page, '/player/dashboard')
  expect(await first.text()).toContain('Abe&#x27;s folder')

  const { user, api } = await member('player', { firstName: 'Ben' })
  await api.post('/api/folders', { data: { id: randomUUID(), name: "Ben's folder" } })
  await callApi(page, 'POST', '/api/login', { username: user.email, password: TEST_PASSWORD })
  const { scripts } = await holdScripts(page)
  const second = await openWithData(page, '/player/dashboard')
  await expect(page.getByText("Ben's folder").first()).toBeVisible()
  await expect(page.getByText("Abe's folder")).toHaveCount(0)
  expect(await second.text()).not.toMatch(/Abe/)
  scripts()
  await expect(page.getByRole('banner').getByText('Hi, Ben')).toBeAttached()
  await expect(page.getByText("Abe's folder")).toHaveCount(0)

  await callApi(page, 'POST', '/api/logout')
  const last = await page.goto('/player/dashboard')
  expect(last!.headers()['cache-control']).toBe('no-cache')
  expect(await last!.text()).not.toMatch(/Ben|Abe/)
})

test("after a logout that did not reach the server, a screen shows nobody's data", { tag: '@sweep' }, async ({ as }) => {
  const page = await as('player', { firstName: 'Cleo' })
  await markAsReturning(page)
  await createFolders(page, "Cleo's folder")
  // This URL loads none of our scripts, so none of them reacts to the changed flags.
  await page.goto('/robots.txt')
  await page.evaluate(() => {
    localStorage.setItem('logout', 'true')
    localStorage.removeItem('isLoggedIn')
  })
  const { scripts } = await holdScripts(page)
  const empty = page.waitForResponse(r => r.url().endsWith('/player/dashboard') && r.headers()['cache-control'] === 'no-cache')
  await page.goto('/player/dashboard', { waitUntil: 'commit' })
  await empty
  await expect(page.getByRole('heading', { name: 'Loading your account...' })).toBeVisible()
  await expect(page.getByText("Cleo's folder")).toHaveCount(0)
  scripts()
  await expect(page).toHaveURL('/auth')
})

test('feedback that was read is marked as read at the first paint of the next screen', { tag: '@sweep' }, async ({ as }) => {
  const page = await as('player', { firstName: 'Rhea' })
  await markAsReturning(page)
  await createFolders(page, 'Nothing yet')
  await page.goto('/player/dashboard')
  await page.evaluate(() => {
    // biome-ignore lint/suspicious/noDocumentCookie: as the page does
    document.cookie = 'read=f12345678; Path=/player'
  })
  const { scripts } = await holdScripts(page)
  await openWithData(page, '/player/dashboard')
  await page.waitForSelector('main astro-island')
  const told = await page.locator('main astro-island').getAttribute('props')
  expect(JSON.parse(JSON.parse(told!).preloaded[1]).readMarks).toBe('f12345678')
  scripts()
})
