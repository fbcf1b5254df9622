import { randomUUID } from 'node:crypto'
import { disablePreloadedData, expect, test } from '../support/playwright-base-fixtures.ts'
import { callApi, signUpAsInstructor, signUpAsPlayer } from './api-setup.ts'

test('a list loads more by keyboard, says how many it shows, and keeps its place', { tag: '@sweep' }, async ({
  page,
  shoot,
  accessible,
}) => {
  await signUpAsPlayer(page)
  for (let n = 1; n <= 26; n++) await callApi(page, 'POST', '/api/folders', { id: randomUUID(), name: `Folder ${n}` })
  await page.goto('/player/dashboard')
  const cards = page.getByRole('region', { name: 'Folders' }).getByRole('link')
  await expect(cards).toHaveCount(24)
  await expect(page.getByText('24 of 26 shown')).toBeVisible()
  await shoot('player-dashboard-more')
  await accessible()
  await page.getByRole('button', { name: 'Show more folders' }).focus()
  await page.keyboard.press('Enter')
  await expect(cards).toHaveCount(26)
  await expect(page.getByText('All 26 shown')).toBeFocused()
  // A new folder at the top moves the last one to the next page, and none is lost.
  await callApi(page, 'POST', '/api/folders', { id: randomUUID(), name: 'The newest' })
  await page.reload()
  await expect(page.getByRole('link', { name: /The newest/ })).toBeVisible()
  await page.getByRole('button', { name: 'Show more folders' }).click()
  await expect(cards).toHaveCount(27)
})

test('a list page that fails to load is reported and can be retried', { tag: '@sweep' }, async ({ page, problems, shoot, accessible }) => {
  problems.expect(/503/)
  await signUpAsInstructor(page)
  await disablePreloadedData(page)
  const person = (name: string) => ({ id: randomUUID(), name, picture: null, slug: null })
  const lines = (from: number, count: number) =>
    Array.from({ length: count }, (_, n) => ({
      id: randomUUID(),
      name: `Session ${from + n}`,
      status: 'paid',
      videos: 1,
      preparing: 0,
      unseen: 0,
      poster: null,
      player: person('Mia Torres'),
      instructor: person('Coach'),
      assignment: randomUUID(),
      clarification: 'none',
      created: '2026-01-01T00:00:00Z',
      updated: '2026-01-01T00:00:00Z',
      assigned: '2026-01-01T00:00:00Z',
      given: '2026-01-02T00:00:00Z',
      message: null,
      question: null,
    }))
  await page.route('**/api/queue', route =>
    route.fulfill({ json: { folders: lines(1, 50).reverse(), waiting: { total: 0, next: null }, delivered: { total: 55, next: 'eyJ' } } }),
  )
  let isAway = true
  await page.route('**/api/queue/delivered*', route =>
    isAway
      ? route.fulfill({ status: 503, json: { message: 'Our database is not available right now.' } })
      : route.fulfill({ json: { folders: lines(51, 5), total: 55, next: null } }),
  )
  await page.goto('/instructor/dashboard')
  const rows = page.locator('main li > a')
  await expect(rows).toHaveCount(5)
  await expect(page.getByRole('heading', { name: 'Delivered 55' })).toBeVisible()
  await expect(page.getByText('5 of 55 shown')).toBeVisible()
  const more = page.getByRole('button', { name: 'Show more delivered sessions' })
  await more.click()
  await expect(rows).toHaveCount(50)
  await more.click()
  await expect(page.getByText('Our database is not available right now.')).toBeVisible()
  await shoot('instructor-queue-more-failed')
  await accessible()
  isAway = false
  await more.click()
  await expect(rows).toHaveCount(55)
  await expect(page.getByText('All 55 shown')).toBeFocused()
})
