import { expect, test } from '../support/playwright-base-fixtures.ts'
import { createStartedReview, waitForSavedDraft, waitForStage } from './studio-setup.ts'

for (const size of [
  { width: 390, height: 844 },
  { width: 375, height: 667 },
])
  test(`at ${size.width} × ${size.height}, compared clips stay large while settings are open`, { tag: '@sweep' }, async ({
    page,
    person,
    accessible,
  }) => {
    const { folder } = await createStartedReview(page, await person())
    await page.setViewportSize(size)
    await page.goto(`/instructor/folder/${folder}`)
    await waitForSavedDraft(page)
    await waitForStage(page)
    await page.getByRole('button', { name: 'Compare', exact: true }).click()
    await page.getByRole('button', { name: 'Overlay nearby frames' }).click()
    await page.getByRole('radio', { name: 'Side by side' }).check({ force: true })
    await page.getByRole('button', { name: 'More', exact: true }).click()
    const first = page.locator('[data-side="0"]')
    const second = page.locator('[data-side="1"]')
    const options = [page.getByLabel('Stretch to equal length'), page.getByRole('button', { name: 'Second clip: mirror' })]
    for (const option of options) {
      // The click reaches the option only if the pictures above do not cover it.
      await option.click()
      for (const clip of [first, second]) {
        await expect(clip).toBeInViewport({ ratio: 0.99 })
        expect((await clip.boundingBox())!.height).toBeGreaterThanOrEqual(0.25 * size.height)
      }
    }
    await accessible()
  })
