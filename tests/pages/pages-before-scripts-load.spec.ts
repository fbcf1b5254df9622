import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { chromium, type Page } from '@playwright/test'
import postgres from 'postgres'
import { sampleVideos } from '../support/sample-media.ts'
import { expect, newPersonInput, TEST_PASSWORD, test } from '../support/signed-in-fixtures.ts'
import { callApi, createFolderWithVideo } from './api-setup.ts'

/**
 * Simulates a phone on slow 3G with an empty cache: a sixth of the CPU speed, 400 ms latency, 400 kbit/s. Returns a function that ends the
 * simulation.
 */
async function slowDown(page: Page) {
  const cdp = await page.context().newCDPSession(page)
  const network = (latency: number, bytes: number) =>
    cdp.send('Network.emulateNetworkConditions', { offline: false, latency, downloadThroughput: bytes, uploadThroughput: bytes })
  await cdp.send('Network.enable')
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true })
  await network(400, 50_000)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 6 })
  return async () => {
    await network(0, -1)
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  }
}
/**
 * Opens a page as on a slow phone (see `slowDown`). Resolves as soon as the HTML begins to arrive, before scripts, styles and images have
 * loaded, to a function that ends the simulation, so that the rest loads fast.
 */
async function openSlowly(page: Page, path: string) {
  const fast = await slowDown(page)
  await page.goto(path, { waitUntil: 'commit' })
  return fast
}
/**
 * The thread that hashes passwords has the lowest priority, and each of these browsers keeps a CPU core busy, so a login may take half a
 * minute.
 */
const slow = { timeout: 240_000 }

test.describe('on a slow phone and a slow connection', { tag: '@sweep' }, () => {
  test('the landing page accepts an email submitted before its script arrives', async ({ page }) => {
    const fast = await openSlowly(page, '/')
    await page.getByLabel('Your email').fill(newPersonInput().email)
    await page.getByRole('button', { name: 'Start now' }).click()
    await fast()
    await expect(page.getByRole('heading', { name: 'Tell us who you are' })).toBeVisible(slow)
    await page.getByRole('button', { name: "I'm a Player" }).click()
    await page.waitForURL(/\/auth\?role=player&email=/, { waitUntil: 'commit' })
    await expect(page.getByRole('button', { name: 'Create player account' })).toBeVisible(slow)
  })

  test('a tap on Next turns the carousel by one step', async ({ page }) => {
    const fast = await openSlowly(page, '/')
    await page.getByRole('button', { name: 'Next' }).click()
    await fast()
    await expect(page.getByRole('button', { name: /^Step 2/ })).toHaveAttribute('aria-current', 'step', slow)
  })

  test('an FAQ question opens immediately, and the open one closes', async ({ page }) => {
    await openSlowly(page, '/faq')
    const questions = page.locator('main details')
    await questions.nth(2).locator('summary').click()
    await questions.nth(7).locator('summary').click()
    expect(await questions.evaluateAll(all => all.flatMap((d, i) => ((d as HTMLDetailsElement).open ? [i] : [])))).toEqual([7])
  })

  test('a tap on Register opens the registration form', async ({ page }) => {
    const fast = await openSlowly(page, '/auth')
    await page.getByRole('tab', { name: 'Register' }).click()
    await fast()
    await expect(page.getByLabel('First name')).toBeVisible(slow)
  })

  test('a login submitted before the script arrives succeeds', async ({ page, member }) => {
    const { user } = await member('player')
    const fast = await openSlowly(page, '/auth')
    await page.getByLabel('Email', { exact: true }).fill(user.email)
    await page.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
    await page.getByRole('button', { name: 'Log in' }).click()
    await fast()
    await expect(page).toHaveURL('/player/dashboard', slow)
    await expect(page.getByRole('heading', { level: 1, name: /^(?!Loading)/ })).toBeVisible(slow)
  })

  test('a registration submitted before the script arrives succeeds', async ({ page }) => {
    const { firstName, lastName, email, phone } = newPersonInput()
    const fast = await openSlowly(page, `/auth?role=player&email=${encodeURIComponent(email)}`)
    await page.getByLabel('First name').fill(firstName, slow)
    await page.getByLabel('Last name').fill(lastName)
    await page.getByLabel('Phone').fill(phone)
    await page.getByLabel('Date of birth').fill('1990-05-05')
    await page.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
    await page.getByRole('button', { name: 'Create player account' }).click()
    await fast()
    await expect(page).toHaveURL('/player/connect-instructor', slow)
  })

  test('a password reset can be requested before the script arrives', async ({ page }) => {
    const fast = await openSlowly(page, '/forgot-password')
    await page.getByLabel('Email').fill('slow@example.com')
    await page.getByRole('button', { name: 'Send the link' }).click()
    await fast()
    await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible(slow)
  })

  test('an invitation can be accepted before its script arrives', async ({ page, member }) => {
    const { api } = await member('instructor', { firstName: 'Sloan' })
    const { code } = await (await api.get('/api/invite')).json()
    const fast = await openSlowly(page, `/invite/${code}`)
    await page.getByRole('link', { name: 'Create your account' }).click()
    await fast()
    await page.waitForURL(`/auth?invite=${code}`, { waitUntil: 'commit' })
    await expect(page.getByText('You will be connected to your instructor')).toBeVisible(slow)
  })

  test('Connect on a profile leads to registration and remembers the instructor', async ({ page, member }) => {
    const { user } = await member('instructor', { firstName: 'Sylvan' })
    const fast = await openSlowly(page, `/i/${user.profileSlug}`)
    await page.getByRole('button', { name: 'Connect' }).click()
    await fast()
    await page.waitForURL('/auth?role=player', { waitUntil: 'commit', ...slow })
    expect(await page.evaluate(() => sessionStorage.getItem('wanted-instructor'))).toBe(user.id)
  })

  test('Logout and the chat respond to presses made before hydration', async ({ as }) => {
    const page = await as('player', {})
    for (const [path, button] of [
      ['/faq', 'Support Chat'],
      ['/pricing', 'Logout'],
    ] as const) {
      const fast = await openSlowly(page, path)
      await page.getByRole('button', { name: button }).click()
      await fast()
      if (path === '/faq') await expect(page.getByRole('dialog', { name: 'Support Chat' })).toBeVisible(slow)
    }
    await expect(page).toHaveURL('/auth', slow)
    expect(await page.evaluate(() => localStorage.getItem('isLoggedIn'))).toBeNull()
  })
})

