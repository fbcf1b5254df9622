import { readFile } from 'node:fs/promises'
import { expect, test } from '../support/playwright-base-fixtures.ts'
import { sampleVideos } from '../support/sample-media.ts'
import { createFolderWithVideo, signUpAsPlayer } from './api-setup.ts'

test('a player sets the capture rate of a video if the file does not state it', { tag: '@sweep' }, async ({ page, shoot, accessible }) => {
  await signUpAsPlayer(page)
  const { folder } = await createFolderWithVideo(page, 'Slow motion', await readFile(sampleVideos.mp4))
  await page.goto(`/player/folder/${folder}`)
  const videos = page.getByRole('region', { name: 'Videos', exact: true })
  await expect(videos.getByText(/^Filmed at 30 frames per second, according to the file/)).toBeVisible()
  await expect(videos.getByRole('group', { name: 'Filmed in slow motion?' })).toBeVisible()
  await videos.getByRole('button', { name: 'Other' }).click()
  const rate = videos.getByLabel('Frames per second when filmed')
  await expect(rate).toBeFocused()
  await rate.fill('0')
  await rate.press('Enter')
  await expect(videos.getByText('Between 1 and 10,000 frames per second')).toBeVisible()
  await shoot('player-folder-rate')
  await accessible()
  await videos.getByRole('button', { name: 'Cancel' }).click()
  await videos.getByRole('button', { name: '240 frames per second' }).click()
  await expect(videos.getByText('Filmed at 240 frames per second, as set by hand.')).toBeVisible()
  await expect(videos.getByText('Filmed in slow motion?')).toBeHidden()
  await page.reload()
  await expect(videos.getByText('Filmed at 240 frames per second, as set by hand.')).toBeVisible()
})
