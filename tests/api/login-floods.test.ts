import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { availableParallelism } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyPassword } from '../../modules/accounts/passwords.ts'
import { cheapPasswordHash, slowToVerifyPasswordHash } from '../support/password-hashes.ts'
import { newPlayerInput, ORIGIN, startTestServer, type TestServer } from './test-server.ts'

describe('logins while the queue of password checks is full', () => {
  const kept = cheapPasswordHash('correct horse')
  const threads = Math.max(1, availableParallelism() - 1)
  let many: TestServer
  let server: Server
  beforeAll(async () => {
    many = await startTestServer()
    server = createServer(many.app.handler).listen(0, '127.0.0.1')
    await once(server, 'listening')
    await many.sql`
      insert into users (id, role, username, email, password, first_name, last_name, command, created)
      select gen_random_uuid(), 'player', 'one' || i || '@crowd.example', 'one' || i || '@crowd.example', ${kept}, 'Ana', 'Diaz',
        gen_random_uuid(), now()
      from generate_series(1, 300) as i`
  })
  afterAll(async () => {
    await new Promise(done => server.close(done))
    await many.end()
  })
  const login = async (from: string, username: string, cookie = '') => {
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/login`, {
      method: 'POST',
      headers: { origin: ORIGIN, 'x-forwarded-for': from, 'content-type': 'application/json', cookie },
      body: JSON.stringify({ username, password: 'correct horse' }),
    })
    await answer.text()
    return answer.status
  }
  /** Requests about 1.5 times as many password checks as the hashing threads and the queue can hold; the rest are refused. */
  const flood = (asker: (i: number) => string[]) => {
    return Array.from({ length: 600 * threads }, (_, i) =>
      verifyPassword('x', i < threads ? slowToVerifyPasswordHash : kept, asker(i)).catch(() => {}),
    )
  }

  test('300 people who log in at the same moment are let in', async () => {
    const busy = Array.from({ length: threads }, () => verifyPassword('x', slowToVerifyPasswordHash))
    const people = Array.from({ length: 300 }, (_, i) => login(`198.${18 + (i >> 8)}.${i & 255}.1`, `one${i + 1}@crowd.example`))
    expect(await Promise.all(people)).toEqual(Array(300).fill(200))
    await Promise.all(busy)
  })
  test('a flood of logins from one address locks out nobody else', async () => {
    const under = flood(i => ['address:203.0.113.7', `account:nobody${i}@crowd.example`])
    expect(await login('198.51.100.1', 'one1@crowd.example')).toBe(200)
    await Promise.all(under)
  })
  test('a flood against one account locks out only browsers unknown to that account', async () => {
    const under = flood(i => [`address:${i}`, 'account:one2@crowd.example'])
    const stranger = login('198.51.100.2', 'one2@crowd.example')
    expect(await login('198.51.100.3', 'one3@crowd.example')).toBe(200)
    expect(await stranger).toBe(503)
    await Promise.all(under)
  })
  test('a flood against one account still lets its owner in from a known browser', async () => {
    const person = newPlayerInput()
    const { headers } = await many.browser().call('POST', '/api/register/player', person)
    const device = /device=[^;,\s]+/.exec(headers.getSetCookie().join())![0]
    const under = flood(i => [`address:${i}`, `account:${person.email.toLowerCase()}`])
    expect(await login('198.51.100.4', person.email, device)).toBe(200)
    await Promise.all(under)
  })
  test('a flood of logins does not keep a signed-in owner from changing the password', async () => {
    const person = newPlayerInput()
    const owner = many.browser()
    const { id } = (await owner.call('POST', '/api/register/player', person)).body
    const change = (presentPassword: string, password: string) => owner.call('POST', '/api/account/password', { presentPassword, password })
    const byStrangers = flood(i => [`address:${i}`, `account:${person.email.toLowerCase()}`])
    expect((await change(person.password, 'seven quiet foxes')).status).toBe(204)
    await Promise.all(byStrangers)
    const byOwner = flood(() => [`signed-in:${id}`])
    expect((await change('seven quiet foxes', 'eight quiet foxes')).status).toBe(503)
    await Promise.all(byOwner)
  })
  test('a registration during a flood is answered 503 with Retry-After', async () => {
    const under = flood(() => [])
    const busy = await many.browser().call('POST', '/api/register/player', newPlayerInput())
    expect([busy.status, busy.headers.get('retry-after')]).toEqual([503, '2'])
    await Promise.all(under)
    expect((await many.browser().call('POST', '/api/register/player', newPlayerInput())).status).toBe(201)
  })
})