test.describe('without scripts', () => {
  const plain = { javaScriptEnabled: false }

  // @spec:2.72
  test('the email step checks the address, saves the lead and leads to the role step', async ({ person, app }) => {
    const page = await person(plain)
    const { email } = newPersonInput()
    await page.goto('/')
    for (const [address, problem] of [
      ['nobody.example.com', 'Please enter a valid email address'],
      ['me@mailinator.com', 'Please use your regular email address'],
    ]) {
      await page.getByLabel('Your email').fill(address!)
      await page.getByRole('button', { name: 'Start now' }).click()
      await expect(page.getByText(problem!)).toBeVisible()
      await expect(page.getByLabel('Your email')).toHaveValue(address!)
    }
    await page.getByLabel('Your email').fill(email)
    await page.getByRole('button', { name: 'Start now' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Tell us who you are' })).toBeVisible()
    const sql = postgres(app.config.databaseUrl)
    const leads = await sql`select email, metadata from leads where email = ${email}`
    await sql.end()
    expect(leads).toMatchObject([{ email, metadata: { source: 'landing-page', isMobile: false, userAgent: expect.any(String) } }])

    await page.getByRole('link', { name: 'Back to email' }).click()
    await expect(page).toHaveURL('/')
    await page.goBack()
    await page.getByRole('button', { name: "I'm an Instructor" }).click()
    const { pathname, searchParams } = new URL(page.url())
    expect([pathname, searchParams.get('role'), searchParams.get('email')]).toEqual(['/auth', 'instructor', email])
  })

  test('a known email leads to the login; a filled-in honeypot field saves nothing', { tag: '@sweep' }, async ({ person, member, app }) => {
    const { user } = await member('player')
    const page = await person({ ...plain, viewport: { width: 390, height: 844 } })
    await page.goto('/')
    await page.getByLabel('Your email').fill(user.email)
    await page.getByRole('button', { name: 'Start now' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Account Found' })).toBeVisible()
    await page.getByRole('button', { name: 'Log in' }).click()
    await expect(page).toHaveURL(`/auth?redirect=login&email=${encodeURIComponent(user.email)}`)

    const form = { email: 'robot@example.com', not_for_humans: 'I read everything' }
    const answer = await page.request.post('/api/landing-page/start', { form, headers: { origin: app.url } })
    expect(await answer.text()).toContain('Tell us who you are')
    const sql = postgres(app.config.databaseUrl)
    expect(await sql`select 1 from leads where email = ${form.email}`).toHaveLength(0)
    await sql.end()
  })

  test('a query parameter is rendered as text, not as markup', { tag: '@sweep' }, async ({ page }) => {
    await page.goto(`/start?step=role&email=${encodeURIComponent('"><script>document.title="x"</script>')}`)
    await expect(page).not.toHaveTitle('x')
    await page.goto('/start')
    await expect(page.getByLabel('Your email')).toHaveValue('')
    await expect(page.getByText('Please enter a valid email address')).toHaveCount(0)
  })
})

test('with third-party cookies blocked, pages work and contact only our host and store', {
  tag: '@sweep',
}, async ({ app, member }) => {
  const { user } = await member('player', { firstName: 'Cora' })
  const browser = await chromium.launch({
    executablePath: test.info().project.use.launchOptions?.executablePath,
    args: ['--no-sandbox', '--test-third-party-cookie-phaseout'],
  })
  // Open the site under a host name other than the object store's, because cookies are shared between ports of one host.
  const ours = app.url.replace('127.0.0.1', 'localhost')
  const page = await browser.newPage({ baseURL: ours })
  const storage = new URL((app.config.s3.publicEndpoint ?? app.config.s3.endpoint)!).origin
  const asked = new Set<string>()
  const cookies: string[] = []
  page.on('request', async request => {
    const { origin, protocol } = new URL(request.url())
    if (protocol !== 'http:' || origin === ours) return
    asked.add(origin)
    const { cookie } = await request.allHeaders().catch(() => ({}) as Record<string, string>)
    if (cookie) cookies.push(cookie)
  })
  for (const path of ['/', '/pricing', '/faq', '/support', '/terms-of-service', '/video-format-test', '/invite/NOBODY22', '/nothing-here'])
    await page.goto(path, { waitUntil: 'networkidle' })
  expect([...asked]).toEqual([])

  await page.goto('/auth')
  await page.getByLabel('Email', { exact: true }).fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page).toHaveURL('/player/dashboard')
  const { folder } = await createFolderWithVideo(page, 'Cookies', await readFile(sampleVideos.mp4))
  await page.goto(`/player/folder/${folder}`)
  await expect
    .poll(() =>
      page
        .locator('video')
        .first()
        .evaluate((v: HTMLVideoElement) => v.readyState),
    )
    .toBeGreaterThan(0)
  expect([...asked]).toEqual([storage])
  expect(cookies).toEqual([])
  expect((await page.context().cookies()).map(c => [c.name, c.sameSite, c.httpOnly]).sort()).toEqual([
    ['device', 'Lax', true],
    ['known', 'Lax', false],
    ['seen', 'Lax', true],
    ['session', 'Lax', true],
    ['zone', 'Lax', false],
  ])
  await browser.close()
})

test('a dialog that fails to load leaves the page intact and can be retried', { tag: '@sweep' }, async ({ as, problems, accessible }) => {
  problems.expect(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/)
  const page = await as('player', { firstName: 'Tunnel' })
  await page.goto('/player/dashboard')
  const open = page.getByRole('button', { name: 'New folder' })
  await expect(open).toBeVisible()
  await page.context().setOffline(true)
  await open.click()
  await expect(page.getByRole('alert')).toContainText('This part of the page did not load')
  await expect(page.getByRole('heading', { name: 'Your folders' })).toBeVisible()
  await accessible(page)
  await page.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await open.click()
  await expect(page.getByRole('alert')).toBeVisible()
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('dialog', { name: 'New folder' })).toBeVisible()
})

test('a command that does not reach the server shows an error', { tag: '@sweep' }, async ({ as, problems }) => {
  problems.expect(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/)
  const page = await as('player', { firstName: 'Valley' })
  const id = randomUUID()
  await callApi(page, 'POST', '/api/folders', { id, name: 'Bunts' })
  const ready = page.waitForResponse(/\/toaster\.[^/]+\.js/)
  await page.goto(`/player/folder/${id}`)
  // Load the toaster module with everything it imports before the connection is lost.
  await page.evaluate(url => import(url), (await ready).url())
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Archive' }).click()
  await expect(page.getByText('That did not work', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Archive' })).toBeEnabled()
})
