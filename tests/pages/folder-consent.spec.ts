import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { birthDateOf } from '../api/test-server.ts'
import { expect, test } from '../support/members.ts'
import { sampleVideos } from '../support/sample-media.ts'
import { asPlayer, call, createFolderWithVideo } from './api-setup.ts'

/** The screens' two widths, as in the other tests of layouts. */
const SIZES = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
]

test("a folder's page says whose answer is missing instead of offering to assign it", async ({ page, app, person, accessible, shoot }) => {
  const email = `ann.${randomUUID().slice(0, 8)}@example.com`
  const zoe = await asPlayer(page, 'Zoe', 'Lane', { dateOfBirth: birthDateOf(14), guardianName: 'Ann Lane', guardianEmail: email })
  const { folder } = await createFolderWithVideo(page, 'Tee work', await readFile(sampleVideos.mp4))
  const link = async () => /\/guardian\/([\w-]{43})/.exec((await app.letters(email))[0]?.text ?? '')?.[1]
  await expect.poll(link).toBeTruthy()
  const ann: Page = await person()
  const assign = page.getByRole('button', { name: 'Assign to an instructor' })
  /** What stands where the button to assign was, at both widths. */
  const look = async (heading: string, name: string) => {
    const notice = page.getByRole('region', { name: heading })
    await expect(notice).toBeVisible({ timeout: 30_000 })
    await expect(assign).toHaveCount(0)
    for (const size of SIZES) {
      await page.setViewportSize(size)
      await expect(notice).toBeInViewport()
      await accessible()
      await shoot(`folder-consent-${name}-${size.width}`)
    }
    return notice
  }

  await page.goto(`/player/folder/${folder}`)
  await look('Waiting for your parent or guardian', 'waiting')
  await call(ann, 'POST', `/api/guardian/${await link()}`, { answer: 'no' })
  await look('Your parent or guardian said no', 'refused')
  await call(ann, 'POST', `/api/family/children/${zoe.id}/consent`, { answer: 'yes' })
  await expect(assign).toBeVisible({ timeout: 15_000 })
  await call(ann, 'POST', `/api/family/children/${zoe.id}/consent/withdraw`, { reviews: 'finish' })
  const withdrawn = await look('Your parent or guardian has withdrawn their consent', 'withdrawn')
  await expect(withdrawn.getByText(/they can agree again on their family page/)).toBeVisible()
})
