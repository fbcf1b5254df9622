import { readFile } from 'node:fs/promises'
import { expect, test } from '../support/playwright-base-fixtures.ts'
import { sampleVideos } from '../support/sample-media.ts'
import { callApi, createAssignedFolder, signUpAsInstructor, signUpAsPlayer, waitForFolderStatus } from './api-setup.ts'

test('a note about a range of frames loops while the review plays', { tag: '@sweep' }, async ({ page, person }) => {
  const instructor = await person()
  const coach = await signUpAsInstructor(instructor)
  await signUpAsPlayer(page)
  const { folder, video } = await createAssignedFolder(page, coach, 'Tee work', await readFile(sampleVideos.mp4))
  // The text is long, so that the note is still shown when the test presses Pause.
  const text = 'Keep the hands back until the front foot is down, and let the hips begin. '.repeat(9).trim()
  await callApi(instructor, 'POST', `/api/folders/${folder}/review`)
  await callApi(instructor, 'POST', `/api/folders/${folder}/feedback`, {
    notes: [{ id: crypto.randomUUID(), video, at: 400, frame: 12, until: 20, kind: 'technique', text }],
    summary: 'Hands back.',
    grades: [{ skill: 'hitting', grade: 55 }],
  })
  await waitForFolderStatus(page, folder, 'feedback-given')
  await page.goto(`/player/folder/${folder}`)
  await page.getByRole('button', { name: /^Watch with Ray/ }).click()
  await expect(page.getByRole('button', { name: /Keep the hands back/ })).toHaveAttribute('aria-current', 'true')
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Stop looping this part' })).toBeVisible()
})
