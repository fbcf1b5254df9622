import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { tableOf } from '../../modules/kernel/projection.ts'
import { folders } from '../../projections/folders.ts'
import { connectPostgres } from '../../src/server/postgres-pool.ts'
import { expect, test } from '../support/browser.ts'
import { sampleVideos, sampleVoice as sound } from '../support/sample-media.ts'
import { asAdmin, asInstructor, asPlayer, call, createAssignedFolder, createReviewedFolder } from './api-setup.ts'

const video = await readFile(sampleVideos.mp4)

test('an administrator filters the log, exports it and refunds a payment', async ({ page, person, app, shoot, accessible }) => {
  const [player, instructor] = [await person(), await person()]
  const coach = await asInstructor(instructor)
  const mia = await asPlayer(player)
  const { folder } = await createReviewedFolder(player, instructor, coach, 'Refund me', video)
  const { assignment } = await (await player.request.get(`/api/folders/${folder}`)).json()
  await expect(async () => {
    await call(player, 'POST', `/api/payments/${assignment}/pay`, { tip: 300, total: 1550 })
  }).toPass()

  await asAdmin(page, app)
  await page.goto('/admin/dashboard')
  await expect(page.getByRole('heading', { name: 'Everything is running' })).toBeVisible()
  await page.getByLabel('Folder (id)').fill('not an id')
  await page.getByRole('button', { name: 'Show' }).click()
  await expect(page.getByText('That is not a folder ID')).toBeVisible()
  await page.getByLabel('Folder (id)').fill(folder)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`folder=${folder}`))
  await expect(page.getByText('created the folder “Refund me”')).toBeVisible()
  await page.getByLabel('Kind of event').selectOption('FeedbackGiven')
  await page.getByRole('button', { name: 'Show' }).click()
  await expect(page.getByText('created the folder “Refund me”')).toBeHidden()
  await expect(page.getByText('Ray Delgado delivered the feedback, 2 notes')).toBeVisible()
  await expect(page.getByText(/^Checksum of the log as of .*: \d+:[0-9a-f]{64}\. Keep it/)).toBeVisible()
  await shoot('admin-log-narrowed')
  await accessible()
  await page.getByRole('button', { name: 'Compare with the log' }).click()
  await expect(page.getByText('Every payment and package at Stripe is in the log.')).toBeVisible()
  await shoot('admin-compare-stripe')
  await accessible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByText('created the folder “Refund me”').locator('..').getByRole('button', { name: 'Mia Torres' }).first().click()
  await expect(page).toHaveURL(new RegExp(`actor=${mia.id}`))
  await expect(page.getByText('delivered the feedback')).toBeHidden()

  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export' }).click()
  const lines = (await readFile((await (await download).path())!, 'utf8')).trim().split('\n')
  expect(JSON.parse(lines.pop()!).end).toMatchObject({ filter: { actor: mia.id }, events: lines.length })
  expect(lines.map(line => JSON.parse(line).actor)).toEqual(lines.map(() => mia.id))

  // A day is the viewer's own: in one of these zones it is another one now than in UTC.
  for (const timezoneId of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    const away = await person({ timezoneId, storageState: await page.context().storageState() })
    await away.goto(`/admin/dashboard?folder=${folder}`)
    const day = (days: number) => away.evaluate(days => new Date(Date.now() + days * 86_400_000).toLocaleDateString('sv-SE'), days)
    await expect(away.getByText(`your time zone, ${timezoneId}`)).toBeVisible()
    const narrow = async (from: string, to: string) => {
      await away.getByLabel('From', { exact: true }).fill(from)
      await away.getByLabel('To', { exact: true }).fill(to)
      await away.getByRole('button', { name: 'Show', exact: true }).click()
    }
    const made = away.getByText('created the folder “Refund me”')
    await narrow(await day(-1), await day(0))
    await expect(made).toBeVisible()
    await narrow(await day(1), await day(1))
    await expect(away.getByText('Nothing matches')).toBeVisible()
    await narrow(await day(0), await day(0))
    await expect(made).toBeVisible()
  }

  await page.goto(`/admin/dashboard?folder=${folder}`)
  await page
    .getByRole('button', { name: /^Payment of event/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('$18.50').first()).toBeVisible()
  await dialog.getByLabel('Amount, in dollars').fill('99')
  await dialog.getByRole('button', { name: 'Refund' }).click()
  await expect(dialog.getByText('At most $18.50 can still be refunded')).toBeVisible()
  await expect(dialog.getByText('Give a reason')).toBeVisible()
  await shoot('admin-refund')
  await accessible()
  await dialog.getByLabel('Amount, in dollars').fill('5')
  await dialog.getByLabel('Reason').fill('The second clip was too dark to review.')
  await dialog.getByRole('button', { name: 'Refund' }).click()
  await expect(page.getByText('Refund requested').first()).toBeVisible()
  await expect.poll(async () => (await page.request.get(`/api/admin/events?folder=${folder}`)).text()).toContain('PaymentRefunded')
  await page.reload()
  await expect(page.getByText('was refunded $5.00')).toBeVisible()
})

