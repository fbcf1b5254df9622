import { join } from 'node:path'
import { expect, test } from '../support/browser.ts'

const media = (name: string) => join(import.meta.dirname, '../media', name)

test('a video is looked at where it is: whether it uploads and plays, and what to do if not', async ({ page, accessible }) => {
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
  await page.goto('/video-format-test/any-id')
  await expect(page.getByRole('heading', { level: 1, name: 'Will my video play?' })).toBeVisible()
  expect(sent).toEqual([])
})
