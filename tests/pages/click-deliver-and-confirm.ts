import type { Page } from '@playwright/test'

/** Delivers the review in the studio, even if optional parts are missing. */
export async function clickDeliverAndConfirm(page: Page) {
  await page.getByRole('button', { name: 'Deliver', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Deliver feedback' }).click()
}
