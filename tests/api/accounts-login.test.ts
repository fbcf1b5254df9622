import { describe, expect, test } from 'vitest'
import { makeEmailedLink } from '../../modules/accounts/emailed-links.ts'
import { hashPassword } from '../../modules/accounts/passwords.ts'
import { sendRecoveryLetters } from '../../modules/accounts/recovery.ts'
import { accountServer, DAY_MS, lastLinkSent, registerPlayer, setUpAccountServer, uniqueEmail } from './account-server.ts'
import { type CookieClient, newInstructorInput, newPlayerInput, startTestServer } from './test-server.ts'

setUpAccountServer()

const COMMON = 'This password is too common. Choose another one, such as a few words'

const OWN_WORDS = 'A password with your name, your email or the name of this site is easy to guess. Choose another one, such as a few words'

test("a password made of site words, the owner's name or their email is refused", async () => {
  const anybody = accountServer.browser()
  const told = { status: 422, body: { errors: [{ field: 'password', message: OWN_WORDS }] } }
  const own = { firstName: 'Zuzanna', lastName: 'Wiśniewska', email: uniqueEmail('zw.pitcher') }
  for (const password of ['diamondlink', 'extra-innings', 'Zuzanna2012', 'zuzanna wisniewska', 'zw.pitcher1']) {
    expect((await registerPlayer({ ...own, password })).answer).toMatchObject(told)
    expect(await anybody.call('POST', '/api/register/instructor', newInstructorInput({ ...own, password }))).toMatchObject(told)
    const admin = { ...newPlayerInput({ ...own, password }), dateOfBirth: undefined, token: 'x' }
    expect(await anybody.call('POST', '/api/register/admin', admin)).toMatchObject(told)
  }
  const { person } = await registerPlayer(own)
  expect((await anybody.call('POST', '/api/recovery/password', { email: person.email })).status).toBe(204)
  await sendRecoveryLetters(
    accountServer.sql,
    accountServer.deps.post,
    (await accountServer.postedErrands('account.recover')).at(-1)!.payload.recovery as string,
    accountServer.deps.clock(),
  )
  const { token } = (await lastLinkSent('letter.reset-password')).link
  for (const password of ['extra-innings', 'Zuzanna2012'])
    expect(await anybody.call('POST', '/api/recovery/reset', { token, password })).toMatchObject(told)
  expect((await anybody.call('POST', '/api/recovery/reset', { token, password: 'zuzanna and the whale' })).status).toBe(204)
})

describe('a common password', () => {
  test('is refused for new passwords in every role; an existing one can still log in', async () => {
    const anybody = accountServer.browser()
    const told = { status: 422, body: { errors: [{ field: 'password', message: COMMON }] } }
    const admin = { ...newPlayerInput({ password: 'sunshine1' }), dateOfBirth: undefined, token: 'x' }
    expect(await anybody.call('POST', '/api/register/admin', admin)).toMatchObject(told)
    expect(await anybody.call('POST', '/api/register/instructor', newInstructorInput({ password: 'baseball' }))).toMatchObject(told)
    expect(await anybody.call('POST', '/api/recovery/reset', { token: 'x', password: 'football' })).toMatchObject(told)
    for (const password of ['Own.Address@example.com', 'own.address']) {
      expect((await registerPlayer({ email: 'own.address@example.com', password })).answer).toMatchObject(told)
    }
    const { person } = await registerPlayer()
    await accountServer.sql`update users set password = ${await hashPassword('football')} where username = ${person.email}`
    expect((await anybody.call('POST', '/api/login', { username: person.email, password: 'football' })).status).toBe(200)
  })
})

describe('login', () => {
  // @spec:7.6
  test('fails in the same way for a wrong password and for an unknown account', async () => {
    const { person } = await registerPlayer()
    const who = accountServer.browser()
    const wrong = await who.call('POST', '/api/login', { username: person.email, password: 'not the one' })
    const unknown = await who.call('POST', '/api/login', { username: 'nobody@example.com', password: person.password })
    for (const answer of [wrong, unknown]) {
      const { status, body } = answer
      expect([status, body.code, body.message]).toEqual([401, 'wrong-credentials', 'Invalid username or password. Please try again.'])
    }
    const right = await who.call('POST', '/api/login', { username: ` ${person.email.toUpperCase()} `, password: person.password })
    expect([right.status, right.body.firstName]).toEqual([200, 'Ana'])
    const empty = await who.call('POST', '/api/login', { username: '', password: '' })
    expect(empty.body.errors.map((e: { message: string }) => e.message)).toEqual(['Email is required', 'Password is required'])
  })
  test('creates a new session token and invalidates the old one', async () => {
    const { who, person } = await registerPlayer()
    const before = who.cookie
    await who.call('POST', '/api/login', { username: person.email, password: person.password })
    expect(who.cookie).not.toBe(before)
    const thief = accountServer.browser({ cookie: before })
    expect((await thief.call('GET', '/api/user')).status).toBe(401)
    expect((await who.call('GET', '/api/user')).status).toBe(200)
  })
  // @spec:7.10
  test('ends at logout, and a logout without a session is no error', async () => {
    const { who } = await registerPlayer()
    const { cookie } = who
    expect((await who.call('POST', '/api/logout')).status).toBe(204)
    expect(who.cookie).toBe('')
    expect((await accountServer.browser({ cookie }).call('GET', '/api/user')).status).toBe(401)
    expect((await who.call('POST', '/api/logout')).status).toBe(204)
  })
  test('stores the session token only as a hash, and does not log it', async () => {
    const { who } = await registerPlayer()
    const token = who.cookie.slice('session='.length)
    const rows = await accountServer.sql`select encode(token, 'escape') as token, encode(token, 'base64') as b from sessions`
    expect(rows.some(row => row.token.includes(token) || row.b.includes(token))).toBe(false)
    expect(accountServer.logged.join('')).not.toContain(token)
  })
})

