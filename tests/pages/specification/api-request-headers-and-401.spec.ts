import type { Request } from '@playwright/test'
import sharp from 'sharp'
import { expect, test } from '../../support/signed-in-fixtures.ts'

// The format of individual requests is tested without a browser in tests/client/send-api-request.test.ts.

// @spec:7.1
test('every request sends credentials and accepts JSON', async ({ as }) => {
  const page = await as('instructor', { firstName: 'Wilma' })
  // Record the `credentials` option of each fetch: to our own origin, requests with `include` and with `same-origin` look the same.
  await page.addInitScript(() => {
    const { fetch } = window
    const credentials: unknown[] = []
    Object.assign(window, {
      credentials,
      fetch: (input: string, init: RequestInit) => {
        credentials.push(init.credentials)
        return fetch(input, init)
      },
    })
  })
  const made: Request[] = []
  page.on('request', r => new URL(r.url()).pathname.startsWith('/api/') && made.push(r))
  await page.goto('/instructor/profile-editor')
  const buffer = await sharp({ create: { width: 600, height: 600, channels: 3, background: '#345' } })
    .png()
    .toBuffer()
  await page.getByLabel('Photo', { exact: true }).setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer })
  await page.getByRole('button', { name: 'Use this photo' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.getByRole('textbox', { name: /^About/ }).fill('I look at hands first.')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.locator('li[data-state=open]')).toBeVisible()

  for (const request of made) {
    const headers = await request.allHeaders()
    expect([request.url(), headers.cookie, headers.accept]).toEqual([
      request.url(),
      expect.stringMatching(/session=[\w-]{43}/),
      'application/json',
    ])
  }
  const sent = (method: string, path: string) => made.find(r => r.method() === method && r.url().endsWith(path))!
  expect(sent('GET', '/api/profile').postData()).toBeNull()
  expect(sent('GET', '/api/profile').headers()['content-type']).toBeUndefined()
  const saved = sent('PUT', '/api/profile')
  expect([saved.headers()['content-type'], saved.postDataJSON().about]).toEqual(['application/json', 'I look at hands first.'])
  expect(sent('PUT', '/api/user/picture').headers()['content-type']).toMatch(/^image\//)
  const credentials = await page.evaluate(() => (window as unknown as { credentials: unknown[] }).credentials)
  expect([...new Set(credentials), credentials.length]).toEqual(['include', made.length])
})

// @spec:4.3 @spec:7.25 @spec:7.26
test("a 401 makes a page's request fail; for the session request it clears the flag", { tag: '@sweep' }, async ({ as }) => {
  const page = await as('player', {})
  await page.route('**/api/rewards', async route => {
    await page.context().clearCookies()
    await route.continue({ headers: { ...route.request().headers(), cookie: '' } })
  })
  const refused = page.waitForResponse('**/api/rewards')
  await page.goto('/player/rewards')
  const { message } = await (await refused).json()
  expect((await refused).status()).toBe(401)
  await expect(page.getByText('Your rewards did not load')).toBeAttached()
  await expect(page.getByText(message, { exact: true })).toBeAttached()

  const nobody = page.waitForResponse('**/api/user')
  await page.goto('/faq')
  expect((await nobody).status()).toBe(401)
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('isLoggedIn'))).toBeNull()
  await expect(page.getByRole('heading', { name: 'Frequently Asked Questions', exact: true })).toBeVisible()
})
