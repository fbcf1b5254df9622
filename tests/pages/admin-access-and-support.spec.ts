import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expect, test } from '../support/playwright-base-fixtures.ts'
import { sampleVideos, sampleVoice as sound } from '../support/sample-media.ts'
import { callApi, createAssignedFolder, signInAsAdmin, signUpAsInstructor, signUpAsPlayer } from './api-setup.ts'

const video = await readFile(sampleVideos.mp4)

test('an administrator watches a review like its player, but cannot change anything', {
  tag: '@sweep',
}, async ({ page, person, app, shoot, accessible }) => {
  const [player, instructor] = [await person(), await person()]
  const coach = await signUpAsInstructor(instructor)
  await signUpAsPlayer(player)
  const june = await createAssignedFolder(player, coach, 'Front toss, June', video)
  const now = await createAssignedFolder(player, coach, 'Front toss, November', video)
  await callApi(instructor, 'POST', `/api/folders/${now.folder}/review`)
  const said = await readFile(sound)
  const voice = { id: randomUUID(), video: now.video, frame: 0, milliseconds: 3300, bytes: said.length, type: 'audio/webm', actions: [] }
  const { url } = await (
    await callApi(instructor, 'POST', `/api/folders/${now.folder}/voices`, { id: voice.id, type: voice.type, bytes: voice.bytes })
  ).json()
  expect((await instructor.request.put(url, { data: said, headers: { 'content-type': voice.type } })).ok()).toBe(true)
  const shape = { id: randomUUID(), tool: 'line', color: 0, width: 90, p: [1000, 5000, 8000, 0], from: 0, hold: 60, fade: 0 }
  const side = (of: typeof now, more: object = {}) => ({ ...of, origin: 0, offset: 0, scale: 1, ...more })
  await callApi(instructor, 'POST', `/api/folders/${now.folder}/feedback`, {
    voices: [voice],
    grades: [],
    summary: 'Later with the shoulder.',
    checkpoints: [{ video: now.video, skill: 'hitting', name: 'contact', frame: 12, by: 'hand' }],
    notes: [{ id: randomUUID(), video: now.video, at: 400, frame: 12, kind: 'tip', text: 'Here it goes.' }],
    comparisons: [
      { id: randomUUID(), title: 'Shoulder', mode: 'side', stretch: false, sides: [side(now, { shapes: [shape] }), side(june)] },
    ],
  })
  await callApi(player, 'POST', `/api/folders/${now.folder}/question`, { question: 'How late is late?' })

  await signInAsAdmin(page, app)
  await page.goto(`/admin/dashboard?folder=${now.folder}`)
  await page
    .getByRole('link', { name: /^Folder of event/ })
    .first()
    .click()
  await expect(page).toHaveURL(`/admin/folder/${now.folder}`)
  await expect(page.getByRole('heading', { name: 'Front toss, November' })).toBeVisible()
  // The button that plays the review comes first, then the summary, then the video, as for the player and their guardian.
  const parts = [
    page.getByRole('button', { name: /^Watch with Ray · \d:\d\d$/ }),
    page.getByRole('region', { name: /sums it up$/ }),
    page.getByRole('region', { name: 'Feedback', exact: true }),
  ]
  const tops = await Promise.all(parts.map(async part => (await part.boundingBox())!.y))
  expect(tops).toEqual(tops.toSorted((a, b) => a - b))
  await expect(page.getByText('How late is late?')).toBeVisible()
  await page.getByRole('button', { name: /Here it goes/ }).click()
  await expect(page.locator('[data-frame="12"]')).toBeAttached()
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await page.getByRole('slider', { name: 'Position in the review' }).press('Home')
  await expect(page.getByRole('slider', { name: 'Position in the review' })).toHaveAttribute('aria-valuetext', /, Overall$/)
  await expect(page.getByRole('slider', { name: 'Position in the review' })).not.toHaveValue('0')
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await page.getByRole('button', { name: /^Shoulder/ }).click()
  await expect(page.locator('[data-state=ready][data-shown="0,0"]')).toBeAttached()
  const ink = () =>
    page.evaluate(() => {
      const canvas = document.querySelector<HTMLCanvasElement>('[data-side="0"] canvas')!
      return canvas.getContext('2d')!.getImageData(canvas.width * 0.4, canvas.height / 2, 1, 1).data[3]
    })
  await expect.poll(ink).toBe(255)
  await shoot('admin-folder')
  await accessible()
  // The page has none of the buttons that players and instructors have.
  await expect(page.getByText(/^Filmed at/)).toBeVisible()
  await expect(page.getByRole('button', { name: /^(draw|pay|ask|send|set|remove|rename|deliver|sync)\b/i })).toHaveCount(0)
  await expect(page.getByRole('textbox')).toHaveCount(0)

  // Next: a folder without a review, an unknown folder, and a person without access.
  await page.goto(`/admin/folder/${june.folder}`)
  await expect(page.getByText('My hands, please.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Videos' })).toBeVisible()
  await accessible()
  await page.goto(`/admin/folder/${randomUUID()}`)
  await expect(page.getByText('Folder not found')).toBeVisible()
  await player.goto(`/admin/folder/${now.folder}`)
  await expect(player.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
})

