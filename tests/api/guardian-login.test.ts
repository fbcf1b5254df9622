import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEmailedLinkToken, findLinkForUnsentLetter } from '../../modules/accounts/emailed-links.ts'
import { scheduleAccountRecoveryLetters } from '../../modules/accounts/recovery.ts'
import { consentTokenFor } from './consent-token.ts'
import { expectRefusal } from './full-server.ts'
import { registerMinorWithConsent } from './strangers-records.ts'
import { birthDateForAge, type CookieClient, newInstructorInput, newPlayerInput, startTestServer, type TestServer } from './test-server.ts'

let h: TestServer
beforeAll(async () => {
  h = await startTestServer()
})
afterAll(() => h.end())

const HOUR_MS = 3600_000
/** Creates a signed-in guardian who has given consent for one child. */
async function family() {
  const [guardian, { email }] = [h.browser(), newPlayerInput()]
  const child = await registerMinorWithConsent(h, guardian, email)
  return { guardian, email, child }
}
/** Requests a sign-in link for this address. Returns the link and the page that it opens, or null if no letter was scheduled. */
async function askForLink(email: string, page?: string) {
  const before = (await h.postedErrands('letter.family-sign-in')).length
  expect((await h.browser().call('POST', '/api/family/sign-in', { email, ...(page && { page }) })).status).toBe(204)
  await scheduleAccountRecoveryLetters(
    h.sql,
    h.deps.post,
    (await h.postedErrands('account.recover')).at(-1)!.payload.recovery as string,
    h.deps.clock(),
  )
  const letter = (await h.postedErrands('letter.family-sign-in'))[before]
  return letter ? { ...(await findLinkForUnsentLetter(h.sql, letter.payload.link as string))!, page: letter.payload.page } : null
}
const endsSession = ({ headers }: { headers: Headers }) => headers.getSetCookie().join().includes('family=;')
/** Registers a minor whose guardian has not answered yet. Returns the minor's id and the token of the guardian's link. */
async function unansweredRequest() {
  const minor = newPlayerInput({ dateOfBirth: birthDateForAge(14), guardianName: 'Maria García', guardianEmail: newPlayerInput().email })
  const { id } = (await h.browser().call('POST', '/api/register/player', minor)).body
  return { id, token: (await consentTokenFor(h.sql, id))! }
}
const children = async (who: CookieClient) => (await who.call('GET', '/api/family')).body.children

