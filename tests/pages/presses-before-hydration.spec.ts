import type { Page } from '@playwright/test'
import { expect, type SignedInTestUser, test } from '../support/signed-in-fixtures.ts'

// The page stores presses on an island that is not hydrated yet, and replays them once it is hydrated.

/** Records each click and submit in an island that bubbles up to the window, and so reaches the island's own listeners, too. */
async function recordPresses(page: Page) {
  await page.addInitScript(() => {
    const came: string[] = []
    Object.assign(window, { came })
    for (const type of ['click', 'submit'])
      addEventListener(type, ({ target }) => target instanceof Element && target.closest('astro-island') && came.push(type))
  })
  return () => page.evaluate(() => (window as unknown as { came: string[] }).came)
}

/** Opens a page whose islands do not hydrate until the returned function is called. */
async function openUnhydrated(page: Page, path: string) {
  let arrive = () => {}
  const arrived = new Promise<void>(resolve => {
    arrive = resolve
  })
  const html = await (await page.request.get(path)).text()
  const islands = [...html.matchAll(/component-url="([^"]+)"/g)].map(([, url]) => url)
  await page.route(
    url => islands.includes(url.pathname),
    async route => {
      await arrived
      await route.continue().catch(() => {})
    },
  )
  await page.goto(path, { waitUntil: 'domcontentloaded' })
  return arrive
}
const BUTTONS = 'astro-island :is(button, [role=tab], summary):visible:enabled'

test('every button on public pages works if pressed before hydration', { tag: '@sweep' }, async ({ person, member }) => {
  const { user } = await member('instructor', { firstName: 'Early' })
  const player = await member('player')
  const visits: [string, SignedInTestUser?][] = [
    ['/'],
    ['/auth'],
    ['/forgot-email'],
    ['/video-format-test'],
    ['/admin/login'],
    [`/i/${user.profileSlug}`],
    [`/i/${user.profileSlug}`, player],
  ]
  let pressed = 0
  for (const [path, who] of visits) {
    const page = await person(who && { storageState: who.state })
    const came = await recordPresses(page)
    await page.goto(path)
    const names = await page.locator(BUTTONS).evaluateAll(all => all.map(e => e.getAttribute('aria-label') ?? e.textContent))
    for (const [i, label] of names.entries()) {
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      const arrive = await openUnhydrated(page, path)
      const button = page.locator(BUTTONS).nth(i)
      const name = `${path} ${who?.user.role ?? 'visitor'}: ${label}`
      const act = (await button.getAttribute('type')) === 'submit' ? 'submit' : 'click'
      const at = page.url()
      await button.click({ noWaitAfter: true })
      expect(await came(), name).not.toContain(act)
      arrive()
      // The press may have led to another page.
      await expect.poll(() => (page.url() === at ? came().catch(() => []) : [act]), name).toContain(act)
      pressed++
    }
    await page.close()
  }
  expect(pressed).toBeGreaterThan(visits.length)
})

test('a signed-in player can press Connect and Follow before hydration', { tag: '@sweep' }, async ({ as, member }) => {
  const { user } = await member('instructor', { firstName: 'Sooner' })
  const mine = async (page: Page) => (await (await page.request.get('/api/my/instructors')).json()).instructors
  for (const press of ['click', 'Enter'] as const) {
    const page = await as('player', { firstName: press })
    for (const [button, done, kept] of [
      ['Connect', 'Connected with Sooner García', { connected: true, followed: false }],
      ['Follow', 'You follow Sooner García', { connected: true, followed: true }],
    ] as const) {
      await page.unrouteAll()
      const arrive = await openUnhydrated(page, `/i/${user.profileSlug}`)
      const its = page.getByRole('button', { name: button })
      if (press === 'click') await its.click()
      else await its.press('Enter')
      arrive()
      await expect(page.getByText(done, { exact: true })).toBeVisible()
      await expect.poll(() => mine(page)).toMatchObject([{ id: user.id, ...kept }])
    }
    // A second press before the state has loaded does not undo the follow.
    await page.unrouteAll()
    const arrive = await openUnhydrated(page, `/i/${user.profileSlug}`)
    await page.getByRole('button', { name: 'Follow' }).click()
    arrive()
    await expect(page.getByText('You follow Sooner García', { exact: true })).toBeVisible()
    expect(await mine(page)).toMatchObject([{ followed: true }])
  }
})

test('an instructor who presses Follow or Connect reads that these are for players', { tag: '@sweep' }, async ({ as, person, member }) => {
  const { user, state } = await member('instructor', { firstName: 'Sooner' })
  const other = await as('instructor')
  for (const button of ['Follow', 'Connect']) {
    await other.goto(`/i/${user.profileSlug}`)
    await other.getByRole('button', { name: button }).click()
    await expect(other.getByText('Players connect with and follow instructors. You are here as an instructor.')).toBeVisible()
  }
  await expect(other).toHaveURL(`/i/${user.profileSlug}`)
  const own = await person({ storageState: state })
  await own.goto(`/i/${user.profileSlug}`)
  await own.getByRole('button', { name: 'Follow' }).click()
  await expect(own.getByText('This is your own page, as players see it.')).toBeVisible()
})
