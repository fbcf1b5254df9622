import type { Page } from '@playwright/test'
import { expect, TEST_PASSWORD, test } from '../support/signed-in-fixtures.ts'
import { callApi } from './api-setup.ts'
import { createStartedReview, fetchDraftOf, noteField, waitForSavedDraft } from './studio-setup.ts'

test.describe.configure({ timeout: 120_000 })

/** Stores what a download, a review and a recording store on the device, for `owner` and for somebody else. */
const storeDeviceData = (page: Page, owner: string) =>
  page.evaluate(async owner => {
    const root = await navigator.storage.getDirectory()
    const file = await (await root.getFileHandle('taken-along.zip', { create: true })).createWritable()
    await file.write('videos')
    await file.close()
    localStorage.setItem('downloaded', owner)
    localStorage.setItem('places', '{"a":{"opened":[]}}')
    localStorage.setItem('unfinished-uploads', '{}')
    const put = async (kind: string, entries: [string, unknown][]) => {
      const opening = indexedDB.open(kind, 1)
      opening.onupgradeneeded = () => opening.result.createObjectStore('kept')
      await new Promise(done => (opening.onsuccess = done))
      const change = opening.result.transaction('kept', 'readwrite')
      for (const [key, value] of entries) change.objectStore('kept').put(value, key)
      await new Promise(done => (change.oncomplete = done))
      opening.result.close()
    }
    const voice = (id: string, owner: string) => ({ voice: { id }, state: 'sent', owner })
    await put('voices', [
      ['kept s1 mine', voice('mine', owner)],
      ['sound mine 000000', new ArrayBuffer(8)],
      ['kept s2 other', voice('other', 'somebody else')],
      ['sound other 000000', new ArrayBuffer(8)],
    ])
    await put('drafts', [['s2 tab', { base: {}, current: {}, owner: 'somebody else' }]])
  }, owner)

/** The names of the data stored on the device: files, keys in both databases, and keys in localStorage. */
const storedDeviceData = (page: Page) =>
  page.evaluate(async () => {
    const names: string[] = []
    for await (const name of ((await navigator.storage.getDirectory()) as unknown as { keys(): AsyncIterable<string> }).keys())
      names.push(name)
    for (const kind of ['drafts', 'voices']) {
      const opening = indexedDB.open(kind, 1)
      opening.onupgradeneeded = () => opening.result.createObjectStore('kept')
      await new Promise(done => (opening.onsuccess = done))
      const all = opening.result.transaction('kept').objectStore('kept').getAllKeys()
      await new Promise(done => (all.onsuccess = done))
      names.push(...all.result.map(key => `${kind}: ${key}`))
      opening.result.close()
    }
    return [...names, ...['places', 'unfinished-uploads', 'downloaded'].filter(key => localStorage.getItem(key) !== null)]
  })
const logoutOf = (page: Page) => page.getByRole('banner').getByRole('button', { name: 'Logout' })
const ofSomebodyElse = ['drafts: s2 tab', 'voices: kept s2 other', 'voices: sound other 000000']

test("a logout deletes the account's data from the device, but not other people's", async ({ member, page }) => {
  const { user, api } = await member('player', {})
  await page.context().addCookies((await api.storageState()).cookies)
  await page.goto('/faq')
  await storeDeviceData(page, user.id)
  await logoutOf(page).click()
  await page.waitForURL('/auth')
  expect(await storedDeviceData(page)).toEqual(ofSomebodyElse)
})

test('after a session ended elsewhere, the device loses videos but keeps unsent work', async ({ member, page }) => {
  const { user, api } = await member('player', {})
  await page.context().addCookies((await api.storageState()).cookies)
  await page.goto('/faq')
  await storeDeviceData(page, user.id)
  expect((await api.post('/api/logout')).status()).toBe(204)
  await page.evaluate(() => sessionStorage.clear())
  await page.goto('/faq')
  await expect.poll(async () => (await storedDeviceData(page)).filter(name => /zip|downloaded/.test(name))).toEqual([])
  expect(await storedDeviceData(page)).toEqual(expect.arrayContaining(['voices: kept s1 mine', 'voices: sound mine 000000', 'places']))
})

test('a logout asks before deleting an unsent review', { tag: '@sweep' }, async ({ page, person, problems, accessible }) => {
  problems.expect(/ERR_FAILED|401/)
  const { folder, coach } = await createStartedReview(page, await person())
  let away = true
  await page.route(/\/draft\?/, route => (away && route.request().method() === 'PUT' ? route.abort() : route.continue()))
  const studio = () => page.goto(`/instructor/folder/${folder}`)
  const question = page.getByRole('dialog', { name: 'Log out and delete unsaved work?' })
  const logout = async () => {
    await page.goto('/instructor/dashboard')
    await logoutOf(page).click()
  }
  await studio()
  await waitForSavedDraft(page)
  await page.locator('body').press('m')
  await noteField(page).pressSequentially('Elbow up.')
  await expect(page.locator('[data-saved=retrying]')).toBeVisible()
  await logout()
  await expect(question).toContainText('1 review on this device may not have been uploaded yet.')
  await accessible()
  await question.getByRole('button', { name: 'Stay logged in' }).click()
  await expect(question).toBeHidden()

  away = false
  await studio()
  await expect(noteField(page)).toHaveValue('Elbow up.')
  await waitForSavedDraft(page)
  await logout()
  await page.waitForURL('/auth')
  expect(await storedDeviceData(page)).toEqual([])

  await callApi(page, 'POST', '/api/login', { username: coach.email, password: TEST_PASSWORD })
  expect((await fetchDraftOf(page, folder)).notes[0].text).toBe('Elbow up.')
  away = true
  await studio()
  await waitForSavedDraft(page)
  await noteField(page).pressSequentially(' Lost.')
  await expect(page.locator('[data-saved=retrying]')).toBeVisible()
  await logout()
  await question.getByRole('button', { name: 'Delete and log out' }).click()
  await page.waitForURL('/auth')
  expect(await storedDeviceData(page)).toEqual([])
})
