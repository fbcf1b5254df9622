import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { birthDateForAge } from '../api/test-server.ts'
import { sampleVideos } from '../support/sample-media.ts'
import { expect, test } from '../support/signed-in-fixtures.ts'
import { callApi, createFolderWithVideo, signUpAsPlayer } from './api-setup.ts'
import { waitForEmailedGuardianPath } from './guardian-consent.ts'

const PHONE = { width: 390, height: 844 }

test('a folder names the missing consent instead of offering to assign it', { tag: '@sweep' }, async ({
  page,
  app,
  person,
  accessible,
  shoot,
}) => {
  test.slow()
  const email = `ann.${randomUUID().slice(0, 8)}@example.com`
  const zoe = await signUpAsPlayer(page, 'Zoe', 'Lane', {
    dateOfBirth: birthDateForAge(14),
    guardianName: 'Ann Lane',
    guardianEmail: email,
  })
  const { folder } = await createFolderWithVideo(page, 'Tee work', await readFile(sampleVideos.mp4))
  const moEmail = `mo.${randomUUID().slice(0, 8)}@example.com`
  const ann: Page = await person()
  const assign = page.getByRole('button', { name: 'Assign to an instructor' })
  /** Expects an accessible notice in place of the assign button, and takes screenshots. Returns the notice. */
  const look = async (heading: string, name: string) => {
    const notice = page.getByRole('group', { name: heading })
    await expect(notice).toBeVisible({ timeout: 30_000 })
    await expect(assign).toHaveCount(0)
    await expect(notice).toBeInViewport()
    await accessible()
    await shoot(`folder-consent-${name}`)
    return notice
  }

  await page.setViewportSize(PHONE)
  await page.goto(`/player/folder/${folder}`)
  await look('Waiting for your parent or guardian', 'waiting')
  await callApi(ann, 'POST', `/api${await waitForEmailedGuardianPath(app, email)}`, { answer: 'no' })
  const refused = await look('Your parent or guardian said no', 'refused')
  await expect(refused.getByText(/your account will be deleted on/)).toBeVisible()
  await expect(refused.getByRole('link', { name: 'Contact support' })).toBeVisible()
  await callApi(ann, 'POST', `/api/family/children/${zoe.id}/consent`, { answer: 'yes' })
  await expect(assign).toBeVisible({ timeout: 15_000 })
  await callApi(ann, 'POST', `/api/family/children/${zoe.id}/consent/withdraw`, { reviews: 'finish' })
  const withdrawn = await look('Your parent or guardian has withdrawn their consent', 'withdrawn')
  await expect(withdrawn.getByText(/they can agree again on their family page/)).toBeVisible()

  // Ann names another guardian with a wrong email address. The stranger who gets the letter says no, which changes nothing.
  await callApi(ann, 'POST', `/api/family/children/${zoe.id}/guardian`, { name: 'Mo Lane', email: moEmail })
  await look('Waiting for your parent or guardian', 'handed-over')
  const stranger = await person()
  await stranger.goto(await waitForEmailedGuardianPath(app, moEmail))
  await stranger.getByRole('button', { name: 'No', exact: true }).click()
  await expect(stranger.getByText(/The account stays as it was/)).toBeVisible()
  await expect(stranger.getByText(/Then we will delete the account/).filter({ visible: true })).toHaveCount(0)
  await shoot('guardian-refused-after-change', stranger)
  const kept = await look('The person named as your guardian said no', 'refused-after-change')
  await expect(kept.getByText(/Your account stays open/)).toBeVisible()
})
