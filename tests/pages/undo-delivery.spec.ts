import { readFile } from 'node:fs/promises'
import { type AppProcess, startApp } from '../support/app-process.ts'
import { expect, test } from '../support/playwright-base-fixtures.ts'
import { sampleVideos } from '../support/sample-media.ts'
import { createAssignedFolder, signUpAsInstructor, signUpAsPlayer } from './api-setup.ts'
import { fetchDraftOf, fetchSessionOf, waitForSavedDraft } from './studio-setup.ts'

// The instance that other tests share delivers without an undo period.
let app: AppProcess
test.beforeAll(async () => {
  app = await startApp({ env: { DELIVERY_UNDO_SECONDS: '10' } })
})
test.afterAll(() => app?.stop())

test('a delivery is undone in the queue, and goes out even if the tab is closed', { tag: '@sweep' }, async ({ browser, accessible }) => {
  const [player, page] = await Promise.all(
    [0, 1].map(async () => (await browser.newContext({ baseURL: app.url, reducedMotion: 'reduce' })).newPage()),
  )
  const coach = await signUpAsInstructor(page!)
  await signUpAsPlayer(player!)
  const { folder } = await createAssignedFolder(player!, coach, 'Tee work', await readFile(sampleVideos.mp4))
  const deliver = async () => {
    await page!.getByRole('button', { name: 'Deliver', exact: true }).click()
    await page!.getByRole('button', { name: 'Deliver feedback' }).click()
    await page!.waitForURL('**/instructor/dashboard')
  }
  await page!.goto(`/instructor/folder/${folder}`)
  await waitForSavedDraft(page!)
  await page!.keyboard.press('s')
  await page!.getByRole('textbox', { name: 'Summary' }).fill('Lead with the hands.')
  await waitForSavedDraft(page!)
  await deliver()
  const bar = page!.getByRole('region', { name: 'Delivery' })
  await expect(bar.getByText('Delivered to Mia.')).toBeVisible()
  if (process.env.SCREENS) {
    for (const width of [390, 1440]) {
      await page!.setViewportSize({ width, height: 844 })
      await page!.screenshot({ path: `test-results/screens/undo-delivery-${width}.png` })
    }
  }
  await accessible(page)
  await bar.getByRole('button', { name: 'Undo' }).click()
  await page!.waitForURL(`**/instructor/folder/${folder}?**`)
  await waitForSavedDraft(page!)
  await expect(page!.getByRole('button', { name: 'Deliver', exact: true })).toBeVisible()
  expect((await fetchDraftOf(page!, folder)).summary).toBe('Lead with the hands.')
  expect((await fetchSessionOf(player!, folder)).review).toBeNull()

  await deliver()
  // The review's page offers the same undo, even if the device's clock is an hour fast.
  await page!.addInitScript(() => {
    const now = Date.now
    Date.now = () => now() + 3_600_000
  })
  await page!.goto(`/instructor/folder/${folder}`)
  await expect(page!.getByText('Mia will get this feedback in a few seconds.')).toBeVisible()
  await expect(page!.getByRole('button', { name: 'Undo' })).toBeVisible()
  await page!.close()
  await expect.poll(async () => (await fetchSessionOf(player!, folder)).review?.summary).toBe('Lead with the hands.')
  await player!.context().close()
})

test('a review is delivered only once its draft is saved', { tag: '@sweep' }, async ({ browser }) => {
  const [player, page] = await Promise.all(
    [0, 1].map(async () => (await browser.newContext({ baseURL: app.url, reducedMotion: 'reduce' })).newPage()),
  )
  const coach = await signUpAsInstructor(page!)
  await signUpAsPlayer(player!)
  const { folder } = await createAssignedFolder(player!, coach, 'Tee work', await readFile(sampleVideos.mp4))
  await page!.goto(`/instructor/folder/${folder}`)
  await waitForSavedDraft(page!)
  await page!.route(/\/draft(\?|$)/, route => (route.request().method() === 'PUT' ? route.abort() : route.continue()))
  await page!.keyboard.press('s')
  await page!.getByRole('textbox', { name: 'Summary' }).fill('Lead with the hands.')
  await page!.getByRole('button', { name: 'Deliver', exact: true }).click()
  const deliverButton = page!.getByRole('button', { name: 'Deliver feedback' })
  await deliverButton.click()
  const refusal = page!.getByText('Your latest changes are not saved yet. Check your connection and deliver again.')
  await expect(refusal).toBeVisible()
  expect((await fetchSessionOf(page!, folder)).delivery).toBeFalsy()

  await page!.unroute(/\/draft(\?|$)/)
  await deliverButton.click()
  await page!.waitForURL('**/instructor/dashboard')
  await page!.getByRole('region', { name: 'Delivery' }).getByRole('button', { name: 'Undo' }).click()
  await page!.waitForURL(`**/instructor/folder/${folder}?**`)
  await waitForSavedDraft(page!)
  expect((await fetchDraftOf(page!, folder)).summary).toBe('Lead with the hands.')
  await Promise.all([player!.context().close(), page!.context().close()])
})

test('Keep working cancels a delivery only until it is sent', { tag: '@sweep' }, async ({ browser }) => {
  const [player, page] = await Promise.all(
    [0, 1].map(async () => (await browser.newContext({ baseURL: app.url, reducedMotion: 'reduce' })).newPage()),
  )
  const coach = await signUpAsInstructor(page!)
  await signUpAsPlayer(player!)
  const { folder } = await createAssignedFolder(player!, coach, 'Tee work', await readFile(sampleVideos.mp4))
  await page!.goto(`/instructor/folder/${folder}`)
  await waitForSavedDraft(page!)
  /** Holds the next request to this path until `release` is called. */
  const hold = async (path: RegExp) => {
    const asked = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    await page!.route(
      path,
      async route => {
        asked.resolve()
        await released.promise
        await route.continue()
      },
      { times: 1 },
    )
    return { asked: asked.promise, release: released.resolve }
  }
  const summary = page!.getByRole('textbox', { name: 'Summary' })
  const deliverButton = page!.getByRole('button', { name: 'Deliver feedback' })
  const keepWorking = page!.getByRole('button', { name: 'Keep working' })

  const draft = await hold(/\/draft(\?|$)/)
  await page!.keyboard.press('s')
  await summary.fill('Lead with the hands.')
  await draft.asked
  await page!.getByRole('button', { name: 'Deliver', exact: true }).click()
  await deliverButton.click()
  await keepWorking.click()
  await expect(page!.getByRole('dialog')).toBeHidden()
  draft.release()
  await waitForSavedDraft(page!)
  expect((await fetchSessionOf(page!, folder)).delivery).toBeFalsy()

  const delivery = await hold(/\/delivery(\?|$)/)
  await page!.getByRole('button', { name: 'Deliver', exact: true }).click()
  await deliverButton.click()
  await delivery.asked
  await page!.keyboard.press('Escape')
  await expect(keepWorking).toBeDisabled()
  await expect(page!.getByRole('dialog')).toBeVisible()
  delivery.release()
  await page!.waitForURL('**/instructor/dashboard')
  await Promise.all([player!.context().close(), page!.context().close()])
})
