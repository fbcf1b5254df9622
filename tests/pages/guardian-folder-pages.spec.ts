import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { birthDateForAge } from '../api/test-server.ts'
import { sampleVideos } from '../support/sample-media.ts'
import { expect, test } from '../support/signed-in-fixtures.ts'
import { testCardDetails } from '../support/test-card-details.ts'
import { addVideo, callApi, createFolderWithVideo, signUpAsInstructor, signUpAsPlayer, waitForFolderStatus } from './api-setup.ts'
import { giveConsentByApi } from './guardian-consent.ts'

test('a guardian sees videos to approve, ended sessions and archived folders', { tag: '@sweep' }, async ({
  page: leo,
  app,
  person,
  accessible,
  shoot,
}) => {
  test.slow()
  const [coach, maria] = [await person(), await person()]
  const ray = await signUpAsInstructor(coach, 'Ray', 'Ostrander')
  const guardianEmail = `maria.${randomUUID().slice(0, 8)}@example.com`
  const minor = { dateOfBirth: birthDateForAge(15), guardianName: 'Maria Santos', guardianEmail }
  const { id: child } = await signUpAsPlayer(leo, 'Leo', 'Santos', minor)
  await giveConsentByApi(maria, app, guardianEmail)
  const { url } = await (await callApi(maria, 'POST', '/api/family/cards/setup', { back: '/family/money' })).json()
  const back = (await maria.request.post(url, { form: testCardDetails(), maxRedirects: 0 })).headers().location!
  await callApi(maria, 'POST', '/api/family/cards/confirm', { session: new URL(back, url).searchParams.get('setup') })
  const swing = await readFile(sampleVideos.mp4)
  const { folder, video } = await createFolderWithVideo(leo, 'Tee work', swing)

  await test.step('a first session is delivered and paid', async () => {
    const assignment = randomUUID()
    await callApi(leo, 'POST', `/api/folders/${folder}/assign`, { assignment, instructor: ray.id })
    await callApi(maria, 'POST', `/api/family/approvals/${assignment}/approve`)
    await callApi(coach, 'POST', `/api/folders/${folder}/feedback`, {
      notes: [{ id: randomUUID(), video, at: 400, kind: 'praise', text: 'Balanced.' }],
      summary: 'Good load.',
      grades: [{ skill: 'hitting', grade: 55 }],
    })
    await waitForFolderStatus(leo, folder, 'feedback-given')
    const bills = async () => (await (await callApi(maria, 'GET', '/api/family/money')).json()).payments
    await expect.poll(async () => (await bills())[0]?.status).toBe('due')
    await callApi(maria, 'POST', `/api/family/payments/${assignment}/pay`, { tip: 0, total: (await bills())[0].total })
    await waitForFolderStatus(leo, folder, 'paid')
  })

  const followUp = randomUUID()
  await test.step('the request for a follow-up leads to the new videos', async () => {
    await addVideo(leo, folder, swing, { name: 'front-toss.mp4' })
    await callApi(leo, 'POST', `/api/folders/${folder}/assign`, { assignment: followUp, instructor: ray.id })
    await maria.goto('/family/money')
    const request = maria.getByRole('region', { name: 'Waiting for your approval' })
    await expect(request.getByText(/“Tee work”, 1 video, /)).toBeVisible()
    await accessible(maria)
    await request.getByRole('link', { name: 'Tee work' }).click()
    await expect(maria.getByRole('region', { name: 'For the next session' }).getByText('front-toss.mp4')).toBeVisible()
    await expect(maria.getByText('Good load.')).toBeVisible()
    await accessible(maria)
    await shoot('family-folder-next-session', maria)
  })

  await test.step('a link to a session that was taken back opens the folder', async () => {
    await callApi(maria, 'POST', `/api/family/approvals/${followUp}/approve`)
    await maria.goto(`/family/folder/${folder}?session=${followUp}`)
    await maria.getByRole('button', { name: 'Take it back' }).click()
    await expect(maria.getByText('The session in this link has ended')).toBeVisible()
    await expect(maria.getByText('Good load.')).toBeVisible()
    await expect(maria.getByRole('button', { name: 'Take it back' })).toHaveCount(0)
    await maria.reload()
    await expect(maria.getByText('The session in this link has ended')).toBeVisible()
    await accessible(maria)
    await shoot('family-folder-ended-session', maria)
  })

  await test.step('an archived folder stays within reach', async () => {
    await callApi(leo, 'POST', `/api/folders/${folder}/archive`)
    // Changes by other people are visible a moment later.
    const folders = `/api/family/children/${child}/folders`
    await expect.poll(async () => (await (await maria.request.get(folders)).json()).archived).toBe(1)
    await maria.goto(`/family/children/${child}`)
    await maria.getByText('Archived (1)').click()
    const archived = maria.getByRole('link', { name: /Tee work/ })
    await expect(archived).toBeVisible()
    await expect(maria.getByText('No folders yet')).toHaveCount(0)
    await accessible(maria)
    await shoot('family-child-archived', maria)
    await archived.click()
    await expect(maria.getByText('Good load.')).toBeVisible()
  })

  await test.step("another guardian's letter opens on the same device", async () => {
    const [mia, paula] = [await person(), await person()]
    const otherEmail = `paula.${randomUUID().slice(0, 8)}@example.com`
    await signUpAsPlayer(mia, 'Mia', 'Lind', { ...minor, guardianName: 'Paula Lind', guardianEmail: otherEmail })
    await giveConsentByApi(paula, app, otherEmail)
    const { folder: bunting } = await createFolderWithVideo(mia, 'Bunting', swing)
    await callApi(paula, 'POST', '/api/family/sign-in', { email: otherEmail, page: `/family/folder/${bunting}` })
    const path = async () => /\/family\/folder\/[\w-]+\?token=[\w-]+/.exec((await app.letters(otherEmail))[0]?.text ?? '')?.[0]
    await expect.poll(path).toBeTruthy()
    await maria.goto((await path())!)
    await expect(maria.getByRole('heading', { name: 'Folder not found' })).toBeVisible()
    await accessible(maria)
    await shoot('family-folder-other-addressee', maria)
    await maria.getByRole('button', { name: 'open it with their link' }).click()
    await maria.getByRole('button', { name: 'Open', exact: true }).click()
    await expect(maria.getByRole('heading', { name: 'Bunting' })).toBeVisible()
  })
})