describe('a guardian', () => {
  test('is signed in after agreeing, and sees the child', async () => {
    const { guardian, email, child } = await family()
    const { status, body } = await guardian.call('GET', '/api/family')
    expect([status, body]).toEqual([
      200,
      {
        guardian: { id: expect.any(String), name: 'Maria García', email, undeliverable: false, timeZone: 'America/New_York' },
        children: [{ id: child, firstName: 'Ana', agreed: true, consent: 'given' }],
      },
    ])
    expect((await guardian.call('GET', '/api/family/sessions')).body.sessions).toMatchObject([{ current: true }])
  })

  test("gets the browser's time zone when agreeing, unless they have chosen another", async () => {
    const { guardian, child } = await family()
    const zone = async () => (await guardian.call('GET', '/api/family')).body.guardian.timeZone
    const agree = (timeZone: string) =>
      guardian.call('POST', `/api/family/children/${child}/consent`, { answer: 'yes', optional: ['news'], timeZone })
    expect((await agree('Nowhere/Land')).status).toBe(422)
    expect((await agree('America/Denver')).status).toBe(204)
    expect(await zone()).toBe('America/Denver')
    expect((await guardian.call('PUT', '/api/family/time-zone', { timeZone: 'America/Chicago' })).status).toBe(204)
    expect((await agree('America/Denver')).status).toBe(204)
    expect(await zone()).toBe('America/Chicago')
  })

  test('signs in with an emailed link that works once and for an hour', async () => {
    const { email, child } = await family()
    const { token, page } = (await askForLink(` ${email.toUpperCase()} `, '/family/sessions/1?session=2'))!
    expect(page).toBe('/family/sessions/1?session=2')
    const [phone, thief] = [h.browser(), h.browser()]
    expect((await phone.call('POST', `/api/family/links/${token}`)).status).toBe(204)
    expect(await children(phone)).toMatchObject([{ id: child }])
    const linkOver = 'This link has already been used or has expired. We can send you a new one.'
    expectRefusal(await thief.call('POST', `/api/family/links/${token}`), 410, 'link-over', linkOver)
    expect((await thief.call('GET', '/api/family')).status).toBe(401)
    const late = (await askForLink(email))!
    const { guardian } = (
      await h.sql<{ guardian: string }[]>`select guardian from links where kind = 'family-sign-in' and guardian is not null`
    )[0]!
    const { token: expired } = await createEmailedLinkToken(h.sql, new Date(h.deps.clock().getTime() - HOUR_MS), 'family-sign-in', {
      guardian,
    })
    expect((await thief.call('POST', `/api/family/links/${expired}`)).status).toBe(410)
    // A guardian's newest link invalidates the earlier ones.
    expect((await thief.call('POST', `/api/family/links/${late.token}`)).status).toBe(410)
  })

  test('is not revealed by the sign-in form, whose links open only family pages', async () => {
    expect(await askForLink(newPlayerInput().email)).toBeNull()
    for (const page of ['https://evil.example', '//evil.example', '/family/../admin', '/account', '/family?x=1'])
      expect((await h.browser().call('POST', '/api/family/sign-in', { email: newPlayerInput().email, page })).status).toBe(422)
  })

  test('can sign out of another session, or of all of them', async () => {
    const { guardian, email } = await family()
    const phone = h.browser()
    await phone.call('POST', `/api/family/links/${(await askForLink(email))!.token}`)
    const other = (await guardian.call('GET', '/api/family/sessions')).body.sessions.find((s: { current: boolean }) => !s.current)
    const ended = await guardian.call('DELETE', `/api/family/sessions/${other.id}`)
    expect([ended.status, endsSession(ended)]).toEqual([204, false])
    expect((await phone.call('GET', '/api/family')).status).toBe(401)
    await phone.call('POST', `/api/family/links/${(await askForLink(email))!.token}`)
    const { cookie } = guardian
    expect(endsSession(await phone.call('DELETE', '/api/family/sessions'))).toBe(true)
    for (const who of [phone, h.browser({ cookie })]) expect((await who.call('GET', '/api/family')).status).toBe(401)
  })

  test('can sign out of only the current session', async () => {
    const { guardian, email } = await family()
    const phone = h.browser()
    await phone.call('POST', `/api/family/links/${(await askForLink(email))!.token}`)
    const { cookie } = phone
    const loggedOut = await phone.call('POST', '/api/family/logout')
    expect([loggedOut.status, endsSession(loggedOut)]).toEqual([204, true])
    expect((await h.browser().call('POST', '/api/family/logout')).status).toBe(204)
    expect((await h.browser({ cookie }).call('GET', '/api/family')).status).toBe(401)
    const [{ id }] = (await guardian.call('GET', '/api/family/sessions')).body.sessions
    expect(endsSession(await guardian.call('DELETE', `/api/family/sessions/${id}`))).toBe(true)
  })

  test('signs in with the link in a letter to the family', async () => {
    const { guardian, child } = await family()
    const { id } = (await guardian.call('GET', '/api/family')).body.guardian
    const { token } = await createEmailedLinkToken(h.sql, h.deps.clock(), 'family-letter', { guardian: id })
    const phone = h.browser()
    expect((await phone.call('POST', `/api/family/links/${token}`)).status).toBe(204)
    expect(await children(phone)).toMatchObject([{ id: child }])
  })

  test("gets the browser's time zone with the first answer", async () => {
    const [{ token }, guardian] = [await unansweredRequest(), h.browser()]
    expect((await guardian.call('POST', `/api/guardian/${token}`, { answer: 'yes', timeZone: 'America/Denver' })).status).toBe(204)
    expect((await guardian.call('GET', '/api/family')).body.guardian.timeZone).toBe('America/Denver')
  })

  test('is not signed in by a link that is used up while the answer is recorded', async () => {
    const [{ id, token }, guardian] = [await unansweredRequest(), h.browser()]
    const { store } = h.deps
    const { append } = store
    store.append = async (...all) => {
      store.append = append
      await h.sql`delete from links where kind = 'guardian' and owner = ${id}`
      return append(...all)
    }
    expectRefusal(await guardian.call('POST', `/api/guardian/${token}`, { answer: 'yes' }), 404, 'not-found')
    expect((await guardian.call('GET', '/api/family')).status).toBe(401)
  })

  test('who is also an instructor has two separate sessions with separate access', async () => {
    const [instructor, guardian, person] = [h.browser(), h.browser(), newInstructorInput()]
    await instructor.call('POST', '/api/register/instructor', person)
    const child = await registerMinorWithConsent(h, guardian, person.email)
    const both = h.browser({ cookie: `${instructor.cookie}; ${guardian.cookie}` })
    expect([(await both.call('GET', '/api/user')).body.role, await children(both)]).toMatchObject(['instructor', [{ id: child }]])
    expect((await instructor.call('GET', '/api/family')).status).toBe(401)
    expect((await guardian.call('GET', '/api/user')).status).toBe(401)
    // The token of one cookie does not work in the other cookie.
    const token = (cookie: string) => cookie.split('=')[1]
    const swapped = h.browser({ cookie: `session=${token(guardian.cookie)}; family=${token(instructor.cookie)}` })
    expect([(await swapped.call('GET', '/api/user')).status, (await swapped.call('GET', '/api/family')).status]).toEqual([401, 401])
    await both.call('POST', '/api/family/logout')
    expect((await instructor.call('GET', '/api/user')).status).toBe(200)
  })

  test("sees all of their children on one page, and nobody else's", async () => {
    const [{ guardian, email, child }, other] = [await family(), await family()]
    const sibling = await registerMinorWithConsent(h, h.browser(), email)
    expect((await children(guardian)).map((c: { id: string }) => c.id)).toEqual([child, sibling])
    expect((await children(other.guardian)).map((c: { id: string }) => c.id)).toEqual([other.child])
  })
})
