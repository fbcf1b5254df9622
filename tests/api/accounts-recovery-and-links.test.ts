import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createEmailedLinkToken, findEmailedLink } from '../../modules/accounts/emailed-links.ts'
import { scheduleAccountRecoveryLetters } from '../../modules/accounts/recovery.ts'
import { accountTestServer, lastPostedErrandWithLink, registerPlayer, setUpAccountTestbed, uniquePhoneSuffix } from './account-testbed.ts'
import { newPlayerInput } from './test-server.ts'

setUpAccountTestbed()

/** Asks the API whether a link works, as the link's page does when it is opened. */
const works = async (kind: 'reset-password' | 'admin', token: string) => {
  const answer = await accountTestServer.browser().call('GET', `/api/links/${kind}/${token}`)
  expect(answer.status).toBe(200)
  expect(accountTestServer.logged.join('')).not.toContain(token)
  return answer.body.works
}

describe('account recovery', () => {
  test('sends a password link that works once and ends all other sessions', async () => {
    const { who, person, answer } = await registerPlayer()
    const nobody = accountTestServer.browser()
    expect((await nobody.call('POST', '/api/recovery/password', { email: person.email.toUpperCase() })).status).toBe(204)
    const asked = (await accountTestServer.postedErrands('account.recover')).at(-1)!
    expect(JSON.stringify(asked)).not.toContain('@')
    await scheduleAccountRecoveryLetters(
      accountTestServer.sql,
      accountTestServer.deps.post,
      asked.payload.recovery as string,
      accountTestServer.deps.clock(),
    )
    const { errand, link } = await lastPostedErrandWithLink('letter.reset-password')
    expect(errand.payload.user).toBe(answer.body.id)
    expect((await nobody.call('POST', '/api/recovery/reset', { token: link.token, password: 'short' })).status).toBe(422)
    // Checking a link does not use it up.
    expect([await works('reset-password', link.token), await works('reset-password', link.token)]).toEqual([true, true])
    expect([await works('admin', link.token), await works('reset-password', 'guessed')]).toEqual([false, false])
    expect((await nobody.call('POST', '/api/recovery/reset', { token: link.token, password: 'brand new one' })).status).toBe(204)
    expect(await works('reset-password', link.token)).toBe(false)
    expect((await who.call('GET', '/api/user')).status).toBe(401)
    expect((await nobody.call('POST', '/api/login', { username: person.email, password: person.password })).status).toBe(401)
    expect((await nobody.call('POST', '/api/login', { username: person.email, password: 'brand new one' })).status).toBe(200)
    const again = await nobody.call('POST', '/api/recovery/reset', { token: link.token, password: 'brand new two' })
    expect([again.status, again.body.code]).toEqual([410, 'link-over'])
    expect(again.body.message).toBe('This link has already been used or has expired. Ask for a new one.')
  })
  test('ends sessions that were started with the old password during the reset', async () => {
    const { person, answer } = await registerPlayer()
    const { token } = await createEmailedLinkToken(accountTestServer.sql, accountTestServer.deps.clock(), 'reset-password', {
      owner: answer.body.id,
    })
    const resetting = accountTestServer.browser().call('POST', '/api/recovery/reset', { token, password: 'brand new one' })
    const guessing = Array.from({ length: 6 }, () =>
      accountTestServer.browser().call('POST', '/api/login', { username: person.email, password: person.password }),
    )
    expect((await resetting).status).toBe(204)
    const answers = await Promise.all(guessing)
    expect(await accountTestServer.sql`select device from sessions where owner = ${answer.body.id}`).toEqual([])
    // The reset also makes the server forget the account's known browsers, whose login attempts are counted separately.
    expect(await accountTestServer.sql`select owner from devices where owner = ${answer.body.id}`).toEqual([])
    for (const { status } of answers) expect([200, 401]).toContain(status)
  })
  test('sends a password link that expires after an hour', async () => {
    const { answer } = await registerPlayer()
    const link = await createEmailedLinkToken(accountTestServer.sql, accountTestServer.deps.clock(), 'reset-password', {
      owner: answer.body.id,
    })
    accountTestServer.advanceClock(61 * 60_000)
    expect(await works('reset-password', link.token)).toBe(false)
    expect(
      (await accountTestServer.browser().call('POST', '/api/recovery/reset', { token: link.token, password: 'brand new one' })).status,
    ).toBe(410)
  })
  test('gives known and unknown addresses the same answer before looking them up', async () => {
    const { person } = await registerPlayer()
    const before = (await accountTestServer.postedErrands()).length
    const locked = await accountTestServer.sql.reserve()
    // While this lock is held, every query for an account blocks, so a response that arrives anyway proves that nobody was looked up.
    await locked`begin`
    await locked`lock table users in access exclusive mode`
    const seen = async (email: string) => {
      const { status, text, headers } = await accountTestServer.browser().call('POST', '/api/recovery/password', { email })
      return { status, text, headers: [...headers.keys()] }
    }
    const answers = Promise.all([seen(person.email), seen('nobody.at.all@example.com')])
    const late = new Promise<never>((_, fail) => setTimeout(fail, 60_000, new Error('somebody was looked up')))
    try {
      const [known, unknown] = await Promise.race([answers, late])
      expect(known).toEqual(unknown)
      expect([known.status, known.text]).toEqual([204, ''])
    } finally {
      await locked`rollback`
      locked.release()
    }
    const asked = (await accountTestServer.postedErrands()).slice(before)
    expect(asked.map(e => e.kind)).toEqual(['account.recover', 'account.recover'])
    for (const { payload } of asked)
      await scheduleAccountRecoveryLetters(
        accountTestServer.sql,
        accountTestServer.deps.post,
        payload.recovery as string,
        accountTestServer.deps.clock(),
      )
  })
  test('of a password sends no email to an unknown address', async () => {
    const answer = await accountTestServer.browser().call('POST', '/api/recovery/password', { email: 'nobody@example.com' })
    expect([answer.status, answer.text]).toEqual([204, ''])
    const before = await accountTestServer.postedErrands()
    await scheduleAccountRecoveryLetters(
      accountTestServer.sql,
      accountTestServer.deps.post,
      (await accountTestServer.postedErrands('account.recover')).at(-1)!.payload.recovery as string,
      accountTestServer.deps.clock(),
    )
    expect(await accountTestServer.postedErrands()).toHaveLength(before.length)
    expect(await accountTestServer.sql`select 1 from recoveries`).toHaveLength(0)
  })
  test('by phone and name sends a letter to the forgotten email address', async () => {
    const number = uniquePhoneSuffix()
    const { answer } = await registerPlayer({ phone: `+1 (555) 777-${number}`, firstName: 'Lou', lastName: 'Gomez' })
    const asked = { phone: `555.777.${number}`, firstName: 'lou', lastName: 'GOMEZ' }
    expect((await accountTestServer.browser().call('POST', '/api/recovery/email', asked)).status).toBe(204)
    await scheduleAccountRecoveryLetters(
      accountTestServer.sql,
      accountTestServer.deps.post,
      (await accountTestServer.postedErrands('account.recover')).at(-1)!.payload.recovery as string,
      accountTestServer.deps.clock(),
    )
    expect((await accountTestServer.postedErrands('letter.your-email')).at(-1)!.payload).toEqual({ user: answer.body.id })
  })
})

