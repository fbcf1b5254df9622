import { expect, type Locator } from '@playwright/test'

/**
 * Chooses an instructor in the assignment dialog. All tests of one Playwright worker share a server, so the list of instructors is long and
 * this one may be on a later page.
 */
export async function chooseInstructorInDialog(dialog: Locator, name: string) {
  const radio = dialog.getByRole('radio', { name: new RegExp(`^${name}(?![\\w-])`) })
  const showMore = dialog.getByRole('button', { name: 'Show more instructors' })
  await expect(radio.or(showMore).first()).toBeVisible()
  while (!(await radio.isVisible())) {
    const listed = await dialog.getByRole('radio').count()
    await expect(showMore, `${name} is on no page of the list`).toBeVisible()
    await showMore.click()
    await expect.poll(() => dialog.getByRole('radio').count()).toBeGreaterThan(listed)
  }
  await radio.check()
}
