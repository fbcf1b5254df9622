import { describe, expect, test } from 'vitest'
import { createEmailedLinkToken } from '../../modules/accounts/emailed-links.ts'
import { accountTestServer, DAY_MS, registerPlayer, setUpAccountTestbed } from './account-testbed.ts'
import { type CookieClient, newPlayerInput, startTestServer } from './test-server.ts'

setUpAccountTestbed()

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
      (await createEmailedLinkToken(accountTestServer.sql, accountTestServer.deps.clock(), 'reset-password', { owner })).token
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
      expect.stringMatching(/^__Host-session=[\w-]{43}; HttpOnly; Path=\/; SameSite=Lax; Max-Age=34560000; Secure$/),
      '__Host-known=1; Path=/; SameSite=Lax; Max-Age=34560000; Secure',
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
    const phone = accountTestServer.browser({
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
    const idle = accountTestServer.browser({ cookie: who.cookie })
    accountTestServer.advanceClock(29 * DAY_MS)
    expect((await who.call('GET', '/api/user')).status).toBe(200)
    accountTestServer.advanceClock(29 * DAY_MS)
    expect((await who.call('GET', '/api/user')).status).toBe(200)
    accountTestServer.advanceClock(31 * DAY_MS)
    expect((await idle.call('GET', '/api/user')).status).toBe(401)
    accountTestServer.advanceClock(-89 * DAY_MS)
  })
})
