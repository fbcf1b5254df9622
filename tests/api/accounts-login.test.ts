import { describe, expect, test } from 'vitest'
import { accountTestServer, registerPlayer, setUpAccountTestbed } from './account-testbed.ts'

setUpAccountTestbed()

describe('login', () => {
  // @spec:7.6
  test('fails in the same way for a wrong password and for an unknown account', async () => {
    const { person } = await registerPlayer()
    const who = accountTestServer.browser()
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
    const thief = accountTestServer.browser({ cookie: before })
    expect((await thief.call('GET', '/api/user')).status).toBe(401)
    expect((await who.call('GET', '/api/user')).status).toBe(200)
  })
  test('leaves the current session alone if the password is just being changed', async () => {
    const { who, person } = await registerPlayer()
    let answer!: ReturnType<typeof who.call>
    // The login verifies the old password, and then waits for the transaction that changes it.
    await accountTestServer.sql.begin(async tx => {
      await tx`update users set password = password || 'A' where username = ${person.email.toLowerCase()}`
      answer = who.call('POST', '/api/login', { username: person.email, password: person.password })
      const waiting = () => accountTestServer.sql`
        select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%from users%for no key update%'`
      await expect.poll(async () => (await waiting()).length).toBe(1)
    })
    expect((await answer).status).toBe(401)
    expect((await who.call('GET', '/api/user')).status).toBe(200)
  })
  // @spec:7.10
  test('ends at logout, and logging out without a session is not an error', async () => {
    const { who } = await registerPlayer()
    const { cookie } = who
    expect((await who.call('POST', '/api/logout')).status).toBe(204)
    expect(who.cookie).toBe('')
    expect((await accountTestServer.browser({ cookie }).call('GET', '/api/user')).status).toBe(401)
    expect((await who.call('POST', '/api/logout')).status).toBe(204)
  })
  test('stores the session token only as a hash, and does not log it', async () => {
    const { who } = await registerPlayer()
    const token = who.cookie.slice('session='.length)
    const rows = await accountTestServer.sql`select encode(token, 'escape') as token, encode(token, 'base64') as b from sessions`
    expect(rows.some(row => row.token.includes(token) || row.b.includes(token))).toBe(false)
    expect(accountTestServer.logged.join('')).not.toContain(token)
  })
})

describe('the developer flags of a request', () => {
  // @spec:7.4
  test('give no access', async () => {
    const flags = { 'x-dev-testing': 'true' }
    const nobody = accountTestServer.browser(flags)
    expect((await nobody.call('GET', '/api/user?dev_bypass=true')).status).toBe(401)
    expect((await nobody.call('POST', '/api/admin/invitations?dev_bypass=true', { email: 'a@example.com' })).status).toBe(401)
    const { who } = await registerPlayer()
    expect((await who.call('POST', '/api/admin/invitations?dev_bypass=true', { email: 'a@example.com' }, flags)).status).toBe(403)
    expect((await nobody.call('GET', '/api/check-email?email=a@b.example&dev_bypass=true')).body).toEqual({ exists: false })
  })
})
