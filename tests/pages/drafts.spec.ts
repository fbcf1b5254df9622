import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, test } from '../support/playwright-base-fixtures.ts'
import { TEST_PASSWORD } from '../support/signed-in-fixtures.ts'
import { callApi } from './api-setup.ts'
import { createStartedReview, fetchDraftOf, fetchSessionOf, noteField, waitForSavedDraft } from './studio-setup.ts'

// These tests spend most of their time waiting for a restarting server or browser, so they run in parallel.
test.describe.configure({ mode: 'parallel' })

/** Starts a review. Returns its ids and the email of the instructor. */
async function startReview(page: Page, person: () => Promise<Page>) {
  const { folder, video, coach } = await createStartedReview(page, await person())
  const session = async (): Promise<string> => (await fetchSessionOf(page, folder))?.id
  await expect.poll(session).toBeTruthy()
  return { folder, video, session: await session(), email: coach.email }
}
/** Everything that this browser stores about drafts, as JSON. */
const draftsOnDevice = (page: Page) =>
  page.evaluate(async () => {
    const open = indexedDB.open('drafts')
    await new Promise(done => (open.onsuccess = done))
    const all = open.result.transaction('kept').objectStore('kept').getAll()
    await new Promise(done => (all.onsuccess = done))
    open.result.close()
    return JSON.stringify([all.result, Object.keys(localStorage).filter(key => key.startsWith('draft:'))])
  })

test('killing a tab while typing offline loses at most the last few characters', {
  tag: '@sweep',
}, async ({ page, context, person, problems }) => {
  problems.expect(/ERR_FAILED|ERR_INTERNET/)
  const { folder, session, video } = await startReview(page, person)
  // An earlier version stored drafts in localStorage.
  await page.goto('/instructor/dashboard')
  const empty = { notes: [], summary: '', grades: [] }
  const former = { base: empty, current: { ...empty, notes: [{ id: randomUUID(), video, at: 700, kind: 'tip', text: 'From last month' }] } }
  await page.evaluate(([key, copy]) => localStorage.setItem(key!, copy!), [`draft:${session}`, JSON.stringify(former)] as const)
  await page.goto(`/instructor/folder/${folder}`)
  await expect(noteField(page)).toHaveValue('From last month')
  await waitForSavedDraft(page)
  await expect.poll(() => draftsOnDevice(page)).toBe('[[],[]]')

  let dropped = true
  await context.route(/\/draft\?/, route => (dropped && route.request().method() === 'PUT' ? route.abort() : route.continue()))
  await page.locator('body').press('m')
  // Until the notes are renumbered, two of them may be called "Note 1".
  await expect(noteField(page).and(page.locator(':focus'))).toBeVisible()
  const sentence = 'The hands start before the front foot is down, so the barrel drags through the zone and the ball goes to right.'
  const at: number[] = []
  const crash = await context.newCDPSession(page)
  for (const letter of sentence) {
    await page.keyboard.type(letter)
    at.push(performance.now())
    await page.waitForTimeout(15)
  }
  const killed = performance.now()
  crash.send('Page.crash').catch(() => {})
  await page.waitForEvent('crash')
  await page.close()
  const next = await context.newPage()
  await next.goto(`/instructor/folder/${folder}`)
  await expect(noteField(next)).toHaveValue(/^The hands start/)
  const kept = await noteField(next).inputValue()
  expect(sentence.startsWith(kept)).toBe(true)
  const lost = killed - (at[kept.length - 1] ?? at[0]!)
  console.log(`a killed tab lost ${sentence.length - kept.length} of ${sentence.length} letters: the last ${Math.round(lost)} ms`)
  // From here on, the server receives drafts again. A draft that it has saved is deleted from the device.
  dropped = false
  await noteField(next).press('End')
  await next.keyboard.type('.')
  await waitForSavedDraft(next)
  await expect.poll(() => draftsOnDevice(next)).toBe('[[],[]]')
})

test('killing the server while two devices write a review loses nothing', { tag: '@sweep' }, async ({ page, person, app, problems }) => {
  problems.expect(/ERR_CONNECTION|ERR_EMPTY|ERR_SOCKET|409/)
  const { folder, email } = await startReview(page, person)
  const tablet = await person()
  await callApi(tablet, 'POST', '/api/login', { username: email, password: TEST_PASSWORD })
  await page.goto(`/instructor/folder/${folder}`)
  await tablet.goto(`/instructor/folder/${folder}`)
  await waitForSavedDraft(page)
  await waitForSavedDraft(tablet)
  await page.locator('body').press('m')
  await noteField(page).pressSequentially('Before it went ', { delay: 10 })
  await app.kill('SIGKILL')
  await noteField(page).pressSequentially('and after.', { delay: 10 })
  await expect(page.locator('[data-saved=retrying]')).toBeVisible()
  await tablet.locator('body').press('m')
  await noteField(tablet).fill('On the tablet meanwhile.')
  await expect(tablet.locator('[data-saved=retrying]')).toBeVisible()
  await app.restart()
  await waitForSavedDraft(page)
  await waitForSavedDraft(tablet)
  const draft = await fetchDraftOf(page, folder)
  expect(draft.notes.map((n: { text: string }) => n.text).sort()).toEqual(['Before it went and after.', 'On the tablet meanwhile.'])
  // The first device shows the notes of both devices when its page becomes visible again.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(page.getByRole('tab', { name: 'Notes 2' })).toBeVisible()
})

test('characters typed as soon as the summary field appears are kept', { tag: '@sweep' }, async ({ page, context, person }) => {
  const { folder } = await startReview(page, person)
  await page.goto(`/instructor/folder/${folder}`)
  await waitForSavedDraft(page)
  // While an earlier change is being saved, typing must change nothing on the screen but the field.
  const answer = Promise.withResolvers<void>()
  await context.route(/\/draft\?/, async route => {
    if (route.request().method() === 'PUT') await answer.promise
    await route.continue()
  })
  const saving = page.waitForRequest(request => request.method() === 'PUT' && request.url().includes('/draft?'))
  await page.locator('body').press('m')
  await expect(noteField(page)).toBeFocused()
  await page.keyboard.type('Late.')
  await saving
  // On a busy device, keystrokes arrive before React has run the effects of a field that it has just added.
  await page.evaluate(() =>
    new MutationObserver((_, observer) => {
      const summary = document.querySelector<HTMLElement>('#summary')
      if (!summary) return
      observer.disconnect()
      summary.focus()
      for (const letter of 'Hands back') document.execCommand('insertText', false, letter)
    }).observe(document.body, { childList: true, subtree: true }),
  )
  await page.getByRole('tab', { name: 'Summary' }).click()
  await expect(page.getByRole('textbox', { name: 'Summary' })).toHaveValue('Hands back')
  answer.resolve()
  await waitForSavedDraft(page)
})
