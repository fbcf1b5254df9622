import { join } from 'node:path'
import { expect, test } from '../support/signed-in-fixtures.ts'

const media = (name: string) => join(import.meta.dirname, '../fixtures/media', name)

// @spec:2.21
test('the format test says whether a video can be uploaded and played', { tag: '@sweep' }, async ({ page, accessible }) => {
  const sent: string[] = []
  page.on('request', r => r.method() !== 'GET' && sent.push(r.url()))
  await page.goto('/video-format-test')
  const file = page.locator('input[type=file]')
  await file.setInputFiles(media('sample.mp4'))
  await expect(page.getByRole('heading', { name: 'Good to go' })).toBeVisible()
  await expect(page.getByText('H.264')).toBeVisible()
  await accessible()
  await file.setInputFiles({ name: 'swing.mp4', mimeType: 'video/mp4', buffer: Buffer.from('just some text, not a video at all') })
  await expect(page.getByRole('heading', { name: 'This file cannot be uploaded' })).toBeVisible()
  await expect(page.getByText('Choose an MP4, MOV or WEBM video.')).toBeVisible()
  await file.setInputFiles(media('sample.webm'))
  await expect(page.getByRole('heading', { name: 'Good to go' })).toBeVisible()
  expect(sent).toEqual([])
})

// @spec:2.22
test("the format test of a player's own video links to that video", { tag: '@sweep' }, async ({ page, as }) => {
  await page.goto('/video-format-test/an-id')
  await page.locator('input[type=file]').setInputFiles(media('sample.mov'))
  await expect(page.getByRole('heading', { name: 'Good to go' })).toBeVisible()
  const uploaded = (of: typeof page) => of.getByRole('link', { name: 'Test the version your instructor sees' })
  await expect(uploaded(page)).toHaveCount(0)
  const player = await as('player')
  await player.goto('/video-format-test/an-id')
  await expect(uploaded(player)).toHaveAttribute('href', '/player/video-test/an-id')
  await player.goto('/video-format-test')
  await expect(player.getByRole('banner')).toContainText('Hi, ')
  await expect(uploaded(player)).toHaveCount(0)
})
