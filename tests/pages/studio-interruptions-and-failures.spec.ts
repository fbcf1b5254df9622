import { randomUUID } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { disablePreloadedData, expect, test } from '../support/playwright-base-fixtures.ts'
import { TEST_PASSWORD } from '../support/signed-in-fixtures.ts'
import { callApi, signUpAsInstructor } from './api-setup.ts'
import { clickDeliverAndConfirm } from './click-deliver-and-confirm.ts'
import { createStartedReview, fetchDraftOf, fetchSessionOf, noteField, waitForSavedDraft } from './studio-setup.ts'

const summaryOf = (page: Page) => page.getByRole('textbox', { name: 'Summary' })

test('two tabs write the same review without losing text', { tag: '@sweep' }, async ({ page, context, person, problems }) => {
  problems.expect(/409/)
  const { folder } = await createStartedReview(page, await person())
  const other = await context.newPage()
  await page.goto(`/instructor/folder/${folder}`)
  await waitForSavedDraft(page)
  await other.goto(`/instructor/folder/${folder}`)
  await waitForSavedDraft(other)

  // A change in one tab shows in the other.
  await page.locator('body').press('m')
  await noteField(page).fill('From the first tab')
  await waitForSavedDraft(page)
  await expect(noteField(other)).toHaveValue('From the first tab')

  // Concurrent changes of both tabs are merged.
  await page.getByRole('tab', { name: 'Summary' }).click()
  await other.getByRole('tab', { name: 'Summary' }).click()
  await Promise.all([summaryOf(page).fill('First tab says hands.'), summaryOf(other).fill('Second tab says feet.')])
  for (const tab of [page, other]) {
    await waitForSavedDraft(tab)
    await expect(summaryOf(tab)).toHaveValue(/First tab says hands\./)
    await expect(summaryOf(tab)).toHaveValue(/Second tab says feet\./)
  }
  const draft = await fetchDraftOf(page, folder)
  expect(draft.summary).toContain('First tab says hands.')
  expect(draft.summary).toContain('Second tab says feet.')
  expect(draft.notes).toHaveLength(1)
})

test('unsent text survives a reload and is sent', { tag: '@sweep' }, async ({ page, context, person, problems, shoot, accessible }) => {
  problems.expect(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/)
  const { folder } = await createStartedReview(page, await person())
  await page.goto(`/instructor/folder/${folder}`)
  await waitForSavedDraft(page)
  await page.getByRole('tab', { name: 'Summary' }).click()
  await page.route(/\/draft\?/, route => (route.request().method() === 'PUT' ? route.abort() : route.continue()))
  await summaryOf(page).fill('Written at the kitchen table.')
  await expect(page.getByText('Saved on this device. It uploads automatically.')).toBeVisible()
  // On a phone the save status has its own line below the name and the buttons.
  await page.setViewportSize({ width: 390, height: 844 })
  const top = async (what: Locator) => (await what.boundingBox())!.y
  const deliver = page.getByRole('button', { name: 'Deliver' })
  expect(Math.abs((await top(deliver)) - (await top(page.getByRole('heading', { level: 1 }))))).toBeLessThan(20)
  expect(await top(page.locator('[data-saved=retrying]'))).toBeGreaterThan((await top(deliver)) + 40)
  await shoot('instructor-studio-offline')
  await accessible()
  await page.reload()
  await page.getByRole('tab', { name: 'Summary' }).click()
  await expect(summaryOf(page)).toHaveValue('Written at the kitchen table.')
  await page.unroute(/\/draft\?/)
  await context.setOffline(true)
  await context.setOffline(false)
  await waitForSavedDraft(page)
  const draft = await fetchDraftOf(page, folder)
  expect(draft.summary).toBe('Written at the kitchen table.')
})

test('an instructor whose session ends while writing a review can log in and go on', { tag: '@sweep' }, async ({ page, person }) => {
  const { folder } = await createStartedReview(page, await person())
  await page.goto(`/instructor/folder/${folder}`)
  await waitForSavedDraft(page)
  await page.getByRole('tab', { name: 'Summary' }).click()
  await page.context().clearCookies()
  await summaryOf(page).fill('Long thoughts.')
  const login = page.getByRole('dialog', { name: 'Your session has ended' })
  await login.getByLabel('Password').fill(TEST_PASSWORD)
  await login.getByRole('button', { name: 'Log in' }).click()
  await expect(login).toBeHidden()
  await expect(summaryOf(page)).toHaveValue('Long thoughts.')
  await waitForSavedDraft(page)
})

