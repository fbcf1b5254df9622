import { expect, type Page } from '@playwright/test'
import type { AppProcess } from '../support/app-process.ts'
import { guardianTokenIn } from '../support/guardian-token-in-letter.ts'
import { callApi } from './api-setup.ts'

/** Waits until a guardian's newest letter has a link to the page about consent. @returns the link's path */
export async function waitForEmailedGuardianPath(app: AppProcess, email: string) {
  const token = async () => guardianTokenIn((await app.letters(email))[0])
  await expect.poll(token).toBeTruthy()
  return `/guardian/${await token()}`
}

/** Consents as the guardian with this email address, who is then signed in on `page`. `more` is added to the request's body. */
export async function giveConsentByApi(page: Page, app: AppProcess, email: string, more = {}) {
  await callApi(page, 'POST', `/api${await waitForEmailedGuardianPath(app, email)}`, { answer: 'yes', ...more })
}
