import { describe, expect, test } from 'vitest'
import { accountSessionCookies, accountSessionTokenOf, deviceCookie, deviceTokenOf } from '../../src/api/cookies.ts'

const [plain, https] = ['http://ours.test', 'https://ours.test']
const [token, other] = ['a-_9'.padEnd(43, 'x'), 'y'.repeat(43)]
const asking = (cookie?: string) => new Request(plain, { headers: cookie === undefined ? {} : { cookie } })

describe.each([
  ['session', accountSessionTokenOf],
  ['device', deviceTokenOf],
] as const)('the cookie of a %s', (name, of) => {
  test.each([
    [`${name}=${token}`, token],
    [`known=1; ${name}=${token}`, token],
    [`known=1;${name}=${token};x=1`, token],
    [`${name}=${token}; ${name}=${other}`, token],
    [`x${name}=${token}`, undefined],
    [`x-${name}=${token}`, undefined],
    [`${name}=${token}x`, undefined],
    [`${name}=${token.slice(1)}`, undefined],
    [`${name}=${token.slice(1)}.`, undefined],
    [`${name}=; known=1`, undefined],
    ['known=1', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('yields its token, if valid, from "%s"', (cookie, found) => {
    expect(of(asking(cookie), plain)).toBe(found)
    const prefixed = cookie?.replaceAll(new RegExp(`(?<![\\w-])${name}=`, 'g'), `__Host-${name}=`)
    expect(of(asking(prefixed), https)).toBe(found)
  })
  test('has the prefix __Host- over HTTPS and no prefix over HTTP', () => {
    expect(of(asking(`${name}=${token}`), https)).toBeUndefined()
    expect(of(asking(`__Host-${name}=${token}`), plain)).toBeUndefined()
    expect(of(asking(`${name}=${other}; __Host-${name}=${token}`), https)).toBe(token)
    expect(of(asking(`__Host-${name}=${other}; ${name}=${token}`), plain)).toBe(token)
  })
})

const DAY = 24 * 3600
test('a browser keeps both cookies of a session for 400 days, so that use extends it', () => {
  expect(accountSessionCookies(token, plain)).toEqual([
    `session=${token}; HttpOnly; Path=/; SameSite=Lax; Max-Age=${400 * DAY}`,
    `known=1; Path=/; SameSite=Lax; Max-Age=${400 * DAY}`,
  ])
  expect(accountSessionCookies(token, https)).toEqual([
    `__Host-session=${token}; HttpOnly; Path=/; SameSite=Lax; Max-Age=${400 * DAY}; Secure`,
    `__Host-known=1; Path=/; SameSite=Lax; Max-Age=${400 * DAY}; Secure`,
  ])
})
test('the end of a session clears both cookies', () => {
  expect(accountSessionCookies(null, plain)).toEqual([
    'session=; HttpOnly; Path=/; SameSite=Lax; Max-Age=0',
    'known=; Path=/; SameSite=Lax; Max-Age=0',
  ])
  expect(accountSessionCookies(null, https)[0]).toBe('__Host-session=; HttpOnly; Path=/; SameSite=Lax; Max-Age=0; Secure')
})
test('the device cookie lasts 90 days', () => {
  expect(deviceCookie(token, plain)).toBe(`device=${token}; HttpOnly; Path=/; SameSite=Lax; Max-Age=${90 * DAY}`)
  expect(deviceCookie(token, https)).toBe(`__Host-device=${token}; HttpOnly; Path=/; SameSite=Lax; Max-Age=${90 * DAY}; Secure`)
})