describe('emailed links', () => {
  const MINUTE = 60_000
  test.each([
    ['reset-password', 60],
    ['guardian', 30 * 24 * 60],
    ['family-sign-in', 60],
    ['admin-setup', 24 * 60],
    ['admin-invitation', 7 * 24 * 60],
  ] as const)('%s works for exactly %i minutes', async (kind, minutes) => {
    const now = new Date()
    const owner = (await registerPlayer()).answer.body.id
    const { token } = await createEmailedLinkToken(accountTestServer.sql, now, kind, { owner })
    const at = (later: number) => findEmailedLink(accountTestServer.sql, new Date(now.getTime() + later), kind, token)
    expect([(await at(minutes * MINUTE - 1000)) !== null, await at(minutes * MINUTE + 1000)]).toEqual([true, null])
  })
})

test('an email is found only if phone, first name and last name all match', async () => {
  const phone = `555-010-${uniquePhoneSuffix()}`
  const { answer } = await registerPlayer({ phone, firstName: 'Maya', lastName: 'Quist' })
  await registerPlayer({ phone, firstName: 'Theo', lastName: 'Quist' })
  const letters = async (asked: object) => {
    await accountTestServer.sql`delete from errands where kind = 'letter.your-email'`
    expect((await accountTestServer.browser().call('POST', '/api/recovery/email', asked)).status).toBe(204)
    const [row] = await accountTestServer.sql<{ id: string }[]>`select id from recoveries order by at desc limit 1`
    await scheduleAccountRecoveryLetters(accountTestServer.sql, accountTestServer.deps.post, row!.id, accountTestServer.deps.clock())
    return (await accountTestServer.postedErrands('letter.your-email')).map(e => e.payload.user)
  }
  expect(await letters({ phone, firstName: 'maya', lastName: 'QUIST' })).toEqual([answer.body.id])
  expect(await letters({ phone, firstName: 'Ana', lastName: 'Quist' })).toEqual([])
  expect(await letters({ phone, firstName: 'Maya', lastName: 'Quinn' })).toEqual([])
  expect(await letters({ phone: `555-010-${uniquePhoneSuffix()}`, firstName: 'Maya', lastName: 'Quist' })).toEqual([])
})

