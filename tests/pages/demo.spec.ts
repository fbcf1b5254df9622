import { expect, type Page } from '@playwright/test'
import { demoAccounts } from '../../src/demo/demo-accounts-and-safety-checks.ts'
import { startApp as start } from '../support/app-process.ts'
import { test } from '../support/playwright-base-fixtures.ts'

// These tests check what a person sees after starting the demo and signing in with the accounts that it prints.

let demo: Awaited<ReturnType<typeof start>>
test.beforeAll(async () => {
  // The server that tests share has no demo data, so start one with demo data.
  demo = await start({ env: { DEMO: 'on' } })
})
test.afterAll(() => demo?.stop())

async function signIn(page: Page, email: string) {
  const { password } = demoAccounts.find(a => a.email === email)!
  await page.goto(`${demo.url}/auth`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
}

/** Follows this screen's internal links, one per group of links that differ only by an id. Expects each to open its URL, then goes back. */
async function follow(page: Page) {
  const from = page.url()
  const title = await page.title()
  const links = await page
    .getByRole('main')
    .or(page.getByRole('banner'))
    .getByRole('link')
    .evaluateAll(all => [...new Set(all.map(a => (a as HTMLAnchorElement).href))])
  const ours = links.filter(href => href.startsWith(demo.url) && href !== from && new URL(href).pathname !== '/')
  const kinds = new Map(ours.map(href => [href.replace(/[\da-f]{8}-[\da-f-]{27}/g, 'id'), href]))
  expect(kinds.size).toBeGreaterThan(1)
  for (const href of kinds.values()) {
    await page
      .locator(`a[href="${href.slice(demo.url.length)}"]:visible`)
      .first()
      .click()
    await expect(page).toHaveURL(href)
    await expect(page.getByRole('heading', { level: 1, name: /^(?!Loading)/ })).toBeVisible()
    expect(await page.evaluate(() => location.href)).toBe(href)
    await page.goBack()
    await expect(page).toHaveURL(from)
    await expect(page).toHaveTitle(title)
    await expect(page.getByRole('heading', { level: 1, name: /^(?!Loading)/ })).toBeVisible()
  }
}

test('the demo player has feedback to read and pay for, and a folder in review', { tag: '@sweep' }, async ({ page }) => {
  await signIn(page, 'player@demo.example')
  await expect(page.getByText('Ray Castellano sent feedback on Three weeks on the deep tee').first()).toBeVisible()
  await expect(page.getByText('Bullpen, pitch 40').first()).toBeVisible()
  await follow(page)
  // follow() may have opened this folder, which marks its feedback as read. The action item then shows the price instead of “sent feedback
  // on”, so find the link by the folder's name.
  const needed = page.getByRole('region', { name: 'Needs your attention' })
  await needed.getByRole('link', { name: /Three weeks on the deep tee/ }).click()
  await expect(page.getByRole('heading', { name: 'Ray Castellano sums it up' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Pay \$/ })).toBeVisible()
  await page.goto(`${demo.url}/player/dashboard`)
  await page
    .getByRole('region', { name: 'Folders', exact: true })
    .getByRole('link', { name: /Rolling over to short/ })
    .click()
  await expect(page.getByRole('heading', { name: /^Paid \$/ })).toBeVisible()
})

test('the demo instructor has a folder waiting, and earnings', { tag: '@sweep' }, async ({ page }) => {
  await signIn(page, demoAccounts.find(a => a.role === 'instructor')!.email)
  await expect(page.getByText('1 folder is waiting for you')).toBeVisible()
  await follow(page)
  await page.getByRole('link', { name: /Review: Bullpen, pitch 40/ }).click()
  await expect(page.getByRole('button', { name: 'Decline' })).toBeVisible()
  await page.goto(`${demo.url}/instructor/payments`)
  await expect(page.getByText('Payouts are on')).toBeVisible()
  await expect(page.getByText('Paid out').first()).toBeVisible()
})

test('every demo screen arrives with its data preloaded', { tag: '@sweep' }, async ({ page }) => {
  const comes = async (path: string, text: string) => {
    const reply = await page.request.get(demo.url + path)
    expect(reply.headers()['cache-control'], path).toBe('private, no-store')
    expect(await reply.text()).toContain(text)
  }
  const origin = { headers: { origin: demo.url } }
  await signIn(page, 'player@demo.example')
  await page.context().addCookies([{ name: 'zone', value: 'America/Chicago', url: demo.url }])
  const { folders } = await (await page.request.get(`${demo.url}/api/folders`)).json()
  expect(folders.length).toBeGreaterThan(2)
  await comes('/player/dashboard', folders[0].name)
  for (const { id, name } of folders) await comes(`/player/folder/${id}`, name)

  await page.request.post(`${demo.url}/api/logout`, origin)
  await signIn(page, demoAccounts.find(a => a.role === 'instructor')!.email)
  const queue = await (await page.request.get(`${demo.url}/api/queue`)).json()
  await comes('/instructor/dashboard', queue.folders[0].name)
  for (const { id, name, assignment } of queue.folders) await comes(`/instructor/folder/${id}?session=${assignment}`, name)
})

test('every other demo instructor can log in and sees the dashboard', { tag: '@sweep' }, async ({ page }) => {
  for (const { email } of demoAccounts.filter(a => a.role === 'instructor').slice(1)) {
    await page.context().clearCookies()
    await signIn(page, email)
    await expect(page.getByRole('region', { name: 'Invite your players' })).toBeVisible()
  }
})

test('the demo administrator has a log, instructors to vet and a support request', { tag: '@sweep' }, async ({ page }) => {
  await signIn(page, 'admin@demo.example')
  await expect(page.getByRole('link', { name: '1 open request' })).toBeVisible()
  await expect(page.getByText(/assigned the folder/).first()).toBeVisible()
  // There are three approved instructors and a pending one.
  await page.goto(`${demo.url}/admin/instructors`)
  await expect(page.getByRole('article', { name: 'Lena Ortiz' }).getByText('Pending')).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(1)
  await page.getByRole('tab', { name: /^Approved/ }).click()
  await expect(page.getByRole('article')).toHaveCount(3)
  await page.goto(`${demo.url}/admin/support-management`)
  await expect(page.getByText('Can I see two of my swings side by side')).toBeVisible()
})
