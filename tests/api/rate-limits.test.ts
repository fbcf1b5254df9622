import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEmailedLinkToken } from '../../modules/accounts/emailed-links.ts'
import { birthDateForAge, newInstructorInput, newPlayerInput, ORIGIN, startTestServer, type TestServer } from './test-server.ts'

let h: TestServer
beforeAll(async () => {
  h = await startTestServer({ limits: 1 })
})
afterAll(() => h.end())

test('a request over the limit gets a 429 with Retry-After', async () => {
  const tries = []
  for (let i = 0; i < 21; i++) tries.push(await h.browser().call('GET', '/api/check-email?email=a@b.example'))
  expect(tries.slice(0, 20).every(t => t.status === 200)).toBe(true)
  expect([tries[20]!.status, tries[20]!.body.code]).toEqual([429, 'too-many'])
  expect(Number(tries[20]!.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(Number(tries[20]!.headers.get('retry-after'))).toBeLessThanOrEqual(60)
})

describe('over HTTP, with limits at a fifth of the usual ones', () => {
  let small: TestServer
  let server: Server
  let networks = 0
  beforeAll(async () => {
    small = await startTestServer({ limits: 0.2 })
    server = createServer(small.app.handler).listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  afterAll(async () => {
    await new Promise(done => server.close(done))
    await small.end()
  })

  /** Sends a request as our own proxy forwards it from a client with this address. */
  const ask = (from: string, call: string, body?: object | URLSearchParams, cookie?: string) => {
    const [method, path] = call.split(' ') as [string, string]
    const form = body instanceof URLSearchParams
    return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        origin: ORIGIN,
        'x-forwarded-for': from,
        ...(cookie && { cookie }),
        ...(body && !form && { 'content-type': 'application/json' }),
      },
      ...(body && { body: form ? body : JSON.stringify(body) }),
    })
  }
  type Try = (from: string) => Promise<Response>
  /** How many requests are let through before one gets a 429, at most `most`. */
  const untilRefused = async (tries: Try, from: (i: number) => string, most = 50) => {
    for (let i = 0; i < most; i++) {
      const answer = await tries(from(i))
      await answer.text()
      if (answer.status !== 429) continue
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      return i
    }
    return most
  }
  const inOneNetwork = () => {
    const network = `198.51.${++networks}`
    return (i: number) => `${network}.${i + 1}`
  }
  const atOneAddress = () => {
    const address = inOneNetwork()(0)
    return () => address
  }
  let lastUnusedNumber = 0
  const nobody = () => `nobody${++lastUnusedNumber}@example.com`
  const number = () => String(5550000000 + ++lastUnusedNumber)
  const token = 'x'.repeat(43)
  const name = { firstName: 'Ana', lastName: 'Lima' }

  const [player, instructor] = [newPlayerInput(), newInstructorInput()]
  const { dateOfBirth: _, ...admin } = newPlayerInput()
  const login: Try = from => ask(from, 'POST /api/login', { username: nobody(), password: 'correct horse' })
  const lead: Try = from => ask(from, 'POST /api/landing-page/leads', { email: nobody() })
  const form: Try = from => ask(from, 'POST /api/landing-page/start', new URLSearchParams({ email: nobody() }))
  const check: Try = from => ask(from, `GET /api/check-email?email=${nobody()}`)

  test.each<[string, Try, { address: number; network: number }]>([
    ['a login', login, { address: 6, network: 24 }],
    ["a player's registration", from => ask(from, 'POST /api/register/player', player), { address: 6, network: 24 }],
    ["an instructor's registration", from => ask(from, 'POST /api/register/instructor', instructor), { address: 6, network: 24 }],
    ["an administrator's registration", from => ask(from, 'POST /api/register/admin', { ...admin, token }), { address: 6, network: 24 }],
    ['a check whether an email is known', check, { address: 4, network: 12 }],
    ['a lead', lead, { address: 4, network: 20 }],
    ['a forgotten password', from => ask(from, 'POST /api/recovery/password', { email: nobody() }), { address: 2, network: 8 }],
    ['a forgotten email', from => ask(from, 'POST /api/recovery/email', { phone: number(), ...name }), { address: 2, network: 8 }],
    ['a new password', from => ask(from, 'POST /api/recovery/reset', { token, password: 'correct horse' }), { address: 2, network: 8 }],
    ["opening a guardian's link", from => ask(from, `GET /api/guardian/${token}`), { address: 4, network: 12 }],
    ["a guardian's consent", from => ask(from, `POST /api/guardian/${token}`, { answer: 'yes' }), { address: 4, network: 12 }],
    ['opening an emailed link', from => ask(from, `GET /api/links/reset-password/${token}`), { address: 12, network: 40 }],
  ])('%s is limited by address and by network', async (_, tries, { address, network }) => {
    expect(await untilRefused(tries, atOneAddress())).toBe(address)
    expect(await untilRefused(tries, inOneNetwork())).toBe(network)
  })

  test('the no-script form always continues, but saves leads only up to the limit', async () => {
    const kept = async () => (await small.sql`select 1 from leads`).length
    for (const [from, most] of [
      [atOneAddress(), { check: 4, lead: 4 }],
      [inOneNetwork(), { check: 12, lead: 20 }],
    ] as const) {
      const before = await kept()
      const answers = []
      for (let i = 0; i < most.check + 2; i++) answers.push(await form(from(i)))
      expect(new Set(answers.map(a => a.status))).toEqual(new Set([303]))
      expect(await kept()).toBe(before + most.check)
      expect((await check(from(100))).status).toBe(429)
      expect(await untilRefused(lead, i => from(100 + i))).toBe(most.lead - most.check)
    }
  })

  test('wrong passwords elsewhere do not lock an owner out of a device they used before', async () => {
    const anywhere = (i: number) => `203.1.${i}.${++lastUnusedNumber % 250}`
    const [owner, stranger] = [newPlayerInput(), newPlayerInput()]
    const deviceOf = async (person: typeof owner) => {
      const registered = await ask('192.0.2.1', 'POST /api/register/player', person)
      return /device=[\w-]{43}/.exec(registered.headers.getSetCookie().join())![0]
    }
    const [device, other] = [await deviceOf(owner), await deviceOf(stranger)]
    const login =
      (password: string, cookie?: string): Try =>
      from =>
        ask(from, 'POST /api/login', { username: owner.email, password }, cookie)
    expect(await untilRefused(login('not the one'), anywhere)).toBe(20)
    expect((await login(owner.password)('198.18.0.1')).status).toBe(429)
    expect((await login(owner.password, other)('198.18.0.2')).status).toBe(429)
    const back = await login(owner.password, device)('198.18.0.3')
    expect([back.status, back.headers.getSetCookie().some(c => c.startsWith(device))]).toEqual([200, true])
    // The owner's login does not lift the limit for unknown devices. The known device has five of its six attempts left.
    expect(await untilRefused(login('not the one'), atOneAddress())).toBe(0)
    expect(await untilRefused(login('not the one', device), anywhere)).toBe(5)
    // Resetting the password deletes the account's known devices.
    const [row] = await small.sql`select id from users where username = ${owner.email}`
    const { token } = await createEmailedLinkToken(small.sql, new Date(), 'reset-password', { owner: row!.id })
    expect((await ask('198.18.1.1', 'POST /api/recovery/reset', { token, password: 'another one here' })).status).toBe(204)
    expect(await small.sql`select 1 from devices where owner = ${row!.id}`).toEqual([])
  })

  test('support requests are limited by account and address, guardian changes by account', async () => {
    const anywhere = (i: number) => `203.2.${i}.${++lastUnusedNumber % 250}`
    const signedIn = async (more: object = {}) => {
      const registered = await ask(anywhere(++lastUnusedNumber % 250), 'POST /api/register/player', newPlayerInput(more))
      return /session=[\w-]{43}/.exec(registered.headers.getSetCookie().join())![0]
    }
    const issue = { requestType: 'issue', content: 'My video stops at 0:12.' }
    const help = (cookies: string[]): Try => {
      let i = 0
      return from => ask(from, 'POST /api/support/request', issue, cookies[i++ % cookies.length])
    }
    const people = await Promise.all(Array.from({ length: 5 }, () => signedIn()))
    expect(await untilRefused(help(people.slice(0, 1)), anywhere)).toBe(4)
    expect(await untilRefused(help(people.slice(1)), atOneAddress())).toBe(12)
    const child = await signedIn({ dateOfBirth: birthDateForAge(14), guardianName: 'Rosa García', guardianEmail: nobody() })
    const another: Try = from => ask(from, 'POST /api/guardian', { name: 'Rosa García', email: nobody() }, child)
    expect(await untilRefused(another, anywhere)).toBe(1)
  })

  test('account limits hold across addresses, even if a phone or email is respelled', async () => {
    const anywhere = (i: number) => `203.0.${i}.${++lastUnusedNumber % 250}`
    const same = (...bodies: object[]) => {
      let i = 0
      return (call: string): Try =>
        from =>
          ask(from, call, bodies[i++ % bodies.length]!)
    }
    expect(await untilRefused(same({ username: player.email, password: 'not the one' })('POST /api/login'), anywhere)).toBe(20)
    const email = nobody()
    expect(await untilRefused(same({ email }, { email: ` ${email.toUpperCase()}` })('POST /api/recovery/password'), anywhere)).toBe(1)
    const spelled = ['555.777.1234', '+1 (555) 777-1234'].map(phone => ({ phone, ...name }))
    expect(await untilRefused(same(...spelled)('POST /api/recovery/email'), anywhere)).toBe(1)
  })
})

test('clients behind a known proxy count separately, and cannot forge their address', async () => {
  const from = async (proxies: string[], forwarded: string[]) => {
    const behind = await startTestServer({ limits: 0.2, proxies })
    const server = createServer(behind.app.handler).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const statuses = []
    for (const address of forwarded)
      statuses.push(
        (await fetch(`http://127.0.0.1:${port}/api/check-email?email=a@b.example`, { headers: { 'x-forwarded-for': address } })).status,
      )
    await new Promise(done => server.close(done).closeAllConnections())
    await behind.end()
    return statuses.filter(status => status === 429).length
  }
  const people = Array.from({ length: 6 }, (_, i) => `203.${i}.113.7`)
  expect(await from(['127.0.0.0/8'], people)).toBe(0)
  expect(await from(['10.0.0.0/8'], people)).toBe(2)
  // Only the last entry before those of our own proxies counts; earlier ones may be forged.
  const inner = people.map(address => `${address}, 198.51.100.1, 10.1.2.3`)
  expect(await from(['127.0.0.0/8', '10.0.0.0/8'], inner)).toBe(2)
})