describe('administrators', () => {
  // @spec:7.9
  test('register by the setup link while there is no administrator, later by invitation', async () => {
    await accountTestServer.sql`delete from users where role = 'admin'`
    const nobody = accountTestServer.browser()
    const plain = { ...newPlayerInput(), dateOfBirth: undefined }
    const closed = await nobody.call('POST', '/api/register/admin', plain)
    expect([closed.status, closed.body.message]).toEqual([
      ...[403, 'This link cannot create an administrator account. Ask an administrator for an invitation.'],
    ])
    expect((await nobody.call('POST', '/api/register/admin', { ...plain, token: 'x'.repeat(43) })).status).toBe(403)
    const setup = await createEmailedLinkToken(accountTestServer.sql, accountTestServer.deps.clock(), 'admin-setup')
    const spare = await createEmailedLinkToken(accountTestServer.sql, accountTestServer.deps.clock(), 'admin-setup')
    expect([await works('admin', setup.token), await works('admin', spare.token)]).toEqual([true, true])
    const both = await Promise.all(
      [setup, spare].map(link =>
        accountTestServer.browser().call('POST', '/api/register/admin', { ...newPlayerInput(), dateOfBirth: undefined, token: link.token }),
      ),
    )
    expect(both.map(a => a.status).sort()).toEqual([201, 403])
    // Once there is an administrator, the unused setup link stops working, too.
    expect([await works('admin', setup.token), await works('admin', spare.token)]).toEqual([false, false])

    const admin = accountTestServer.browser()
    const [{ email }] = (await accountTestServer.sql`select email from users where role = 'admin'`) as unknown as [{ email: string }]
    await admin.call('POST', '/api/login', { username: email, password: 'correct horse' })
    expect((await admin.call('GET', '/api/user')).body.role).toBe('admin')
    const inviting = { 'idempotency-key': randomUUID() }
    const before = (await accountTestServer.postedErrands('letter.admin-invitation')).length
    for (let i = 0; i < 2; i++)
      expect((await admin.call('POST', '/api/admin/invitations', { email: 'next@example.com' }, inviting)).status).toBe(204)
    expect(await accountTestServer.postedErrands('letter.admin-invitation')).toHaveLength(before + 1)
    const { link } = await lastPostedErrandWithLink('letter.admin-invitation')
    expect(link.email).toBe('next@example.com')
    expect(await works('admin', link.token)).toBe(true)
    // The response was lost, so the new administrator presses the button again, although the link has been used up.
    const key = { 'idempotency-key': randomUUID() }
    const next = await accountTestServer.browser().call('POST', '/api/register/admin', { ...plain, token: link.token }, key)
    expect([next.status, next.body.role]).toEqual([201, 'admin'])
    expect((await accountTestServer.postedErrands('invitation.joined')).at(-1)!.payload).toMatchObject({ user: next.body.id })
    const same = await accountTestServer.browser().call('POST', '/api/register/admin', { ...plain, token: link.token }, key)
    expect([same.status, same.body.id]).toEqual([201, next.body.id])
    const twice = await accountTestServer
      .browser()
      .call('POST', '/api/register/admin', { ...plain, email: 'third@example.com', token: link.token })
    expect(twice.status).toBe(403)
  })
})