test('an administrator plays a review like its player, read-only', {
  tag: '@sweep',
}, async ({ page, person, app, shoot, accessible }) => {
  const [player, instructor] = [await person(), await person()]
  const coach = await asInstructor(instructor)
  await asPlayer(player)
  const june = await createAssignedFolder(player, coach, 'Front toss, June', video)
  const now = await createAssignedFolder(player, coach, 'Front toss, November', video)
  await call(instructor, 'POST', `/api/folders/${now.folder}/review`)
  const said = await readFile(sound)
  const voice = { id: randomUUID(), video: now.video, frame: 0, milliseconds: 3300, bytes: said.length, type: 'audio/webm', actions: [] }
  const { url } = await (
    await call(instructor, 'POST', `/api/folders/${now.folder}/voices`, { id: voice.id, type: voice.type, bytes: voice.bytes })
  ).json()
  expect((await instructor.request.put(url, { data: said, headers: { 'content-type': voice.type } })).ok()).toBe(true)
  const shape = { id: randomUUID(), tool: 'line', color: 0, width: 90, p: [1000, 5000, 8000, 0], from: 0, hold: 60, fade: 0 }
  const side = (of: typeof now, more: object = {}) => ({ ...of, origin: 0, offset: 0, scale: 1, ...more })
  await call(instructor, 'POST', `/api/folders/${now.folder}/feedback`, {
    ...{ voices: [voice], grades: [], summary: 'Later with the shoulder.' },
    checkpoints: [{ video: now.video, skill: 'hitting', name: 'contact', frame: 12, by: 'hand' }],
    notes: [{ id: randomUUID(), video: now.video, at: 400, frame: 12, kind: 'tip', text: 'Here it goes.' }],
    comparisons: [
      { id: randomUUID(), title: 'Shoulder', mode: 'side', stretch: false, sides: [side(now, { shapes: [shape] }), side(june)] },
    ],
  })
  await call(player, 'POST', `/api/folders/${now.folder}/question`, { question: 'How late is late?' })

  await asAdmin(page, app)
  await page.goto(`/admin/dashboard?folder=${now.folder}`)
  await page
    .getByRole('link', { name: /^Folder of event/ })
    .first()
    .click()
  await expect(page).toHaveURL(`/admin/folder/${now.folder}`)
  await expect(page.getByRole('heading', { name: 'Front toss, November' })).toBeVisible()
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
  // Nothing of a player or an instructor to press.
  await expect(page.getByText(/^Filmed at/)).toBeVisible()
  await expect(page.getByRole('button', { name: /^(draw|pay|ask|send|set|remove|rename|deliver|sync)\b/i })).toHaveCount(0)
  await expect(page.getByRole('textbox')).toHaveCount(0)

  // One that is not reviewed yet, one that there is not, and somebody who may not.
  await page.goto(`/admin/folder/${june.folder}`)
  await expect(page.getByText('My hands, please.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Videos' })).toBeVisible()
  await accessible()
  await page.goto(`/admin/folder/${randomUUID()}`)
  await expect(page.getByText('Folder not found')).toBeVisible()
  await player.goto(`/admin/folder/${now.folder}`)
  await expect(player.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
})

