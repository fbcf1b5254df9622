import { afterAll, beforeAll, expect, test } from 'vitest'
import { findOrCreateLetterPreferences } from '../../modules/letters/letter-preferences-table.ts'
import { registerMinorWithConsent } from './strangers-records.ts'
import { type CookieClient, newPlayerInput, startTestServer, type TestServer } from './test-server.ts'

let h: TestServer
beforeAll(async () => {
  h = await startTestServer()
})
afterAll(() => h.end())

test('reminders are turned off by a mail program or in the account, and on by a link', async () => {
  const [who, mailProgram, page] = [h.browser(), h.browser({ 'sec-fetch-site': 'cross-site' }), h.browser()]
  const { id } = (await who.call('POST', '/api/register/player', newPlayerInput())).body
  const wanted = async () => (await who.call('GET', '/api/account/letters')).body.reminders
  expect(await wanted()).toBe(true)
  const { token } = await findOrCreateLetterPreferences(h.sql, id)
  const oneClick = new TextEncoder().encode('List-Unsubscribe=One-Click')
  const press = (of: string) =>
    mailProgram.call('POST', `/api/unsubscribe/${of}`, oneClick, { 'content-type': 'application/x-www-form-urlencoded' })
  expect((await press('x'.repeat(43))).status).toBe(404)
  expect((await press(token)).status).toBe(204)
  expect(await wanted()).toBe(false)
  expect((await page.call('DELETE', `/api/unsubscribe/${token}`)).status).toBe(204)
  expect(await wanted()).toBe(true)
  expect((await who.call('PUT', '/api/account/letters', { reminders: false })).status).toBe(204)
  expect(await wanted()).toBe(false)
})

test("a guardian turns off their own reminders and nobody else's", async () => {
  const [one, other] = [h.browser(), h.browser()]
  await registerMinorWithConsent(h, one)
  await registerMinorWithConsent(h, other)
  const wanted = async (who: CookieClient) => (await who.call('GET', '/api/family/letters')).body.reminders
  expect((await one.call('PUT', '/api/family/letters', { reminders: false })).status).toBe(204)
  expect([await wanted(one), await wanted(other)]).toEqual([false, true])
})
