import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineEndpoints } from '../../modules/endpoint.ts'
import { apiRoutes } from '../../src/api/index.ts'
import { openApiDocument } from '../../src/api/openapi.ts'
import { routesOfContract } from '../../src/api/routing.ts'
import { startTestServer, type TestServer } from './test-server.ts'

let h: TestServer
beforeAll(async () => {
  h = await startTestServer()
})
afterAll(() => h.end())

test('/api/openapi.json lists exactly the mounted calls', async () => {
  const { body } = await h.browser().call('GET', '/api/openapi.json')
  const documented = Object.entries<Record<string, object>>(body.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
  )
  const mounted = apiRoutes.map(route => `${route.method} ${route.path}`)
  expect(new Set(mounted).size).toBe(mounted.length)
  expect(documented.toSorted()).toEqual(mounted.toSorted())
  // The app serves every documented call: no path gets the 404 or 405 of an unknown one.
  for (const { method, path } of apiRoutes) {
    const answer = await h.app.fetch(new Request(`http://ours.test${path.replaceAll(/\{\w+\}/g, 'x')}`, { method: 'OPTIONS' }))
    expect([path, answer.status, answer.headers.get('allow')?.split(', ').includes(method)]).toEqual([path, 204, true])
  }
})

test('the OpenAPI document describes the id, path, body and responses of every call', async () => {
  const { body } = await h.browser().call('GET', '/api/openapi.json')
  expect(body.openapi).toBe('3.1.0')
  expect(body.paths['/api/family/money'].get.security).toEqual([{ family: [] }])
  const ids = new Set<string>()
  for (const { method, path, endpoint } of apiRoutes) {
    const operation = body.paths[path][method.toLowerCase()]
    ids.add(operation.operationId)
    expect(operation.summary).toBe(endpoint.summary)
    const inPath = operation.parameters.filter((p: { in: string }) => p.in === 'path').map((p: { name: string }) => p.name)
    expect([path, inPath]).toEqual([path, [...path.matchAll(/\{(\w+)\}/g)].map(m => m[1])])
    expect([path, 'requestBody' in operation]).toEqual([path, !!(endpoint.body || endpoint.bytes)])
    const { responses } = operation
    if (endpoint.access !== 'anyone')
      expect(responses[401].content['application/problem+json'].schema).toEqual({ $ref: '#/components/schemas/Problem' })
    const success = Object.keys(responses).find(code => /^[23]/.test(code))!
    expect([path, 'content' in responses[success]]).toEqual([path, !!(endpoint.reply || endpoint.media)])
    expect(JSON.stringify(operation)).not.toContain('"schema":{}')
  }
  expect(ids.size).toBe(apiRoutes.length)
  const ready = body.paths['/api/ready'].get.responses
  expect(ready[503].content).toEqual(ready[200].content)
  const login = body.paths['/api/login'].post.requestBody.content['application/json'].schema
  expect(login).toMatchObject({ type: 'object', required: ['username', 'password'], additionalProperties: false })
})

