import postgres from 'postgres'
import sharp from 'sharp'
import { expect, test } from '../support/signed-in-fixtures.ts'
import { callApi } from './api-setup.ts'
import { buttonNamed, fillLogin, findTab } from './auth-form.ts'

const photo = () =>
  sharp({ create: { width: 900, height: 600, channels: 3, background: '#14532d' } })
    .png()
    .toBuffer()

test('an instructor edits their profile, and the public page changes immediately', { tag: '@sweep' }, async ({
  as,
  page,
  accessible,
  problems,
}) => {
  problems.expect(/404/)
  const own = await as('instructor', { firstName: 'Noor', lastName: 'Haddad' })
  await own.goto('/instructor/profile-editor')
  await expect(own.getByLabel('Profile web address')).toHaveValue('noor-haddad')
  const preview = own.getByRole('complementary', { name: 'Preview' })
  await own.getByLabel('About').fill('Quick hands, quiet feet.')
  await own.getByText('Catching', { exact: true }).click()
  await expect(preview).toContainText('Quick hands, quiet feet.')
  await expect(preview).toContainText('Catching')

  const address = own.getByLabel('Profile web address')
  await address.fill('Not an address!')
  await own.getByRole('button', { name: 'Save profile' }).click()
  await expect(own.getByText('Use letters, numbers and single dashes')).toBeVisible()
  await address.fill('coach-noor')
  await expect(address).toHaveAccessibleDescription(/coach-noor is available$/)
  await expect(own.getByRole('status').filter({ hasText: /coach-noor is available/ })).toHaveCount(1)
  await accessible(own)
  await own.reload()
  await expect(own.getByLabel('About')).toHaveValue('Quick hands, quiet feet.')
  await expect(own.getByLabel('Catching')).toBeChecked()
  await own.getByRole('button', { name: 'Save profile' }).click()
  await expect(own.getByText('Profile saved').first()).toBeVisible()
  await expect(own.getByLabel('About')).toHaveValue('Quick hands, quiet feet.')
  await expect.poll(() => own.evaluate(() => Object.keys(sessionStorage).filter(key => key.startsWith('profile:')))).toEqual([])

  await page.goto('/i/coach-noor')
  await expect(page.getByRole('heading', { level: 1, name: 'Noor Haddad' })).toBeVisible()
  await expect(page.getByText('Quick hands, quiet feet.')).toBeVisible()
  await accessible()
  await page.goto('/instructor/profile/coach-noor')
  await expect(page).toHaveURL('/i/coach-noor')
})

test('a photo is cropped by keyboard and removed; an unreadable file is reported', { tag: '@sweep' }, async ({ as, accessible }) => {
  const own = await as('instructor', { firstName: 'Ola' })
  await own.goto('/instructor/profile-editor')
  await own.getByLabel('Photo', { exact: true }).setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: await photo() })
  const dialog = own.getByRole('dialog', { name: 'Crop your photo' })
  await expect(dialog).toBeVisible()
  const middle = () =>
    dialog.locator('canvas').evaluate((c: HTMLCanvasElement) => [...c.getContext('2d')!.getImageData(c.width / 2, c.height / 2, 1, 1).data])
  await expect.poll(middle).toEqual([20, 83, 45, 255])
  await dialog.getByLabel('Zoom').fill('2')
  const position = dialog.getByRole('slider', { name: /Position/ })
  await position.focus()
  await own.keyboard.press('ArrowRight')
  await expect(position).toHaveAttribute('aria-valuetext', '8 right, 0 down')
  await accessible(own)
  await dialog.getByRole('button', { name: 'Use this photo' }).click()
  await expect(dialog).toBeHidden()
  await expect(own.getByRole('img', { name: 'Ola García' }).first()).toHaveAttribute('src', /^\/uploads\/profile\/[0-9a-f]{32}\.webp$/)
  await own.getByRole('button', { name: 'Remove' }).click()
  await expect(own.getByRole('img', { name: 'Ola García' }).first()).toHaveAttribute('src', '/img/default-profile.jpeg')

  await own.getByLabel('Photo', { exact: true }).setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
  await expect(own.getByText('We cannot read this photo.').first()).toBeVisible()
})

