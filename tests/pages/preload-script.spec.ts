import { randomUUID } from 'node:crypto'
import { disablePreloadedData, expect, test } from '../support/signed-in-fixtures.ts'
import { callApi } from './api-setup.ts'

test('a screen requests its data before its scripts arrive, and only once', async ({ as }) => {
  const page = await as('player', { firstName: 'Otto' })
  const folder = randomUUID()
  await page.goto('/player/dashboard')
  await callApi(page, 'POST', '/api/folders', { id: folder, name: 'Early work' })
  await disablePreloadedData(page)
  const asked: string[] = []
  page.on('request', r => asked.push(new URL(r.url()).pathname))
  const scripts = Promise.withResolvers<void>()
  await page.route(/\/_astro\/.*\.js/, async route => {
    await scripts.promise
    await route.continue()
  })
  const answers = [`/api/folders/${folder}`, '/api/user'].map(path => page.waitForResponse(r => new URL(r.url()).pathname === path))
  await page.goto(`/player/folder/${folder}`, { waitUntil: 'commit' })
  await Promise.all(answers)
  scripts.resolve()
  await expect(page.getByRole('heading', { name: 'Early work' })).toBeVisible()
  for (const path of [`/api/folders/${folder}`, '/api/user']) expect(asked.filter(p => p === path)).toHaveLength(1)
})

test('a failed preloaded request is sent again, without an error on the screen', { tag: '@sweep' }, async ({ as, problems }) => {
  problems.expect(/ERR_FAILED|^503|^console: Failed to load/)
  const page = await as('player', { firstName: 'Orla' })
  let first = true
  await page.route('**/api/folders', route => {
    if (!first) return route.continue()
    first = false
    return route.abort()
  })
  await page.goto('/player/dashboard')
  await expect(page.getByRole('button', { name: 'New folder' }).first()).toBeVisible()
  await expect(page.getByText('did not load')).toBeHidden()
})
