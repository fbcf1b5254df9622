import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { nodeListener } from '../../src/api/node-listener.ts'
import { callSampleRoute, jsonRequestHeaders, receivedByRoutingTestApi, sampleApp, samplePlayerHeaders } from './routing-test-api.ts'

describe('a request', () => {
  test('gets the response that its contract describes, without other fields', async () => {
    const { status, body, headers } = await callSampleRoute('GET', '/api/things?dev_bypass=true', { 'x-dev-testing': 'true' })
    expect(status).toBe(200)
    expect(body).toEqual({ things: ['a'] })
    expect(headers.get('content-type')).toBe('application/json')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-request-id')).toMatch(/^[\w-]{36}$/)
  })
  test('has typed parameters, query and user', async () => {
    expect((await callSampleRoute('GET', '/api/things/caf%C3%A9?limit=9&dev_bypass=true', samplePlayerHeaders)).body).toEqual({
      thing: 'café',
      limit: 9,
      user: 'u1',
    })
  })
  test('without a session gets a 401, and with the wrong role a 403', async () => {
    expect((await callSampleRoute('GET', '/api/things/ab')).status).toBe(401)
    expect((await callSampleRoute('GET', '/api/things/ab', { cookie: `session=${'x'.repeat(43)}` })).status).toBe(401)
    const { status, body } = await callSampleRoute(
      'POST',
      '/api/things',
      { ...jsonRequestHeaders, cookie: `session=${'i'.repeat(43)}` },
      '{}',
    )
    expect(body.message).toBe('This area is not open to your account.')
    expect([status, body.code]).toEqual([403, 'forbidden'])
  })
  test('with a wrong parameter gets a 404, and with a wrong query a 422', async () => {
    expect((await callSampleRoute('GET', '/api/things/a', samplePlayerHeaders)).status).toBe(404)
    expect((await callSampleRoute('GET', '/api/things/%00%00', samplePlayerHeaders)).status).toBe(404)
    expect((await callSampleRoute('GET', '/api/things/%ff', samplePlayerHeaders)).body).toMatchObject({ status: 400, code: 'unreadable' })
    expect((await callSampleRoute('GET', '/api/things/ab?limit=x', samplePlayerHeaders)).status).toBe(422)
    for (const limit of ['%00', '%ED%A0%80']) {
      const { status, body } = await callSampleRoute('GET', `/api/things/ab?limit=${limit}`, samplePlayerHeaders)
      expect([status, body.code]).toEqual([422, 'invalid'])
    }
    expect((await callSampleRoute('GET', '/api/things/ab?limit=%00', samplePlayerHeaders)).body).toMatchObject({
      message: 'The address contains a character that we cannot store.',
      errors: [],
    })
    expect((await callSampleRoute('GET', '/api/things/ab?other=1', samplePlayerHeaders)).body.errors).toEqual([
      { field: 'other', message: 'This field is not part of the request.' },
    ])
  })
  test('with invalid fields in its body gets a 422 that lists each field', async () => {
    const { status, body, headers } = await callSampleRoute(
      'POST',
      '/api/things',
      { ...jsonRequestHeaders, ...samplePlayerHeaders },
      '{"name":"","deep":{"at":"x"},"more":1}',
    )
    expect(status).toBe(422)
    expect(headers.get('content-type')).toBe('application/problem+json')
    expect(body.message).toBe('Give it a name')
    expect(body.errors.map((e: { field: string }) => e.field)).toEqual(['name', 'deep.at', 'more'])
  })
  test('with a body that is malformed, too large or cannot be stored is refused', async () => {
    expect((await callSampleRoute('POST', '/api/things', { ...jsonRequestHeaders, ...samplePlayerHeaders }, '{"name"')).status).toBe(400)
    expect(
      (await callSampleRoute('POST', '/api/things', { ...jsonRequestHeaders, ...samplePlayerHeaders, 'content-type': 'text/plain' }, '{}'))
        .status,
    ).toBe(415)
    expect(
      (
        await callSampleRoute(
          'POST',
          '/api/things',
          { ...jsonRequestHeaders, ...samplePlayerHeaders },
          JSON.stringify({ name: 'x'.repeat(1024 * 1024) }),
        )
      ).status,
    ).toBe(413)
    expect(
      (await callSampleRoute('POST', '/api/things', { ...jsonRequestHeaders, ...samplePlayerHeaders }, '{"name":"a\\u0000"}')).status,
    ).toBe(422)
    expect(
      (await callSampleRoute('POST', '/api/things', { ...jsonRequestHeaders, ...samplePlayerHeaders }, '{"name":"a\\ud800"}')).status,
    ).toBe(422)
    const texts = (...escaped: string[]) => `{"name":"a","list":[${escaped.map(text => `{"text":"${text}"}`)}]}`
    for (const wrong of ['a\\u0000', '\\ud800', '\\uDFFF'])
      expect(
        (await callSampleRoute('POST', '/api/things', { ...jsonRequestHeaders, ...samplePlayerHeaders }, texts('fine', wrong))).status,
      ).toBe(422)
    expect(
      (await callSampleRoute('POST', '/api/things', { ...jsonRequestHeaders, ...samplePlayerHeaders }, texts('fine', '\\ud83d\\ude00')))
        .status,
    ).toBe(201)
    expect(
      (
        await callSampleRoute(
          'POST',
          '/api/things',
          { ...jsonRequestHeaders, ...samplePlayerHeaders },
          '{"name":"a","list":[{"te\\u0000xt":"a"}]}',
        )
      ).status,
    ).toBe(422)
    expect(
      (await callSampleRoute('POST', '/api/things', { ...jsonRequestHeaders, ...samplePlayerHeaders }, '{"name":"\\ud83d\\ude00"}')).status,
    ).toBe(201)
  })
  test('that changes something is refused unless it comes from our own pages', async () => {
    const at = (headers: Record<string, string>) =>
      callSampleRoute(
        'POST',
        '/api/things',
        { 'content-type': 'application/json', ...samplePlayerHeaders, ...headers },
        '{"name":"a"}',
      ).then(r => r.status)
    expect(await at({})).toBe(403)
    expect((await callSampleRoute('POST', '/api/things', { ...samplePlayerHeaders }, '{}')).body.message).toBe(
      'This request came from another site.',
    )
    expect(await at({ 'sec-fetch-site': 'cross-site', origin: 'http://ours.test' })).toBe(403)
    expect(await at({ 'sec-fetch-site': 'none' })).toBe(403)
    expect(await at({ origin: 'http://theirs.test' })).toBe(403)
    expect(await at({ origin: 'null' })).toBe(403)
    expect(await at({ origin: 'http://ours.test' })).toBe(201)
    expect(await at({ origin: 'http://10.0.0.4:4321', host: '10.0.0.4:4321' })).toBe(201)
  })
  test('may carry its command id, and returns the position it wrote', async () => {
    const key = '018F0000-0000-7000-8000-000000000001'
    const { body, headers, status } = await callSampleRoute(
      'POST',
      '/api/things',
      { ...jsonRequestHeaders, ...samplePlayerHeaders, 'idempotency-key': key },
      '{"name":"a"}',
    )
    expect([status, headers.get('x-position')]).toEqual([201, '7'])
    // The browser requests the next page without an `x-seen` header, so the cookie carries the position.
    expect(headers.getSetCookie()).toEqual([expect.stringMatching(/^seen=7; HttpOnly; Path=\/; SameSite=Lax/)])
    const sent = (more: object, text = '{"name":"a"}') =>
      callSampleRoute('POST', '/api/things', { ...jsonRequestHeaders, ...samplePlayerHeaders, 'idempotency-key': key, ...more }, text).then(
        r => r.body.command,
      )
    // The same sender and key get the same command id, whatever the letter case of the key. The id does not contain the key.
    expect(await sent({ 'idempotency-key': key.toLowerCase() })).toBe(body.command)
    expect(await sent({ cookie: `session=${'q'.repeat(43)}` })).not.toBe(body.command)
    expect(await sent({ 'idempotency-key': '018f0000-0000-7000-8000-000000000002' })).not.toBe(body.command)
    expect(body.command).toMatch(/^[\w-]{36} [\w-]{43} a$/)
    expect(body.command.toLowerCase()).not.toContain(key.toLowerCase())
    const asked = async (text: string) => (await sent({}, text)).split(' ')[1]
    expect(await asked('{"name":"a","deep":{"at":1}}')).toBe(await asked('{"deep":{"at":1},"name":"a"}'))
    expect(await asked('{"name":"a","deep":{"at":2}}')).not.toBe(await asked('{"name":"a","deep":{"at":1}}'))
    const wrong = await callSampleRoute(
      'POST',
      '/api/things',
      { ...jsonRequestHeaders, ...samplePlayerHeaders, 'idempotency-key': 'again' },
      '{"name":"a"}',
    )
    expect([wrong.status, wrong.body.code, wrong.body.message]).toEqual([400, 'bad-key', 'Idempotency-Key must be a UUID.'])
    // Without a key, every request is a new command. A query ignores the key.
    const plain = async () =>
      (await callSampleRoute('POST', '/api/things', { ...jsonRequestHeaders, ...samplePlayerHeaders }, '{"name":"a"}')).body.command
    const one = await plain()
    expect(one).toMatch(/^[\w-]{36} undefined a$/)
    expect(await plain()).not.toBe(one)
    const named = async () => (await callSampleRoute('GET', '/api/address', { 'idempotency-key': 'again' })).body.command
    expect(await named()).not.toBe(await named())
    const gone = await callSampleRoute('DELETE', '/api/things/ab', { ...jsonRequestHeaders, ...samplePlayerHeaders })
    expect([gone.status, gone.text, gone.headers.get('x-position')]).toEqual([204, '', '8'])
    const at = async (position: number) => {
      const { headers } = await callSampleRoute('POST', `/api/positions/${position}`, jsonRequestHeaders)
      return [headers.get('x-position'), headers.getSetCookie().length]
    }
    expect([await at(0), await at(-1)]).toEqual([
      ['0', 1],
      [null, 0],
    ])
  })
  test('waits for the position in x-seen, and is marked stale if that is not reached', async () => {
    expect((await callSampleRoute('GET', '/api/things', { 'x-seen': '42' })).headers.get('x-stale')).toBeNull()
    expect(receivedByRoutingTestApi.waits.at(-1)).toEqual([['things'], 42n])
    expect((await callSampleRoute('GET', '/api/things', { 'x-seen': '142' })).headers.get('x-stale')).toBe('true')
    const before = receivedByRoutingTestApi.waits.length
    for (const seen of ['-1; drop', 'x42', '42x', '1234567890123456789'])
      expect((await callSampleRoute('GET', '/api/things', { 'x-seen': seen })).status).toBe(200)
    expect(receivedByRoutingTestApi.waits.length).toBe(before)
  })
  test('of a webhook is read as bytes, up to its own limit', async () => {
    expect((await callSampleRoute('POST', '/api/hook', { 'content-type': 'application/json; charset=utf-8' }, '{"a": 1 }')).status).toBe(
      204,
    )
    expect(new TextDecoder().decode(receivedByRoutingTestApi.webhookBody)).toBe('{"a": 1 }')
    expect((await callSampleRoute('POST', '/api/hook', { 'content-type': 'application/json' }, 'x'.repeat(21))).status).toBe(413)
    expect(
      (await callSampleRoute('POST', '/api/hook', { 'content-type': 'application/json', 'content-length': '21' }, 'x'.repeat(21))).status,
    ).toBe(413)
  })
  test('that fails gets an answer without internal details', async () => {
    receivedByRoutingTestApi.databaseCheck = Promise.resolve()
    const at = (kind: string, headers = {}) => callSampleRoute('POST', `/api/errors/${kind}`, { ...jsonRequestHeaders, ...headers })
    expect((await at('refused')).body).toMatchObject({
      status: 409,
      code: 'card-needed',
      field: 'card',
      message: 'A card is needed first.',
    })
    expect((await at('conflict')).status).toBe(409)
    expect((await at('conflict', { 'if-match': '"1"' })).status).toBe(412)
    expect((await at('missing')).status).toBe(404)
    const busy = await at('busy')
    expect([busy.status, busy.headers.get('retry-after')]).toEqual([429, '3'])
    const hung = await at('hang')
    expect([hung.status, hung.body.code, hung.headers.get('retry-after')]).toEqual([503, 'unavailable', '5'])
    // The database responds, so the message must not blame it.
    expect(hung.body.message).toBe('This takes longer than expected. Try again in a moment.')
    // The server lets a slow request continue while the database responds, because the request may be waiting for another provider. If
    // the database does not respond, the server ends the request early.
    expect((await at('slow')).status).toBe(204)
    receivedByRoutingTestApi.databaseCheck = Promise.reject(new Error('gone'))
    receivedByRoutingTestApi.databaseCheck.catch(() => {})
    const gone = await at('slow')
    expect([gone.status, gone.body.code, gone.headers.get('retry-after')]).toEqual([503, 'unavailable', '5'])
    expect(gone.body.message).toBe('Our database is not available right now. Try again in a moment.')
    receivedByRoutingTestApi.databaseCheck = Promise.resolve()
    const away = await at('away')
    expect([away.status, away.body.code, away.headers.get('retry-after')]).toEqual([503, 'unavailable', '2'])
    const { status, text, body } = await at('bug', { 'x-request-id': 'trace-12345' })
    expect([status, body.request, body.code]).toEqual([500, 'trace-12345', 'internal'])
    expect(body.message).toBe('Something went wrong on our side. Try again in a moment.')
    expect(text).not.toContain('hunter2')
    expect(receivedByRoutingTestApi.logLines.some(line => line.includes('trace-12345') && line.includes('hunter2'))).toBe(true)
  })
  test('is logged by its route, because its URL may contain a token', async () => {
    receivedByRoutingTestApi.logLines.length = 0
    for (const method of ['POST', 'GET']) await callSampleRoute(method, '/api/errors/s3cret', jsonRequestHeaders)
    expect(receivedByRoutingTestApi.logLines.filter(line => line.includes('/api/errors/:kind')).length).toBeGreaterThanOrEqual(2)
    expect(receivedByRoutingTestApi.logLines.join('')).not.toContain('s3cret')
  })
  test('to an unknown path or with an unknown method gets a problem response, too', async () => {
    expect((await callSampleRoute('GET', '/api/nothing')).body).toMatchObject({ status: 404, code: 'not-found' })
    const wrong = await callSampleRoute('PUT', '/api/things', jsonRequestHeaders, '{}')
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, POST, HEAD, OPTIONS'])
    expect(wrong.body).toMatchObject({ code: 'method-not-allowed', message: 'This URL does not accept PUT.' })
    const head = await callSampleRoute('HEAD', '/api/things')
    expect([head.status, head.text]).toEqual([200, ''])
    const options = await callSampleRoute('OPTIONS', '/api/things')
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, POST, HEAD, OPTIONS'])
  })
  test("has an id: the caller's if it is valid, and the same in each log line about it", async () => {
    const idOf = async (given?: string) => {
      const { headers, body } = await callSampleRoute('GET', '/api/nothing', given === undefined ? {} : { 'x-request-id': given })
      expect(body.request).toBe(headers.get('x-request-id'))
      return body.request
    }
    for (const sane of ['trace-12', 'a_B-3'.repeat(12)]) expect(await idOf(sane)).toBe(sane)
    for (const other of [undefined, '', 'trace-1', 'a'.repeat(65), 'trace 12345', 'trace-12345!', '!trace-12345'])
      expect(await idOf(other)).toMatch(/^[0-9a-f-]{36}$/)
    expect(await idOf()).not.toBe(await idOf())
  })
  test('for a file gets the file unchanged, with our headers and cookies added', async () => {
    const answer = await sampleApp.fetch(new Request('http://ours.test/api/file'))
    expect([answer.status, await answer.text(), answer.headers.get('x-own'), answer.headers.get('x-more')]).toEqual([
      ...[200, 'as it is', 'own', 'more'],
    ])
    expect([answer.headers.get('cache-control'), answer.headers.get('x-request-id')]).toEqual(['no-store', expect.any(String)])
    expect(answer.headers.getSetCookie()).toEqual(['first=1', 'second=2'])
  })
  test('through node:http gets a whole response, compressed if it is long', async () => {
    const server = createServer(nodeListener(sampleApp, ['loopback'])).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const at = (path: string, headers: Record<string, string> = {}) =>
      fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, {
        headers: { 'x-forwarded-for': '203.0.113.7', ...headers },
      })
    try {
      const whole = await at('/api/address')
      const text = await whole.text()
      expect([whole.headers.get('content-length'), JSON.parse(text).address]).toEqual([String(text.length), '203.0.113.7'])
      const file = await at('/api/file')
      expect([await file.text(), file.headers.get('x-own')]).toEqual(['as it is', 'own'])
      expect((await at('/api/nothing')).status).toBe(404)
      const thing = 'a'.repeat(3000)
      for (const [accepted, encoding] of Object.entries({ 'gzip, br': 'br', 'gzip, br;q=0': 'gzip', identity: null })) {
        const long = await at(`/api/things/${thing}`, { ...samplePlayerHeaders, 'accept-encoding': accepted })
        expect([long.headers.get('content-encoding'), long.headers.get('vary')]).toEqual([encoding, 'Accept-Encoding'])
        expect(Number(long.headers.get('content-length')) < 200).toBe(encoding !== null)
        expect((await long.json()).thing).toBe(thing)
      }
    } finally {
      server.close()
      server.closeAllConnections()
    }
  })
})
