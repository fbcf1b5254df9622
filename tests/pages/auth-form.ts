import type { Page } from '@playwright/test'
import { expect, type newPersonInput, pauseClock, TEST_PASSWORD } from '../support/signed-in-fixtures.ts'

export const findTab = (page: Page, name: string) => page.getByRole('tab', { name })
export const findOpenToast = (page: Page) => page.locator('li[data-state=open]')
export const buttonNamed = (page: Page, name: string) => page.getByRole('button', { name })
export async function fillFields(page: Page, values: Record<string, string>) {
  for (const [label, value] of Object.entries(values)) await page.getByLabel(label, { exact: true }).fill(value)
}
export const fillLogin = (page: Page, username: string, password = TEST_PASSWORD) =>
  fillFields(page, { Email: username, Password: password })
export const fillRegistration = (page: Page, person: ReturnType<typeof newPersonInput>) =>
  fillFields(page, {
    'First name': person.firstName,
    'Last name': person.lastName,
    Email: person.email,
    Phone: person.phone,
    'Date of birth': person.dateOfBirth,
    Password: person.password,
  })
/**
 * Submits the form with the clock paused. Expects that the toast contains these texts, and that the page redirects exactly 500 ms after the
 * response.
 */
export async function submitAndExpectRedirect(page: Page, submit: string, texts: string[], to: string) {
  const path = /\/api\/(login|register)/
  let release = () => {}
  const released = new Promise<void>(done => {
    release = done
  })
  let isRequested = false
  await page.route(path, async route => {
    isRequested = true
    await released
    await route.fallback()
  })
  await pauseClock(page)
  const from = page.url()
  await buttonNamed(page, submit).click()
  // The form is validated after the next frame, which may take a while to come; the 500 ms begin with the response.
  while (!isRequested) await page.clock.runFor(50)
  release()
  for (const text of texts) await expect(findOpenToast(page)).toContainText(text)
  await page.clock.runFor(499)
  expect(page.url()).toBe(from)
  await page.clock.runFor(1)
  await expect(page).toHaveURL(to)
}
export const failRequests = async (page: Page, path: string, reply: { status: number; json: object } | 'no connection') => {
  await page.unrouteAll()
  await page.route(path, route => (reply === 'no connection' ? route.abort() : route.fulfill(reply)))
}
