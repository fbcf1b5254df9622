import { availableParallelism } from 'node:os'
import { describe, expect, test } from 'vitest'
import { verifyPassword } from '../../modules/accounts/passwords.ts'
import { cheapPasswordHash, slowToVerifyPasswordHash } from '../support/password-hashes.ts'
import { accountTestServer, registerPlayer, setUpAccountTestbed } from './account-testbed.ts'
import { birthDateForAge, newInstructorInput, newPlayerInput } from './test-server.ts'

setUpAccountTestbed()

describe('a rate limit', () => {
  /** Runs `what` and returns the arguments of each call to the rate limiter: the name of the limit, then the keys. */
  async function counted(what: () => Promise<unknown>) {
    const { limits } = accountTestServer.deps
    const taken: unknown[][] = []
    accountTestServer.deps.limits = { take: async (...one) => void taken.push(one) }
    await what().finally(() => {
      accountTestServer.deps.limits = limits
    })
    return taken
  }

  test('counts each kind of call, and also by account if the call names one', async () => {
    const { call } = accountTestServer.browser()
    const token = 'x'.repeat(43)
    const { dateOfBirth: _, ...admin } = newPlayerInput({ token })
    const child = await registerPlayer({ dateOfBirth: birthDateForAge(14), guardianName: 'Pat', guardianEmail: 'pat@example.com' })
    const calls: [string, string, object | undefined, unknown[]][] = [
      ['POST', '/api/login', { username: 'Ana@example.com', password: 'not the one' }, ['login', '', 'Ana@example.com']],
      ['POST', '/api/register/player', newPlayerInput(), ['register', '']],
      ['POST', '/api/register/instructor', newInstructorInput(), ['register', '']],
      ['POST', '/api/register/admin', admin, ['register', '']],
      ['GET', '/api/check-email?email=a@b.example', undefined, ['check-email', '']],
      ['POST', '/api/recovery/password', { email: 'Ana@example.com' }, ['recovery', '', 'Ana@example.com']],
      [
        'POST',
        '/api/recovery/email',
        { phone: '+1 (555) 777-1234', firstName: 'A', lastName: 'B' },
        ['recovery', '', expect.stringMatching(/^5557771234 [0-9a-f]{64}$/)],
      ],
      ['POST', '/api/recovery/reset', { token, password: 'brand new one' }, ['recovery', '']],
      ['GET', `/api/links/admin/${token}`, undefined, ['link', '']],
      ['GET', `/api/guardian/${token}`, undefined, ['guardian', '']],
      ['POST', `/api/guardian/${token}`, { answer: 'yes' }, ['guardian', '']],
      ['POST', '/api/family/sign-in', { email: 'Pat@example.com' }, ['recovery', '', 'family:Pat@example.com']],
      ['POST', `/api/family/links/${token}`, undefined, ['link', '']],
    ]
    for (const [method, path, body, expected] of calls)
      expect([path, await counted(() => call(method, path, body))]).toEqual([path, [expected]])
    const named = await counted(() => child.who.call('POST', '/api/guardian', { name: 'Pat', email: 'pat@example.com' }))
    expect(named).toEqual([['guardian', '', child.answer.body.id]])
  })

  test('counts login attempts from a known browser by browser and account', async () => {
    const [one, two] = [await registerPlayer(), await registerPlayer()]
    const device = /device=[\w-]{43}/.exec(one.answer.headers.getSetCookie().join())![0]
    const other = /device=[\w-]{43}/.exec(two.answer.headers.getSetCookie().join())![0]
    const tries = (username: string, cookie: string) =>
      counted(() => accountTestServer.browser({ cookie }).call('POST', '/api/login', { username, password: 'not the one' }))
    const [known] = (await tries(one.person.email, device)) as [unknown[]]
    expect(known).toEqual(['known-device', '', expect.stringMatching(/^[0-9a-f]{64}$/)])
    expect(await tries(` ${one.person.email.toUpperCase()} `, device)).toEqual([known])
    expect(await tries(one.person.email, other)).toEqual([['login', '', one.person.email]])
    await accountTestServer
      .browser({ cookie: device })
      .call('POST', '/api/login', { username: two.person.email, password: two.person.password })
    const [both] = (await tries(two.person.email, device)) as [unknown[]]
    expect([both[0], both[2] === known[2]]).toEqual(['known-device', false])
  })

  test('does not count requests refused because the password queue is full', async () => {
    const { who, person } = await registerPlayer()
    const { dateOfBirth: _, ...admin } = newPlayerInput({ token: 'x'.repeat(43) })
    const [threads, kept] = [Math.max(1, availableParallelism() - 1), cheapPasswordHash('x')]
    const flood = Array.from({ length: 385 * threads }, (_, i) => verifyPassword('x', i < threads ? slowToVerifyPasswordHash : kept))
    const taken = await counted(async () => {
      const answers = await Promise.all([
        who.call('POST', '/api/login', { username: person.email, password: person.password }),
        accountTestServer.browser().call('POST', '/api/register/player', newPlayerInput()),
        accountTestServer.browser().call('POST', '/api/register/instructor', newInstructorInput()),
        accountTestServer.browser().call('POST', '/api/register/admin', admin),
      ])
      expect(answers.map(a => [a.status, a.headers.get('retry-after')])).toEqual(Array.from({ length: 4 }, () => [503, '2']))
    })
    expect(taken).toEqual([])
    await Promise.all(flood)
  })
})