describe('the developer flags of a request', () => {
  // @spec:7.4
  test('give no access', async () => {
    const flags = { 'x-dev-testing': 'true' }
    const nobody = accountServer.browser(flags)
    expect((await nobody.call('GET', '/api/user?dev_bypass=true')).status).toBe(401)
    expect((await nobody.call('POST', '/api/admin/invitations?dev_bypass=true', { email: 'a@example.com' })).status).toBe(401)
    const { who } = await registerPlayer()
    expect((await who.call('POST', '/api/admin/invitations?dev_bypass=true', { email: 'a@example.com' }, flags)).status).toBe(403)
    expect((await nobody.call('GET', '/api/check-email?email=a@b.example&dev_bypass=true')).body).toEqual({ exists: false })
  })
})

describe('the two cookies of a session', () => {
  const ended = ['session=; HttpOnly; Path=/; SameSite=Lax; Max-Age=0', 'known=; Path=/; SameSite=Lax; Max-Age=0']
  const leftBy = async (ends: (who: Awaited<ReturnType<typeof registerPlayer>>) => ReturnType<CookieClient['call']>) =>
    (await ends(await registerPlayer())).headers.getSetCookie()

  test('are cleared together, however the session ends', async () => {
    expect(await leftBy(({ who }) => who.call('POST', '/api/logout'))).toEqual(ended)
    expect(
      await leftBy(async ({ who }) => {
        const [own] = (await who.call('GET', '/api/sessions')).body.sessions
        return who.call('DELETE', `/api/sessions/${own.id}`)
      }),
    ).toEqual(ended)
    const renewed = async (owner: string) =>
      (await makeEmailedLink(accountServer.sql, accountServer.deps.clock(), 'reset-password', { owner })).token
    const password = 'brand new one'
    expect(
      await leftBy(async ({ who, answer }) => who.call('POST', '/api/recovery/reset', { token: await renewed(answer.body.id), password })),
    ).toEqual(ended)
    const other = (await registerPlayer()).answer.body.id
    expect(await leftBy(async ({ who }) => who.call('POST', '/api/recovery/reset', { token: await renewed(other), password }))).toEqual([])
  })

  test('are Secure over https, and the session is bound to our host by its cookie name', async () => {
    const secure = await startTestServer({ origin: 'https://ours.test' })
    const person = newPlayerInput()
    const { headers } = await secure.browser().call('POST', '/api/register/player', person)
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-session=[\w-]{43}; HttpOnly; Path=\/; SameSite=Lax; Max-Age=2592000; Secure$/),
      '__Host-known=1; Path=/; SameSite=Lax; Max-Age=2592000; Secure',
      expect.stringMatching(/^__Host-device=[\w-]{43}; HttpOnly; Path=\/; SameSite=Lax; Max-Age=7776000; Secure$/),
    ])
    const [cookie] = headers.getSetCookie()[0]!.split(';')
    const as = async (cookie: string) => (await secure.browser({ cookie }).call('GET', '/api/user')).status
    expect(await as(`theme=x; ${cookie}; __Host-known=1`)).toBe(200)
    expect(await as(cookie!.replace('__Host-', ''))).toBe(401)
    const out = await secure.browser({ cookie: cookie! }).call('POST', '/api/logout')
    expect(out.headers.getSetCookie()).toEqual([
      '__Host-session=; HttpOnly; Path=/; SameSite=Lax; Max-Age=0; Secure',
      '__Host-known=; Path=/; SameSite=Lax; Max-Age=0; Secure',
    ])
    expect(await as(cookie!)).toBe(401)
    await secure.end()
  })
})

describe('sessions', () => {
  test('are listed and can be ended only by their owner', async () => {
    const { who, person } = await registerPlayer()
    const phone = accountServer.browser({
      'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Safari/604.1',
    })
    await phone.call('POST', '/api/login', { username: person.email, password: person.password })
    const { sessions } = (await who.call('GET', '/api/sessions')).body
    expect(sessions.map((s: { current: boolean }) => s.current)).toEqual([false, true])
    const theirs = sessions.find((s: { current: boolean }) => !s.current)
    expect(theirs.device).toBe('Safari on iPhone')
    const stranger = await registerPlayer()
    expect((await stranger.who.call('DELETE', `/api/sessions/${theirs.id}`)).status).toBe(404)
    expect((await phone.call('GET', '/api/user')).status).toBe(200)
    expect((await who.call('DELETE', `/api/sessions/${theirs.id}`)).status).toBe(204)
    expect((await phone.call('GET', '/api/user')).status).toBe(401)
    await phone.call('POST', '/api/login', { username: person.email, password: person.password })
    expect((await who.call('DELETE', '/api/sessions')).status).toBe(204)
    expect((await phone.call('GET', '/api/user')).status).toBe(401)
    expect((await who.call('GET', '/api/user')).status).toBe(200)
  })
  test('expire 30 days after their last use', async () => {
    const { who } = await registerPlayer()
    const idle = accountServer.browser({ cookie: who.cookie })
    accountServer.advanceClock(29 * DAY_MS)
    expect((await who.call('GET', '/api/user')).status).toBe(200)
    accountServer.advanceClock(29 * DAY_MS)
    expect((await who.call('GET', '/api/user')).status).toBe(200)
    accountServer.advanceClock(31 * DAY_MS)
    expect((await idle.call('GET', '/api/user')).status).toBe(401)
    accountServer.advanceClock(-89 * DAY_MS)
  })
})
