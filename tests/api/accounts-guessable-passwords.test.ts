import { describe, expect, test } from 'vitest'
import { hashPassword } from '../../modules/accounts/passwords.ts'
import { scheduleAccountRecoveryLetters } from '../../modules/accounts/recovery.ts'
import { accountTestServer, lastPostedErrandWithLink, registerPlayer, setUpAccountTestbed, uniqueEmail } from './account-testbed.ts'
import { newInstructorInput, newPlayerInput } from './test-server.ts'

setUpAccountTestbed()

const COMMON = 'This password is too common. Choose another one, such as a few words'

const OWN_WORDS = 'A password with your name, your email or the name of this site is easy to guess. Choose another one, such as a few words'

test("a password made of site words, the owner's name or their email is refused", async () => {
  const anybody = accountTestServer.browser()
  const refusal = { status: 422, body: { errors: [{ field: 'password', message: OWN_WORDS }] } }
  const own = { firstName: 'Zuzanna', lastName: 'Wiśniewska', email: uniqueEmail('zw.pitcher') }
  for (const password of ['diamondlink', 'extra-innings', 'Zuzanna2012', 'zuzanna wisniewska', 'zw.pitcher1']) {
    expect((await registerPlayer({ ...own, password })).answer).toMatchObject(refusal)
    expect(await anybody.call('POST', '/api/register/instructor', newInstructorInput({ ...own, password }))).toMatchObject(refusal)
    const admin = { ...newPlayerInput({ ...own, password }), dateOfBirth: undefined, token: 'x' }
    expect(await anybody.call('POST', '/api/register/admin', admin)).toMatchObject(refusal)
  }
  const { person } = await registerPlayer(own)
  expect((await anybody.call('POST', '/api/recovery/password', { email: person.email })).status).toBe(204)
  await scheduleAccountRecoveryLetters(
    accountTestServer.sql,
    accountTestServer.deps.post,
    (await accountTestServer.postedErrands('account.recover')).at(-1)!.payload.recovery as string,
    accountTestServer.deps.clock(),
  )
  const { token } = (await lastPostedErrandWithLink('letter.reset-password')).link
  for (const password of ['extra-innings', 'Zuzanna2012'])
    expect(await anybody.call('POST', '/api/recovery/reset', { token, password })).toMatchObject(refusal)
  expect((await anybody.call('POST', '/api/recovery/reset', { token, password: 'zuzanna and the whale' })).status).toBe(204)
})

describe('a common password', () => {
  test('cannot be chosen in any role, but still works at login if it already exists', async () => {
    const anybody = accountTestServer.browser()
    const refusal = { status: 422, body: { errors: [{ field: 'password', message: COMMON }] } }
    const admin = { ...newPlayerInput({ password: 'sunshine1' }), dateOfBirth: undefined, token: 'x' }
    expect(await anybody.call('POST', '/api/register/admin', admin)).toMatchObject(refusal)
    expect(await anybody.call('POST', '/api/register/instructor', newInstructorInput({ password: 'baseball' }))).toMatchObject(refusal)
    expect(await anybody.call('POST', '/api/recovery/reset', { token: 'x', password: 'football' })).toMatchObject(refusal)
    for (const password of ['Own.Address@example.com', 'own.address']) {
      expect((await registerPlayer({ email: 'own.address@example.com', password })).answer).toMatchObject(refusal)
    }
    const { person } = await registerPlayer()
    await accountTestServer.sql`update users set password = ${await hashPassword('football')} where username = ${person.email}`
    expect((await anybody.call('POST', '/api/login', { username: person.email, password: 'football' })).status).toBe(200)
  })
})