test('an administrator answers a support request', async ({ page, person, app, shoot, accessible }) => {
  const player = await person()
  const mia = await asPlayer(player)
  await call(player, 'POST', '/api/support/request', {
    requestType: 'issue',
    content: 'My upload stops at 40 percent on the bus.',
    priority: 'high',
    suggestedSolution: 'Let it go on where it stopped.',
  })
  await asAdmin(page, app)
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

test('an administrator invites another, who registers through the letter', async ({ page, person, app, problems, accessible }) => {
  problems.expect(/ERR_FAILED/)
  await asAdmin(page, app)
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

test('admin screens show failures and keep other roles out', async ({ page, person, app, problems, shoot, accessible }) => {
  problems.expect(/^(console: Failed to load|500:)/)
  await asAdmin(page, app)
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
  await asPlayer(player)
  await player.goto('/admin/dashboard')
  await expect(player.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
})

test('an administrator retries a failed errand and sees how it ended', { tag: '@sweep' }, async ({ page, app, shoot, accessible }) => {
  const sql = connectPostgres(app.config.databaseUrl, { max: 1 })
  const [id, other] = [randomUUID(), randomUUID()]
  const payload = sql.json({ assignment: randomUUID() })
  await sql`insert into errands (id, kind, payload, attempt, tried, failed, error) values
    (${id}, 'payment.open', ${payload}, 31, now() - interval '1 day', now(), 'The provider does not answer'),
    (${other}, 'letter.receipt', ${payload}, 1, now(), now() - interval '1 minute', 'no such address')`
  await asAdmin(page, app)
  await page.goto('/admin/dashboard')
  await expect(page.getByRole('heading', { name: '2 things have stopped' })).toBeVisible()
  const given = page.getByRole('listitem').filter({ hasText: 'payment.open given up after' })
  await expect(given).toContainText('31 tries')
  await shoot('admin-given-up')
  await accessible()
  const again = page.getByRole('button', { name: 'Try again: payment.open' })
  await again.click()
  await expect(given.getByRole('status')).toHaveText('It failed again.')
  await expect(given).toContainText('32 tries')
  await accessible()
  // What was in its way is gone.
  await sql`update errands set kind = 'card.release' where id = ${id}`
  await again.press('Enter')
  await expect(page.getByRole('heading', { name: '1 thing has stopped' })).toBeFocused()
  await expect(page.getByText('payment.open is done', { exact: true })).toBeVisible()
  expect((await sql`select 1 from errands where id = ${id} and done is not null`).length).toBe(1)
  await sql`delete from errands where id in (${id}, ${other})`
  await sql.end()
})

test('an administrator releases a parked stream while other streams go on', async ({ page, person, app, shoot, accessible }) => {
  const sql = connectPostgres(app.config.databaseUrl, { max: 1 })
  const table = tableOf(folders)
  await sql.unsafe(`alter table "${table}" add constraint refused check (name <> 'Bad luck') not valid`)
  const [unlucky, other] = [await person(), await person()]
  await asPlayer(unlucky)
  await asPlayer(other)
  const [bad, fine] = [randomUUID(), randomUUID()]
  await call(unlucky, 'POST', '/api/folders', { id: bad, name: 'Bad luck' })
  await call(other, 'POST', '/api/folders', { id: fine, name: 'Good luck' })
  await other.goto('/player/dashboard')
  await expect(other.getByText('Good luck')).toBeVisible()
  const ready = await page.request.get('/api/ready')
  expect([ready.status(), (await ready.json()).parked]).toEqual([200, [{ reader: 'folders', stream: `folder-${bad}` }]])

  await asAdmin(page, app)
  await page.goto('/admin/dashboard')
  await expect(page.getByRole('heading', { name: '1 thing has stopped' })).toBeVisible()
  await expect(page.getByText(`folder-${bad}, FolderCreated at position`)).toBeVisible()
  await expect(page.getByText('violates check constraint')).toBeVisible()
  await shoot('admin-parked')
  await accessible()
  await page.getByRole('button', { name: 'Try again: folders' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Everything is running' })).toBeFocused()
  await unlucky.goto('/player/dashboard')
  await expect(unlucky.getByText('Bad luck')).toBeVisible()
  const rows = () => sql`select * from ${sql(tableOf(folders))} order by folder`
  const lifted = [...(await rows())]
  expect(
    (
      await page.request.post('/api/admin/followers/folders/retry', { headers: { origin: app.url, 'content-type': 'application/json' } })
    ).ok(),
  ).toBe(true)
  expect([...(await rows())]).toEqual(lifted)
  expect((await (await page.request.get('/api/ready')).json()).parked).toEqual([])
  await sql.end()
})

test('the dashboard says that the log is older than the read models', async ({ page, app, shoot, accessible }) => {
  const sql = connectPostgres(app.config.databaseUrl, { max: 1 })
  await sql`update checkpoints set log_end = 0 where name ~ '^folders_' or name = 'process charging'`
  await asAdmin(page, app)
  await page.goto('/admin/dashboard')
  await expect(page.getByRole('heading', { name: '2 things have stopped' })).toBeVisible()
  const item = page.getByRole('listitem').filter({ hasText: 'The log is older than the read models' })
  await expect(item).toContainText('npm run rebuild')
  await expect(item).toContainText('folders, charging')
  await shoot('admin-log-older')
  await accessible()
  expect((await page.request.get('/api/ready')).status()).toBe(503)
  await sql`update checkpoints set log_end = null`
  expect((await page.request.get('/api/ready')).status()).toBe(200)
  await sql.end()
})
