import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { sampleVideos } from '../support/sample-media.ts'
import { expect, test } from '../support/signed-in-fixtures.ts'
import { createFolderWithVideo } from './api-setup.ts'
import { waitForRenditionInPlayer } from './shown-frame.ts'

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

async function openNewFolder(page: Page) {
  await page.goto('/player/dashboard')
  await page.getByRole('button', { name: 'New folder' }).first().click()
  await page.getByRole('dialog').getByRole('textbox').fill('Bunts')
  await page.getByRole('dialog').getByRole('button', { name: 'Create folder' }).click()
  await expect(heading(page, 'Bunts')).toBeVisible()
}
async function rename(page: Page, name: string) {
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByLabel('Folder name').fill(name)
  await page.getByRole('button', { name: 'Save' }).click()
}

test('a query that was in flight during a command is sent again', { tag: '@sweep' }, async ({ as }) => {
  const page = await as('player', { firstName: 'Quick' })
  await openNewFolder(page)
  let release: () => void = () => {}
  const held = new Promise<void>(done => {
    release = done
  })
  let answers = 0
  await page.route(/\/api\/folders\/[\w-]+(\?|$)/, async route => {
    if (route.request().method() !== 'GET') return route.continue()
    const response = await route.fetch()
    if (++answers === 1) await held
    await route.fulfill({ response })
  })
  await rename(page, 'Drag bunts')
  await expect.poll(() => answers).toBe(1)
  await rename(page, 'Push bunts')
  await expect(heading(page, 'Push bunts')).toBeVisible()
  release()
  await expect.poll(() => answers).toBe(2)
  await expect(heading(page, 'Push bunts')).toBeVisible()
})

test('changes made while the page was hidden appear when it is visible again', { tag: '@sweep' }, async ({ as }) => {
  const page = await as('player', { firstName: 'Away' })
  await openNewFolder(page)
  const hide = (hidden: boolean) =>
    page.evaluate(hidden => {
      Object.defineProperty(document, 'hidden', { configurable: true, value: hidden })
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    }, hidden)
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByLabel('Folder name').fill('Slap bunts')
  await hide(true)
  const seen: string[] = []
  page.on('request', r => r.method() === 'GET' && /\/api\/folders\//.test(r.url()) && seen.push(r.url()))
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(heading(page, 'Slap bunts')).toBeVisible()
  expect(seen).toEqual([])
  await hide(false)
  await expect.poll(() => seen.length).toBe(1)
})

test('content stays on the screen while it is fetched again', { tag: '@sweep' }, async ({ as, problems }) => {
  problems.expect(/500/)
  const page = await as('player', { firstName: 'Steady' })
  const { folder } = await createFolderWithVideo(page, 'Bunts', await readFile(sampleVideos.mp4))
  await page.goto(`/player/folder/${folder}`)
  const video = page.locator('video')
  await video.evaluate(v => v.setAttribute('data-same', ''))
  const place = () => page.locator('video[data-same]').evaluate((v: HTMLVideoElement) => v.currentTime)
  await waitForRenditionInPlayer(page)
  // The slider covers only the frames that are known so far, so repeat this until it covers frame 36.
  await expect(async () => {
    await page.getByRole('slider', { name: 'Position' }).fill('36')
    await expect.poll(place, { timeout: 1000 }).toBeCloseTo(36.5 / 30, 3)
  }).toPass()

  await page.clock.setFixedTime(Date.now() + 301_000)
  await page.getByRole('button', { name: 'Archive' }).click()
  await expect(page.getByText('This folder is archived.')).toBeVisible()
  expect(await place()).toBeCloseTo(36.5 / 30, 3)

  let fail = true
  await page.route(`**/api/folders/${folder}`, route =>
    fail ? route.fulfill({ status: 500, json: { message: 'Internal' } }) : route.continue(),
  )
  const failed = page.waitForResponse(r => r.status() === 500)
  await page.getByRole('button', { name: 'Restore' }).click()
  await failed
  fail = false
  await page.getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByRole('button', { name: 'Assign to an instructor' })).toBeVisible()
  expect(await place()).toBeCloseTo(36.5 / 30, 3)
})

test('a page that fails to render shows an error, and recovers after a retry', { tag: '@sweep' }, async ({ as, problems }) => {
  const page = await as('player')
  problems.expect(/reading 'joined'/)
  await page.route(/\/api\/rewards/, route => route.fulfill({ json: {} }))
  await page.goto('/player/rewards')
  await expect(page.getByRole('alert')).toContainText('Something went wrong')
  await expect(page.getByRole('heading', { level: 1, name: 'Something went wrong' })).toBeAttached()
  await expect(page.getByRole('link', { name: 'Email us' })).toHaveAttribute('href', '/support')
  await expect(page.getByRole('navigation').first()).toBeVisible()
  await page.unroute(/\/api\/rewards/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByText('Something went wrong')).toBeHidden()
})

test("a command's button stays disabled until the result is shown", { tag: '@sweep' }, async ({ as }) => {
  const page = await as('player', { firstName: 'Patient' })
  await openNewFolder(page)
  let release: () => void = () => {}
  const held = new Promise<void>(done => {
    release = done
  })
  let asked = 0
  await page.route(/\/api\/folders\/[\w-]+(\?|$)/, async route => {
    asked++
    await held
    await route.continue()
  })
  const archive = page.getByRole('button', { name: 'Archive' })
  await archive.click()
  await expect.poll(() => asked).toBe(1)
  await expect(archive).toBeDisabled()
  release()
  await expect(page.getByRole('button', { name: 'Restore' })).toBeVisible()
  await expect(page.getByText('It is now below your other folders').first()).toBeVisible()
})