test('an invite link can be copied, works, and stops working once renewed', { tag: '@sweep' }, async ({ as, page, problems }) => {
  problems.expect(/404/)
  const own = await as('instructor', { firstName: 'Vera', lastName: 'Lind' })
  await own.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await own.goto('/instructor/profile-editor')
  const link = own.getByText('/invite/')
  const old = (await link.textContent())!
  await own.getByRole('button', { name: 'Copy link' }).click()
  await expect(own.getByText('Link copied').first()).toBeVisible()
  expect(await own.evaluate(() => navigator.clipboard.readText())).toBe(old)

  await page.goto(new URL(old).pathname)
  await expect(page.getByRole('heading', { level: 1, name: /Vera Lind wants you on/ })).toBeVisible()

  await own.getByRole('button', { name: 'Get a new invite code' }).click()
  await own.getByRole('dialog').getByRole('button', { name: 'Get a new code' }).click()
  await expect(link).not.toHaveText(old)
  await page.reload()
  await expect(page.getByText('this invitation is no longer valid')).toBeVisible()
  await expect(page.getByText('you are connected right away')).toBeHidden()
  await expect(page.getByText('ask them for a new link')).toBeVisible()
})

test('a player finds an instructor by name, sport and skill, and follows and connects', async ({ as, member, accessible }) => {
  await member('instructor', { firstName: 'Zoë', lastName: 'Quill', type: ['softball'], skills: ['catching'] })
  await member('instructor', { firstName: 'Abe', lastName: 'Quill', type: ['baseball'], skills: ['pitching'] })
  const page = await as('player', {})
  await page.goto('/player/connect-instructor')
  await page.getByLabel('Name').fill('quill')
  await expect(page.getByRole('link', { name: /Quill/ })).toHaveCount(2)
  await page.getByLabel('Sport').selectOption('softball')
  await expect(page.getByRole('link', { name: /Quill/ })).toHaveCount(1)
  await page.getByLabel('Skill').selectOption('pitching')
  await expect(page.getByRole('heading', { name: 'No instructors found' })).toBeVisible()
  await page.getByRole('button', { name: 'Show everyone' }).click()
  await page.getByLabel('Name').fill('zoe quill')
  await page.getByRole('button', { name: 'Follow Zoë Quill' }).click()
  await expect(page.getByRole('button', { name: 'Unfollow Zoë Quill' })).toBeVisible()
  await page.getByRole('link', { name: 'Zoë Quill' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Zoë Quill' })).toBeVisible()
  await page.getByRole('button', { name: 'Connect with Zoë Quill' }).click()
  await expect(page.getByText('You are connected.')).toBeVisible()
  await accessible(page)
})

test('an invite code or link finds its instructor; an unknown one is reported', { tag: '@sweep' }, async ({
  as,
  member,
  problems,
  accessible,
}) => {
  problems.expect(/404/)
  const { api } = await member('instructor', { firstName: 'Una', lastName: 'Voss' })
  const { code, url } = await (await api.get('/api/invite')).json()
  const page = await as('player', {})
  await page.goto('/player/connect-instructor')
  const search = page.getByLabel('Name or invite code')
  for (const typed of [` ${code.toLowerCase()} `, url]) {
    await search.fill(typed)
    await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Una Voss'])
  }
  await search.fill('22222222')
  await expect(page.getByRole('heading', { name: 'No instructor has this code' })).toBeVisible()
  await accessible(page)
  await page.getByRole('button', { name: 'Show everyone' }).click()
  await search.fill(code)
  await page.getByRole('button', { name: 'Connect with Una Voss' }).click()
  await expect(page.getByText('Connected', { exact: true })).toBeVisible()
})

test('a visitor who pressed Connect is shown that instructor after registering', async ({ page, member }) => {
  const { user } = await member('instructor', { firstName: 'Ida', lastName: 'Moss' })
  await page.goto(`/i/${user.profileSlug}`)
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.waitForURL('/auth?role=player')
  for (const [label, value] of [
    ['First name', 'New'],
    ['Last name', 'Player'],
    ['Email', `wanted.${Date.now()}@example.com`],
    ['Phone', '555 010 2233'],
    ['Date of birth', '1999-05-05'],
  ]) {
    await page.getByLabel(label!, { exact: true }).fill(value!)
  }
  await page.getByLabel('Password', { exact: true }).fill('a long password')
  await page.getByRole('button', { name: 'Create player account' }).click()
  await page.waitForURL('/player/connect-instructor')
  await expect(page.getByText('You wanted to connect')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Ida Moss' }).first()).toBeVisible()
})

test('a visitor who pressed Connect is shown that instructor after logging in', { tag: '@sweep' }, async ({ page, member }) => {
  const { user } = await member('instructor', { firstName: 'Ivo', lastName: 'Moss' })
  const player = await member('player', {})
  await page.goto(`/i/${user.profileSlug}`)
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.waitForURL('/auth?role=player')
  await findTab(page, 'Login').click()
  await fillLogin(page, player.user.email)
  await buttonNamed(page, 'Log in').click()
  await page.waitForURL('/player/dashboard')
  await expect(page.getByText('You wanted to connect')).toBeVisible()
  await page.getByRole('button', { name: 'Connect with Ivo Moss' }).click()
  await expect(page.getByRole('button', { name: 'Disconnect from Ivo Moss' })).toBeVisible()
})

test('a visitor who pressed Connect learns that the instructor is not open to them', { tag: '@sweep' }, async ({
  page,
  as,
  member,
  problems,
}) => {
  problems.expect(/404/)
  const { user } = await member('instructor', { firstName: 'Abe', lastName: 'Moss' })
  const player = await member('player', {})
  await page.goto(`/i/${user.profileSlug}`)
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.waitForURL('/auth?role=player')
  await callApi(await as('admin'), 'POST', `/api/admin/instructors/${user.id}/suspend`, { reason: 'A parent wrote to us.' })
  await findTab(page, 'Login').click()
  await fillLogin(page, player.user.email)
  await buttonNamed(page, 'Log in').click()
  await page.waitForURL('/player/dashboard')
  await expect(page.getByText('The instructor you wanted to connect with is not open to you right now.')).toBeVisible()
})

test("an instructor's dashboard mentions an incomplete profile first", { tag: '@sweep' }, async ({ as, app, accessible }) => {
  const own = await as('instructor', { firstName: 'Legacy', lastName: 'Import' })
  const card = own.getByRole('heading', { name: 'Players cannot find you yet' })
  await own.goto('/instructor/dashboard')
  await expect(own.getByRole('heading', { name: 'Invite your players' })).toBeVisible()
  await expect(card).toBeHidden()

  // Imported accounts may lack skills and a slug.
  const { id } = await (await own.request.get('/api/user')).json()
  const sql = postgres(app.config.databaseUrl)
  await sql`update instructors set skills = '{}', slug = null where id = ${id}`
  await sql.end()
  await own.reload()
  await expect(own.getByRole('main').getByRole('heading', { level: 2 }).first()).toHaveText('Players cannot find you yet')
  await expect(own.getByText("Still missing from your profile: your skills, your profile's web address.")).toBeVisible()
  await accessible(own)
  await own.getByRole('link', { name: 'Finish your profile' }).click()
  await expect(own).toHaveURL('/fix-instructor-profile')
  await own.getByLabel('Catching').check()
  await own.getByLabel('Profile web address').fill('legacy-import-no-more')
  await own.getByRole('button', { name: 'Save' }).click()
  await expect(own).toHaveURL('/instructor/dashboard')
  await expect(own.getByRole('heading', { name: 'Invite your players' })).toBeVisible()
  await expect(card).toBeHidden()
})
