import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page, Request } from '@playwright/test'
import sharp from 'sharp'
import { expect, somebody, test } from '../support/members.ts'

const url = '**/api/rewards'
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })
/** What the rewards page says of an answer to the only thing that it asks for. */
async function says(page: Page, words: string, reply: { status: number; body: string; contentType: string }) {
  await page.unroute(url)
  await page.route(url, route => route.fulfill(reply))
  await page.goto('/player/rewards')
  await expect(page.getByText('Your rewards did not load')).toBeVisible()
  await expect(page.getByText(words, { exact: true })).toBeVisible()
}

test('every request sends credentials and asks for JSON; bodies are JSON unless they are raw', async ({ as }) => {
  const page = await as('instructor', { firstName: 'Wilma' })
  // Whether credentials are sent to every origin is only seen where a request is made.
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

test("a developer-testing flag of 'enabled', and no other, adds dev_bypass=true and X-Dev-Testing: true", async ({ page }) => {
  const asked = async (flag: string) => {
    await page.goto('/')
    await page.evaluate(flag => localStorage.setItem('devTesting', flag), flag)
    const list = page.waitForRequest('**/api/instructors*')
    await page.reload()
    const check = page.waitForRequest('**/api/check-email*')
    await page.getByLabel('Your email').fill(somebody().email)
    await page.getByRole('button', { name: 'Start now' }).click()
    return [await list, await check].map(r => [new URL(r.url()).search.replace(/email=[^&]+/, 'email'), r.headers()['x-dev-testing']])
  }
  expect(await asked('true')).toEqual([
    ['', undefined],
    ['?email', undefined],
  ])
  expect(await asked('enabled')).toEqual([
    ['?dev_bypass=true', 'true'],
    ['?email&dev_bypass=true', 'true'],
  ])
})

test('an error says the message field, else the whole JSON, else the text, else the status text', async ({ as }) => {
  const page = await as('player')
  const [json, text] = ['application/json', 'text/plain']
  await says(page, 'No swing today.', { status: 418, contentType: json, body: '{"message":"No swing today.","code":"x"}' })
  await says(page, '{"code":"x"}', { status: 418, contentType: json, body: '{"code":"x"}' })
  await says(page, 'Foul ball', { status: 418, contentType: text, body: 'Foul ball' })
  await says(page, "I'm a teapot", { status: 418, contentType: text, body: '' })
})

test("an error that says nothing at all is 'Unknown error'", async ({ as }) => {
  const silent = createServer((_, response) => response.writeHead(499, '').end())
  await new Promise<void>(done => silent.listen(0, '127.0.0.1', done))
  const page = await as('player')
  await page.route(url, route => route.continue({ url: `http://127.0.0.1:${(silent.address() as AddressInfo).port}/` }))
  await page.goto('/player/rewards')
  await expect(page.getByRole('alert')).toContainText('Unknown error')
  silent.closeAllConnections()
  silent.close()
})

test("another content type is 'Expected JSON response but got {type}'", async ({ as }) => {
  const contentType = 'text/html; charset=utf-8'
  await says(await as('player'), `Expected JSON response but got ${contentType}`, { status: 200, contentType, body: '<p>hello</p>' })
})

test("what cannot be parsed is 'Invalid JSON response from server'", async ({ as }) => {
  await says(await as('player'), 'Invalid JSON response from server', { status: 200, contentType: 'application/json', body: '{"a":' })
})

test('a 401 fails what a page asks for; asked who is signed in, it is nobody, and the stale flag is cleared', async ({ as }) => {
  const page = await as('player', {})
  await page.route(url, async route => {
    await page.context().clearCookies()
    await route.continue({ headers: { ...route.request().headers(), cookie: '' } })
  })
  const refused = page.waitForResponse(url)
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
  await expect(heading(page, 'Frequently Asked Questions')).toBeVisible()
})
