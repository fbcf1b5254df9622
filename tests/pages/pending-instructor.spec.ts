import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { birthDateForAge } from '../api/test-server.ts'
import { approveInstructorOfAppProcess } from '../support/approve-instructor.ts'
import { sampleVideos } from '../support/sample-media.ts'
import { expect, test } from '../support/signed-in-fixtures.ts'
import { callApi, createFolderWithVideo, signInAsAdmin, signUpAsPlayer } from './api-setup.ts'
import { giveConsentByApi } from './guardian-consent.ts'

test('a pending instructor sees the next steps and a preview, but has no public page', { tag: '@sweep' }, async ({
  as,
  page,
  accessible,
  shoot,
  problems,
}) => {
  problems.expect(/404/)
  const own = await as('instructor', { firstName: 'Petra', lastName: 'Vance', unvetted: true })
  await own.goto('/instructor/dashboard')
  await expect(own.getByRole('heading', { name: 'We are reviewing your profile' })).toBeVisible()
  await accessible(own)
  await shoot('dashboard-pending', own)
  await own.getByRole('button', { name: 'Send the confirmation email again' }).click()
  await expect(own.getByText('Sent. Open the link in the email.')).toBeVisible()

  await own.goto('/i/petra-vance')
  await expect(own.getByText('Only you can see this preview.')).toBeVisible()
  await expect(own.getByRole('heading', { level: 1, name: 'Petra Vance' })).toBeVisible()
  await accessible(own)
  for (const stranger of [page, await as('player')]) {
    expect((await stranger.goto('/i/petra-vance'))!.status()).toBe(404)
    await expect(stranger.getByRole('heading', { level: 1, name: '404 Page Not Found' })).toBeVisible()
  }
})

test('a minor reads why their instructor cannot be chosen until approved', { tag: '@sweep' }, async ({
  app,
  page,
  member,
  person,
  accessible,
  shoot,
}) => {
  const { user, api } = await member('instructor', { firstName: 'Quinn', lastName: 'Abbot', unvetted: true })
  const { code } = await (await api.get('/api/invite')).json()
  const guardian = { guardianName: 'Maria Torres', guardianEmail: `maria.${randomUUID().slice(0, 8)}@example.com` }
  await signUpAsPlayer(page, 'Tim', 'Torres', { dateOfBirth: birthDateForAge(15), inviteCode: code, ...guardian })
  const { folder } = await createFolderWithVideo(page, 'Swings', await readFile(sampleVideos.mp4))
  await page.goto(`/player/folder/${folder}?assign=1`)
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(/has not finished checking Quinn, and players under 18/)).toBeVisible()
  await expect(dialog.getByRole('radio', { name: /Quinn Abbot/ })).toHaveCount(0)
  await accessible()
  await shoot('assign-unchecked')
  await page.goto(`/player/select-instructor/${user.profileSlug}`)
  await expect(page.getByText('Instructor not found')).toBeVisible()

  // Once the guardian has consented, the folder's page explains next to the assign button that the instructor is still being checked.
  await giveConsentByApi(await person(), app, guardian.guardianEmail)
  await page.goto(`/player/folder/${folder}`)
  await expect(page.getByRole('button', { name: 'Assign to an instructor' })).toBeVisible()
  await expect(page.getByText(/Once the check is done, you can assign to Quinn right here/)).toBeVisible()
  await accessible()
  await shoot('folder-unchecked')

  const admin = await person()
  await signInAsAdmin(admin, app)
  const check = { check: 'background', checked: '2026-05-02', reference: 'Report 20931', expires: null }
  await callApi(admin, 'POST', `/api/admin/instructors/${user.id}/checks`, check)
  await callApi(admin, 'POST', `/api/admin/instructors/${user.id}/checks`, { ...check, check: 'identity' })
  await approveInstructorOfAppProcess(app, user.id)
  const checked = 'Checked by DiamondLink: identity · background, May 2026'
  await page.goto(`/player/folder/${folder}`)
  await expect(page.getByRole('button', { name: 'Assign to an instructor' })).toBeVisible()
  await expect(page.getByText(/finished checking Quinn/)).toHaveCount(0)
  await page.goto(`/player/folder/${folder}?assign=1`)
  await expect(dialog.getByText(checked)).toBeVisible()
  await expect(dialog.getByRole('radio', { name: /Quinn Abbot/ })).toBeVisible()
  await shoot('assign-checked')
  await page.goto('/player/connect-instructor')
  // The first page of the list may not contain this instructor.
  await page.getByRole('searchbox', { name: 'Name or invite code' }).fill('Quinn Abbot')
  await expect(page.getByText(checked).first()).toBeVisible()
  await accessible()
  await shoot('connect-checked')
  await page.goto(`/i/${user.profileSlug}`)
  await expect(page.getByText(checked)).toBeVisible()
  await accessible()
  await shoot('profile-checked')
})