describe('the OpenAPI document of a contract', () => {
  const contract = defineEndpoints({
    'GET /api/things': {
      summary: 'All',
      access: 'anyone',
      reply: z.object({ things: z.array(z.string()) }),
      otherwise: { 503: z.object({ ready: z.literal(false) }) },
    },
    'PUT /api/things/{thing}/picture-of': {
      summary: 'Its picture',
      access: ['player', 'admin'],
      bytes: ['image/png', 'image/webp'],
      media: ['image/webp'],
      refusals: [410],
      params: z.strictObject({ thing: z.uuid() }),
      query: z.strictObject({ large: z.string().optional(), size: z.string() }),
    },
    'POST /api/things': { summary: 'One', access: 'signed-in', body: z.strictObject({ name: z.string().default('x') }), status: 201 },
    'POST /api/hook': { summary: 'Hook', access: 'anyone', webhook: true, bytes: ['application/json'], status: 204 },
    'GET /api/own': { summary: 'Own', access: 'signed-in', query: z.strictObject({ all: z.stringbool().default(false) }) },
  })
  const none = () => undefined as never
  const routes = routesOfContract(contract, Object.fromEntries(Object.keys(contract).map(call => [call, none])) as never)
  const describing = () => openApiDocument(routes, { name: 'Ours', origin: 'http://ours.test' })
  // biome-ignore lint/suspicious/noExplicitAny: a document
  const at = (call: string) => (describing().paths as any)[call.split(' ')[1]!][call.split(' ')[0]!.toLowerCase()]
  const named = (call: string) =>
    at(call).parameters.map((p: { name: string; in: string; required: boolean }) => `${p.name} ${p.in}${p.required ? '!' : ''}`)
  const types = (of: { content?: object } | undefined) => Object.keys(of?.content ?? {})

  test('has title, version, server, security scheme and operation ids', () => {
    const document = describing()
    expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'Ours', version: '1' }, servers: [{ url: 'http://ours.test' }] })
    expect(Object.keys(document.paths['/api/things']!)).toEqual(['get', 'post'])
    expect(document.components.securitySchemes).toMatchObject({
      session: { type: 'apiKey', in: 'cookie', name: 'session' },
      family: { type: 'apiKey', in: 'cookie', name: 'family' },
    })
    expect(document.components.schemas.Problem.required).toEqual(['type', 'title', 'status', 'code', 'message'])
    expect(Object.keys(contract).map(call => at(call).operationId)).toEqual([
      ...['getApiThings', 'putApiThingsThingPictureOf', 'postApiThings', 'postApiHook', 'getApiOwn'],
    ])
  })

  test.each<[keyof typeof contract, string]>([
    ['GET /api/things', '200 429 500 503'],
    ['PUT /api/things/{thing}/picture-of', '200 400 401 403 404 409 410 412 413 415 422 429 500 503'],
    ['POST /api/things', '201 400 401 403 409 412 413 415 422 429 500 503'],
    ['POST /api/hook', '204 400 409 412 413 415 429 500 503'],
    ['GET /api/own', '204 401 422 429 500 503'],
  ])('lists the responses of %s: %s', (call, statuses) => {
    const { responses } = at(call)
    expect(Object.keys(responses).join(' ')).toBe(statuses)
    for (const [status, { description, content }] of Object.entries<{ description: string; content: object }>(responses)) {
      expect(description).toMatch(/^[A-Z]/)
      if (status > '399' && !(call === 'GET /api/things' && status === '503'))
        expect(content).toEqual({ 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } })
    }
  })

  test('lists the roles, parameters, body and reply of each call', () => {
    const calls = Object.keys(contract)
    expect(calls.map(call => at(call).security)).toEqual([[], [{ session: [] }], [{ session: [] }], [], [{ session: [] }]])
    expect(calls.map(call => at(call)['x-roles'])).toEqual([undefined, ['player', 'admin'], undefined, undefined, undefined])
    expect(calls.map(named)).toEqual([
      ['x-seen header'],
      ['thing path!', 'large query', 'size query!', 'Idempotency-Key header'],
      ['Idempotency-Key header'],
      ['x-seen header'],
      ['all query', 'x-seen header'],
    ])
    expect(calls.map(call => [at(call).requestBody?.required, types(at(call).requestBody)])).toEqual([
      [undefined, []],
      [true, ['image/png', 'image/webp']],
      [true, ['application/json']],
      [true, ['application/json']],
      [undefined, []],
    ])
    const body = at('POST /api/things').requestBody.content['application/json'].schema
    expect(body).toEqual({ type: 'object', properties: { name: { type: 'string', default: 'x' } }, additionalProperties: false })
    expect(at('POST /api/hook').requestBody.content['application/json'].schema).toEqual({ type: 'string', format: 'binary' })
    const done = calls.map(call => Object.values<{ headers: object; content?: object }>(at(call).responses)[0]!)
    expect(done.map(types)).toEqual([['application/json'], ['image/webp'], [], [], []])
    expect(done.map(({ headers }) => Object.keys(headers)[1])).toEqual(['x-stale', 'x-position', 'x-position', 'x-position', 'x-stale'])
    const { 200: all, 503: away } = at('GET /api/things').responses
    expect([all, away].map(r => Object.keys(r.content['application/json'].schema.properties))).toEqual([['things'], ['ready']])
    expect(away.content['application/json'].schema.additionalProperties).toBe(false)
    expect(at('PUT /api/things/{thing}/picture-of').responses[200].content['image/webp'].schema).toEqual({
      type: 'string',
      format: 'binary',
    })
    expect(at('PUT /api/things/{thing}/picture-of').parameters[0].schema).toMatchObject({ type: 'string', format: 'uuid' })
    const word = expect.stringMatching(/^[A-Z]/)
    for (const call of calls)
      for (const { name, description, schema } of at(call).parameters.filter((p: { in: string }) => p.in === 'header'))
        expect([description, schema]).toEqual([word, { type: 'string', ...(name === 'Idempotency-Key' && { format: 'uuid' }) }])
    for (const { headers } of done)
      for (const [name, header] of Object.entries(headers))
        expect(header).toEqual({ description: word, schema: name === 'x-stale' ? { const: 'true' } : { type: 'string' } })
    expect(JSON.stringify(describing())).not.toContain('$schema')
  })
})
