import { randomUUID } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { expect, installClock, pauseClock, test } from '../../support/signed-in-fixtures.ts'
import { callApi } from '../api-setup.ts'

const toast = (page: Page) => page.locator('li[data-state=open]')
const panel = (page: Page) => page.getByRole('dialog', { name: 'Support Chat' })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const options = ['Request a Feature', 'Report an Issue', 'Ask a Question']
const greeting = (page: Page) => panel(page).getByText(/Hi Ana/)
const descriptionStep = (page: Page) => panel(page).getByText('Please describe your request in detail:')

/** Opens the chat, and then pauses the page's clock. */
async function openChat(page: Page) {
  await installClock(page)
  await page.goto('/faq')
  await button(page, 'Support Chat').click()
  await expect(greeting(page)).toBeVisible()
  await pauseClock(page)
}
async function submitRequest(page: Page, content: string) {
  await button(page, 'Report an Issue').click()
  await panel(page).getByLabel('Your request').fill(content)
  await button(page, 'Next').click()
  await expect(panel(page).getByText('Any suggestions on how we might address this?')).toBeVisible()
}

test('the chat button hides no link, and a toast hides no dialog button', { tag: '@sweep' }, async ({ as, member }) => {
  await member('instructor')
  const page = await as('player', {})
  const expectNoOverlap = async (a: Locator, b: Locator) => {
    const [one, other] = [(await a.boundingBox())!, (await b.boundingBox())!]
    const apart = (from: 'x' | 'y', size: 'width' | 'height') =>
      one[from] + one[size] <= other[from] || other[from] + other[size] <= one[from]
    return apart('x', 'width') || apart('y', 'height')
  }
  // A dialog takes a moment to reach its position.
  const apart = (a: Locator, b: Locator) => expect.poll(() => expectNoOverlap(a, b)).toBe(true)
  await page.goto('/player/connect-instructor')
  const follow = page.getByRole('button', { name: /^(Unf|F)ollow / })
  await follow.first().waitFor()
  const links = page.getByRole('contentinfo').getByRole('link')
  for (const width of [390, 768, 1024, 1280, 1440]) {
    await page.setViewportSize({ width, height: 700 })
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    for (const link of await links.all()) await apart(button(page, 'Support Chat'), link)
  }
  const folder = randomUUID()
  await callApi(page, 'POST', '/api/folders', { id: folder, name: 'Bunts' })
  await callApi(page, 'POST', `/api/folders/${folder}/archive`)
  for (const width of [390, 768, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    await page.goto('/player/dashboard')
    await page.getByText('Archived (1)').click()
    await page.getByRole('button', { name: 'Restore Bunts' }).click()
    await toast(page).waitFor()
    await page.getByRole('button', { name: 'New folder' }).first().click()
    for (const name of ['Create folder', 'Close']) await apart(toast(page), page.getByRole('dialog').getByRole('button', { name }))
    await callApi(page, 'POST', `/api/folders/${folder}/archive`)
  }
})

test('on a phone a toast does not hide the chat button', { tag: '@sweep' }, async ({ as }) => {
  const page = await as('player', {})
  await page.setViewportSize({ width: 390, height: 700 })
  await openChat(page)
  await button(page, 'Ask a Question').click()
  await button(page, 'Next').click()
  await expect(toast(page)).toContainText('Input too short')
  const [chat, said] = [(await button(page, 'Support Chat').boundingBox())!, (await toast(page).boundingBox())!]
  expect(chat.y + chat.height).toBeLessThanOrEqual(said.y)
})

// @spec:2.89 @spec:2.90 @spec:2.91 @spec:2.92 @spec:2.93 @spec:2.94 @spec:4.21 @spec:5.16 @spec:7.19 @spec:8.23 @spec:9.10 @spec:9.16
// @spec:9.24
test('the chat is 350 × 450, sends a request, and resets after 5 s', async ({ as }) => {
  const page = await as('player', {})
  await openChat(page)
  const { width, height } = (await panel(page).boundingBox())!
  expect([width, height]).toEqual([350, 450])
  await expect(panel(page).getByRole('heading', { name: 'Support Chat' })).toBeVisible()
  for (const option of options) await expect(button(page, option)).toBeVisible()

  await button(page, 'Report an Issue').click()
  await expect(descriptionStep(page)).toBeVisible()
  await panel(page).getByLabel('Your request').fill('too short')
  await button(page, 'Next').click()
  await expect(toast(page)).toContainText('Input too short')
  await expect(toast(page)).toContainText('Please provide at least 10 characters')
  await expect(panel(page).getByLabel('Your request')).toHaveAccessibleDescription('Please provide at least 10 characters')
  // If the same error occurs again, the focus returns to the field.
  await expect(panel(page).getByLabel('Your request')).toBeFocused()
  await button(page, 'Next').click()
  await expect(panel(page).getByLabel('Your request')).toBeFocused()
  await panel(page).getByLabel('Your request').fill('The video stops at contact.')
  await button(page, 'Next').click()
  await expect(panel(page).getByText('Any suggestions on how we might address this?')).toBeVisible()

  // The suggestion is optional; if given, it needs at least 10 characters, like the request.
  await toast(page).getByRole('button', { name: 'Dismiss' }).click()
  const requests: string[] = []
  page.on('request', r => r.method() === 'POST' && requests.push(r.url()))
  for (const short of ['a', 'nine char']) {
    await panel(page)
      .getByLabel(/Your suggestion/)
      .fill(short)
    await button(page, 'Submit').click()
    await expect(toast(page)).toContainText('Input too short')
    await expect(toast(page)).toContainText('Please provide at least 10 characters')
    await toast(page).getByRole('button', { name: 'Dismiss' }).click()
  }
  await expect(panel(page).getByLabel(/Your suggestion/)).toHaveAccessibleDescription('Please provide at least 10 characters')
  expect(requests).toEqual([])
  await panel(page)
    .getByLabel(/Your suggestion/)
    .fill('')

  const posted = page.waitForRequest(r => r.method() === 'POST' && r.url().endsWith('/api/support/request'))
  const refreshed = page.waitForResponse(r => r.url().endsWith('/api/support/my-requests') && r.request().method() === 'GET')
  await button(page, 'Submit').click()
  expect((await posted).postDataJSON()).toEqual({
    requestType: 'issue',
    content: 'The video stops at contact.',
    deviceInfo: await page.evaluate(() => navigator.userAgent),
    priority: 'medium',
  })
  await expect(panel(page).getByText("Thanks for your feedback! We'll review your request and get back to you soon.")).toBeVisible()
  await expect(toast(page)).toContainText('Support request submitted')
  await expect(toast(page)).toContainText("We'll get back to you as soon as possible.")
  expect(await (await refreshed).json()).toMatchObject([{ content: 'The video stops at contact.', priority: 'medium' }])
  await page.clock.runFor(4999)
  await expect(descriptionStep(page)).toBeVisible()
  await page.clock.runFor(1)
  await expect(descriptionStep(page)).toHaveCount(0)
  for (const option of options) await expect(button(page, option)).toBeVisible()
})

// @spec:2.95 @spec:9.17
test('a suggested solution is sent along; a closed chat resets after 300 ms', async ({ as }) => {
  const page = await as('player')
  await openChat(page)
  await submitRequest(page, 'Let me draw on my own video.')
  await panel(page)
    .getByLabel(/Your suggestion/)
    .fill('A pen of my own')
  const posted = page.waitForRequest('**/api/support/request')
  await button(page, 'Submit').click()
  expect((await posted).postDataJSON()).toMatchObject({ requestType: 'issue', suggestedSolution: 'A pen of my own' })
  await toast(page).getByRole('button', { name: 'Dismiss' }).click()
  await page.clock.runFor(5000)

  await button(page, 'Ask a Question').click()
  await expect(descriptionStep(page)).toBeVisible()
  await button(page, 'Close').click()
  await page.clock.runFor(299)
  await button(page, 'Support Chat').click()
  await expect(descriptionStep(page)).toBeVisible()
  await button(page, 'Close').click()
  await page.clock.runFor(300)
  await button(page, 'Support Chat').click()
  await expect(greeting(page)).toBeVisible()
  await expect(descriptionStep(page)).toHaveCount(0)
})

// @spec:8.6
test('a failed support request shows a red toast with the reason', async ({ as, problems }) => {
  problems.expect(/ERR_FAILED|500/)
  const page = await as('instructor')
  await page.goto('/faq')
  await button(page, 'Support Chat').click()
  await submitRequest(page, 'Where do I see my payouts?')
  await page.route('**/api/support/request', route =>
    route.fulfill({ status: 500, json: { message: 'The bullpen phone is off the hook.' } }),
  )
  await button(page, 'Submit').click()
  await expect(toast(page)).toContainText('Failed to submit request')
  await expect(toast(page)).toContainText('The bullpen phone is off the hook.')
  await expect(panel(page).getByLabel(/Your suggestion/)).toHaveAccessibleDescription('The bullpen phone is off the hook.')
  expect(await toast(page).evaluate(li => getComputedStyle(li).backgroundColor)).toBe('rgb(179, 38, 30)')
  await page.unrouteAll()
  await page.route('**/api/support/request', route => route.abort())
  await button(page, 'Submit').click()
  await expect(toast(page)).toContainText('Please try again later.')
})

test('the chat lists earlier requests with their answers, newest first', { tag: '@sweep' }, async ({ as, member, accessible }) => {
  const page = await as('player', { firstName: 'Ana' })
  await callApi(page, 'POST', '/api/support/request', { requestType: 'question', content: 'Can two coaches see one folder?' })
  await callApi(page, 'POST', '/api/support/request', { requestType: 'issue', content: 'The strip stays grey on my tablet.' })
  const { api } = await member('admin')
  const asked = async () => {
    const { requests } = await (await api.get('/api/admin/support')).json()
    return requests.find((r: { content: string }) => r.content.startsWith('Can two coaches'))
  }
  // The administrator's query does not wait until the read model has the player's requests.
  await expect.poll(asked).toBeTruthy()
  const { id } = await asked()
  await api.post(`/api/admin/support/${id}/answer`, { data: { answer: 'Yes: each sees their own session.' } })
  const other = await as('instructor', {})
  await other.goto('/faq')
  await button(other, 'Support Chat').click()
  await expect(button(other, options[0]!)).toBeVisible()
  await expect(panel(other).getByText('Your requests')).toHaveCount(0)

  await page.goto('/faq')
  await button(page, 'Support Chat').click()
  await panel(page).getByText('Your requests (2)').click()
  const all = panel(page).getByRole('listitem')
  await expect(all).toHaveCount(2)
  await expect(all.first()).toContainText('The strip stays grey on my tablet.')
  await expect(all.first()).not.toContainText('Answered')
  await expect(all.last()).toContainText('Yes: each sees their own session.')
  await accessible(page)
})
