import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { strFromU8, unzipSync } from 'fflate'
import { birthDateForAge } from '../api/test-server.ts'
import { sampleVideos } from '../support/sample-media.ts'
import { expect, test } from '../support/signed-in-fixtures.ts'
import { testCardDetails } from '../support/test-card-details.ts'
import { callApi, createFolderWithVideo, signUpAsInstructor, signUpAsPlayer, waitForFolderStatus } from './api-setup.ts'
import { giveConsentByApi } from './guardian-consent.ts'

test("a guardian downloads a child's data, which contains everything that was entered", { tag: '@sweep' }, async ({
  page: leo,
  app,
  person,
  accessible,
  shoot,
}) => {
  const [ray, maria] = [await person(), await person()]
  await signUpAsInstructor(ray, 'Ray', 'Overmyer')
  const guardianEmail = `maria.${randomUUID().slice(0, 8)}@example.com`
  const minor = { dateOfBirth: birthDateForAge(15), guardianName: 'Maria Santos', guardianEmail }
  const { id: child, email } = await signUpAsPlayer(leo, 'Leo', 'Santos', minor)
  await giveConsentByApi(maria, app, guardianEmail)
  const { url } = await (await callApi(maria, 'POST', '/api/family/cards/setup', { back: '/family/money' })).json()
  const back = (await maria.request.post(url, { form: testCardDetails(), maxRedirects: 0 })).headers().location!
  await callApi(maria, 'POST', '/api/family/cards/confirm', { session: new URL(back, url).searchParams.get('setup') })

  // The guardian approves a session and pays for it.
  const film = await readFile(sampleVideos.mp4)
  const { folder, video } = await createFolderWithVideo(leo, 'Tee work', film)
  const [assignment, { id: instructor }] = [randomUUID(), await (await ray.request.get('/api/user')).json()]
  await callApi(leo, 'POST', `/api/folders/${folder}/assign`, { assignment, instructor, message: 'Is my back elbow too high?' })
  await callApi(maria, 'POST', `/api/family/approvals/${assignment}/approve`)
  await callApi(ray, 'POST', `/api/folders/${folder}/feedback`, {
    notes: [{ id: randomUUID(), video, at: 400, kind: 'praise', text: 'Balanced.' }],
    summary: 'Good load.',
    grades: [{ skill: 'hitting', grade: 55 }],
  })
  await waitForFolderStatus(leo, folder, 'feedback-given')
  const bills = async () => (await (await callApi(maria, 'GET', '/api/family/money')).json()).payments
  await expect.poll(async () => (await bills())[0]?.status).toBe('due')
  const [{ total }] = await bills()
  await callApi(maria, 'POST', `/api/family/payments/${assignment}/pay`, { tip: 0, total })
  await waitForFolderStatus(leo, folder, 'paid')

  // Before the first request, the page says what the file will contain.
  await maria.goto(`/family/children/${child}`)
  const section = maria.getByRole('region', { name: "Leo's data" })
  await expect(section.getByText('Everything we store about Leo, in one zip file')).toBeVisible()
  await section.scrollIntoViewIfNeeded()
  await accessible(maria)
  await shoot('child-export-empty', maria)
  await section.getByRole('button', { name: 'Download everything' }).click()
  const link = section.getByRole('link', { name: 'Download the file' })
  await expect(link).toBeVisible({ timeout: 60_000 })
  await expect(section.getByText(/Your file is ready: .*You can download it until \w+ \d+, \d{4}\./)).toBeVisible()
  await accessible(maria)
  await shoot('child-export-ready', maria)

  const [download] = await Promise.all([maria.waitForEvent('download'), link.click()])
  expect(download.suggestedFilename()).toMatch(/^DiamondLink-.*\.zip$/)
  const files = unzipSync(new Uint8Array(await readFile(await download.path())))
  const json = (name: string) => JSON.parse(strFromU8(files[name]!))
  expect(Object.keys(files)).toEqual(
    expect.arrayContaining([
      'Folders/Tee work/Session 1/Feedback.pdf',
      'Folders/Tee work/Session 1/session.json',
      'Folders/Tee work/folder.json',
      'Payments/receipts.json',
      'Profile/profile.json',
    ]),
  )
  expect(json('Profile/profile.json')).toMatchObject({ firstName: 'Leo', lastName: 'Santos', email, guardian: { name: 'Maria Santos' } })
  expect(json('Folders/Tee work/Session 1/session.json')).toMatchObject({
    message: 'Is my back elbow too high?',
    review: { summary: 'Good load.', notes: [{ text: 'Balanced.' }], grades: [{ skill: 'hitting', grade: 55 }] },
  })
  expect(strFromU8(files['Folders/Tee work/Session 1/Feedback.pdf']!.slice(0, 5))).toBe('%PDF-')
  const [original] = Object.keys(files).filter(name => name.startsWith('Folders/Tee work/Videos/'))
  expect(Buffer.compare(files[original!]!, film)).toBe(0)
  expect(json('Payments/receipts.json').sessions).toMatchObject([{ id: assignment, receipt: expect.stringMatching(/^DL-/) }])

  // The guardian, who requested the export, gets the letter saying that it is ready.
  const ready = async () => (await app.letters(guardianEmail)).find(l => l.subject === "Leo's DiamondLink data is ready to download")
  await expect.poll(async () => (await ready())?.subject).toBeTruthy()
})