test('the whole studio works by keyboard', { tag: '@sweep' }, async ({ page, person, shoot, accessible }) => {
  const { folder } = await createStartedReview(page, await person())
  await page.goto(`/instructor/folder/${folder}`)
  await waitForSavedDraft(page)
  const at = page.getByRole('slider', { name: 'Position' })
  await expect(at).toHaveAttribute('max', '59')
  const body = page.locator('body')
  await body.press('l')
  await expect(at).toHaveValue('30')
  await body.press('.')
  await expect(at).toHaveValue('31')
  await body.press(',')
  await expect(at).toHaveValue('30')
  await body.press('Shift+.')
  await expect(at).toHaveValue('40')
  // With the focus on the strip, arrow keys move by one frame, or by ten with Shift. Home and End move to the first and last frame.
  for (const [key, frame] of [
    ['ArrowLeft', 39],
    ['Shift+ArrowLeft', 29],
    ['Shift+ArrowRight', 39],
    ['End', 59],
    ['Home', 0],
    ['ArrowRight', 1],
  ] as const) {
    await at.press(key)
    await expect(at).toHaveValue(`${frame}`)
  }
  await body.press('2')
  await expect(page.getByLabel('Speed')).toHaveValue('0.25')
  await body.press('k')
  await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeVisible()
  await body.press('m')
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  await expect(noteField(page)).toBeFocused()
  await page.keyboard.type('Keys are text here: m, k, 2.')
  await expect(noteField(page)).toHaveValue('Keys are text here: m, k, 2.')
  await page.keyboard.press('Escape')
  // Going to the earlier sessions and back keeps the frame, and shortcuts keep working.
  await body.press('Shift+.')
  const there = await at.inputValue()
  await body.press('b')
  await expect(page.getByRole('tab', { name: 'Earlier' })).toHaveAttribute('aria-selected', 'true')
  await expect(noteField(page)).toBeHidden()
  await body.press('b')
  await expect(noteField(page)).toBeVisible()
  await expect(noteField(page)).not.toBeFocused()
  await expect(at).toHaveValue(there)
  await body.press(',')
  await expect(at).toHaveValue(`${Number(there) - 1}`)
  await expect(noteField(page)).toHaveValue('Keys are text here: m, k, 2.')
  // Arrow keys move the picture only if it is zoomed.
  const left = () => page.locator('[data-drawing-stage] video').evaluate(video => Math.round(video.getBoundingClientRect().left))
  const whole = await left()
  await body.press('ArrowRight')
  expect(await left()).toBe(whole)
  // On a picture that is not zoomed, arrow keys step through frames, wherever the focus is.
  await expect(at).toHaveValue(there)
  await body.press('Shift+ArrowLeft')
  await expect(at).toHaveValue(`${Number(there) - 10}`)
  await page.getByRole('button', { name: 'Compare' }).press('ArrowRight')
  await expect(at).toHaveValue(`${Number(there) - 9}`)
  await body.press('+')
  await expect.poll(left).toBeLessThan(whole)
  const larger = await left()
  await body.press('ArrowRight')
  await expect.poll(left).toBeLessThan(larger)
  await body.press('ArrowLeft')
  await expect.poll(left).toBe(larger)
  await body.press('0')
  await expect.poll(left).toBe(whole)
  await body.press('m')
  await page.keyboard.press('Escape')
  await expect(noteField(page, 2)).toBeHidden()
  await body.press('Shift+?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await shoot('instructor-keys')
  await accessible()
})

test('after delivery in one tab, other tabs say so and keep their unsent text', { tag: '@sweep' }, async ({
  page,
  context,
  person,
  problems,
  accessible,
}) => {
  problems.expect(/409|ERR_FAILED/)
  const { folder } = await createStartedReview(page, await person())
  await page.goto(`/instructor/folder/${folder}`)
  await waitForSavedDraft(page)
  await page.getByRole('tab', { name: 'Summary' }).click()
  await summaryOf(page).fill('Good.')
  await waitForSavedDraft(page)
  const [other, third] = [await context.newPage(), await context.newPage()]
  for (const tab of [other, third]) {
    await tab.goto(`/instructor/folder/${folder}`)
    await waitForSavedDraft(tab)
    await tab.getByRole('tab', { name: 'Summary' }).click()
    await expect(summaryOf(tab)).toHaveValue('Good.')
  }
  // The third tab can neither load nor save the draft, so it does not learn of the delivery until it tries to deliver.
  await third.route(/\/draft/, route => route.abort())
  await page.getByRole('button', { name: 'Deliver', exact: true }).click()
  await page.getByRole('button', { name: 'Deliver feedback' }).dblclick()
  await expect(page).toHaveURL(/\/instructor\/dashboard/)

  // In the second tab, the instructor continues to write.
  await summaryOf(other).fill('Too late, but not lost.')
  const said = other.getByRole('dialog', { name: 'Already delivered' })
  await expect(said.getByText('Mia got this feedback just now: it was delivered in another tab or on another device.')).toBeVisible()
  await accessible(other)
  await said.getByRole('button', { name: 'Stay here' }).click()
  await expect(other.locator('[data-saved=stopped]')).toContainText('delivered')
  await expect(summaryOf(other)).toHaveValue('Too late, but not lost.')
  await other.getByRole('button', { name: 'Delivered', exact: true }).click()
  await said.getByRole('button', { name: 'Next review' }).click()
  await other.waitForURL('**/instructor/dashboard')
  await expect(other.getByText('Mia has your feedback. That was the last one. Your queue is empty.').first()).toBeVisible()

  // In the third tab, which does not know about the delivery, the instructor tries to deliver another version. The first one stands.
  await summaryOf(third).fill('Better.')
  await third.getByRole('button', { name: 'Deliver', exact: true }).click()
  await third.getByRole('button', { name: 'Deliver feedback' }).click()
  await expect(third.getByText(/^Your latest changes are not saved yet\./)).toBeVisible()
  await third.unroute(/\/draft/)
  await third.getByRole('button', { name: 'See what Mia got' }).click()
  await expect(third.getByRole('heading', { name: 'Ray Delgado sums it up' })).toBeVisible()

  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Ray Delgado sums it up' })).toBeVisible()
  await expect(page.getByText('Good.', { exact: true })).toBeVisible()
})

test('a delivery reports a note past the end of its video, and an oversized review', { tag: '@sweep' }, async ({
  page,
  person,
  problems,
}) => {
  problems.expect(/409/)
  const player = await person()
  const { folder } = await createStartedReview(page, player)
  const session = () => fetchSessionOf(page, folder)
  await expect.poll(session).toBeTruthy()
  const [clip] = (await session()).clips
  const pen = (n: number) => ({
    ...{ id: randomUUID(), tool: 'pen', color: n % 6, width: 45, from: 0, hold: 30, fade: 0 },
    p: Array.from({ length: 1200 }, (_, i) => (i % 4 < 2 ? 1111 : -1111)),
  })
  const said = (text: string, more: object) => ({ id: randomUUID(), video: clip.id, kind: 'technique', text, ...more })
  const notes = [
    said('From another cut.', { at: 60_000, frame: 99_999 }),
    said('Scribbled.', { at: 0, frame: 0, shapes: Array.from({ length: 60 }, (_, n) => pen(n)) }),
    said('Hands first.', { at: 100, frame: 3, shapes: [pen(0)] }),
  ]
  const draft = { notes, summary: 'Stay back.', grades: [] }
  await callApi(page, 'PUT', `/api/folders/${folder}/draft`, { revision: 0, draft })
  await page.goto(`/instructor/folder/${folder}`)
  await waitForSavedDraft(page)
  const dialog = page.getByRole('dialog')
  const refused = async (words: RegExp) => {
    await clickDeliverAndConfirm(page)
    await expect(dialog.getByText(words)).toBeVisible()
    expect((await fetchDraftOf(page, folder)).summary).toBe('Stay back.')
    await dialog.getByRole('button', { name: 'Keep working' }).click()
  }
  await refused(/^Note 3 lies past the end of its video\. Move it to a moment you can see\.$/)
  await page.getByRole('button', { name: 'Delete note 3', exact: true }).click()
  await waitForSavedDraft(page)
  await refused(/^This review is \d+ KB too large\. Delete some drawings, then deliver it again\.$/)
  await page.getByRole('button', { name: 'Delete note 1', exact: true }).click()
  await waitForSavedDraft(page)
  await clickDeliverAndConfirm(page)
  await page.waitForURL('**/instructor/dashboard')
  const given = async () => (await fetchSessionOf(player, folder))?.review?.notes.map((n: { text: string }) => n.text)
  await expect.poll(given).toEqual(['Hands first.'])
})

test('the studio shows loading and failed states, and a retry works', { tag: '@sweep' }, async ({ page, problems, shoot, accessible }) => {
  problems.expect(/^(console: Failed to load|500:)/)
  await signUpAsInstructor(page)
  for (const [name, path, api] of [
    ['instructor-dashboard', '/instructor/dashboard', '**/api/queue'],
    ['instructor-payments', '/instructor/payments', '**/api/earnings'],
  ] as const) {
    let answer = () => {}
    const gate = new Promise<void>(done => {
      answer = done
    })
    await disablePreloadedData(page)
    await page.route(api, async route => {
      await gate
      await route.fulfill({ status: 500, contentType: 'application/problem+json', body: '{"message":"Internal","code":"internal"}' })
    })
    await page.goto(path)
    await expect(
      page
        .getByRole('status')
        .filter({ hasText: /^Loading/ })
        .first(),
    ).toBeVisible()
    await shoot(`${name}-loading`)
    await accessible()
    answer()
    const failed = page.getByRole('alert').filter({ hasText: 'did not load' })
    await expect(failed).toBeVisible()
    await shoot(`${name}-error`)
    await accessible()
    await page.unroute(api)
    await failed.getByRole('button', { name: 'Try again' }).click()
    await expect(failed).toBeHidden()
  }
  await page.goto('/instructor/folder/01a1fc2a-1980-7066-a064-8d9bef9a3388')
  await expect(page.getByText('This folder is not assigned to you')).toBeVisible()
  await accessible()
})