test('an administrator answers a support request', { tag: '@sweep' }, async ({ page, person, app, shoot, accessible }) => {
  const player = await person()
  const mia = await signUpAsPlayer(player)
  await callApi(player, 'POST', '/api/support/request', {
    requestType: 'issue',
    content: 'My upload stops at 40 percent on the bus.',
    priority: 'high',
    suggestedSolution: 'Let it go on where it stopped.',
  })
  await signInAsAdmin(page, app)
  await page.goto('/admin/dashboard')
  await page.getByRole('link', { name: /open requests?/ }).click()
  const card = page.getByRole('article').filter({ hasText: 'My upload stops at 40 percent' })
  await expect(card.getByText('High')).toBeVisible()
  await expect(card.getByRole('link', { name: 'Mia Torres' })).toHaveAttribute('href', `/admin/people/${mia.id}`)
  await card.getByRole('button', { name: 'Start working on it' }).click()
  await expect(card.getByText('In progress')).toBeVisible()
  await card.getByRole('button', { name: 'Answer', exact: true }).click()
  await card.getByRole('button', { name: 'Send the answer' }).click()
  await expect(card.getByText('Write an answer')).toBeVisible()
  await card.getByLabel('Answer').fill('It does now. Choose the same file again.')
  await shoot('admin-support')
  await accessible()
  await card.getByRole('button', { name: 'Send the answer' }).click()
  await expect(card).toBeHidden()
  await page.getByRole('tab', { name: 'Answered and closed' }).click()
  await expect(card.getByText('It does now. Choose the same file again.')).toBeVisible()
  await accessible()
  await expect.poll(async () => (await app.letters(mia.email)).some(l => /answer/i.test(`${l.subject} ${l.text ?? l.html}`))).toBe(true)
})

test('an administrator invites another one, who registers with the emailed link', { tag: '@sweep' }, async ({
  page,
  person,
  app,
  problems,
  accessible,
}) => {
  problems.expect(/ERR_FAILED/)
  await signInAsAdmin(page, app)
  await page.goto('/admin/dashboard')
  const card = page.getByRole('form', { name: 'Invite an administrator' })
  const email = card.getByLabel('Their email')
  const send = card.getByRole('button', { name: 'Send' })
  await email.fill('nobody')
  await send.click()
  await expect(email).toHaveAccessibleDescription('Invalid email address')
  await page.route('**/api/admin/invitations', route => route.abort())
  const address = `grace.${Date.now()}@example.com`
  await email.fill(address)
  await send.click()
  await expect(email).toHaveAccessibleDescription(/No connection right now/)
  await expect(email).toHaveValue(address)
  await accessible()
  await page.unroute('**/api/admin/invitations')
  await send.click()
  await expect(card.getByRole('status')).toHaveText(`Sent to ${address}.`)
  await expect(email).toHaveValue('')
  await accessible()

  await expect.poll(async () => (await app.letters(address)).length).toBe(1)
  const [letter] = await app.letters(address)
  const token = /register\?token=([\w-]+)/.exec(letter!.html ?? letter!.text!)![1]
  const grace = await person()
  await grace.goto(`/admin/register?token=${token}`)
  for (const [label, value] of Object.entries({
    'First name': 'Grace',
    'Last name': 'Ok',
    Email: address,
    Password: 'a good long password',
  })) {
    await grace.getByLabel(label, { exact: true }).fill(value)
  }
  await grace.getByRole('button', { name: 'Create administrator account' }).click()
  await expect(grace).toHaveURL('/admin/dashboard')
})

test('administrator screens show failures and are closed to other roles', { tag: '@sweep' }, async ({
  page,
  person,
  app,
  problems,
  shoot,
  accessible,
}) => {
  problems.expect(/^(console: Failed to load|500:)/)
  await signInAsAdmin(page, app)
  await page.route('**/api/admin/events*', route =>
    route.fulfill({ status: 500, contentType: 'application/json', body: '{"message":"no"}' }),
  )
  await page.goto('/admin/dashboard')
  const failed = page.getByRole('alert').filter({ hasText: 'The log did not load' })
  await expect(failed).toBeVisible()
  await shoot('admin-dashboard-error')
  await accessible()
  await page.unroute('**/api/admin/events*')
  await failed.getByRole('button', { name: 'Try again' }).click()
  await expect(failed).toBeHidden()
  await page.goto('/admin/dashboard?type=NothingLikeThis')
  await expect(page.getByText('Nothing matches')).toBeVisible()
  await accessible()

  const player = await person()
  await signUpAsPlayer(player)
  await player.goto('/admin/dashboard')
  await expect(player.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
})
