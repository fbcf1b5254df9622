import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../src/api/index.ts'
import { type Harness, harness } from './harness.ts'

let h: Harness
beforeAll(async () => {
  h = await harness()
})
afterAll(() => h.end())

test('every mounted call is in /api/openapi.json, and every call in it is mounted', async () => {
  const { body } = await h.browser().call('GET', '/api/openapi.json')
  const documented = Object.entries<Record<string, object>>(body.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
  )
  const mounted = routes.map(route => `${route.method} ${route.path}`)
  expect(new Set(mounted).size).toBe(mounted.length)
  expect(documented.toSorted()).toEqual(mounted.toSorted())
  // Mounted is what the app itself answers for: nothing documented is a 404 or 405 by its address.
  for (const { method, path } of routes) {
    const answer = await h.app.fetch(new Request(`http://ours.test${path.replaceAll(/\{\w+\}/g, 'x')}`, { method: 'OPTIONS' }))
    expect([path, answer.status, answer.headers.get('allow')?.split(', ').includes(method)]).toEqual([path, 204, true])
  }
})

test('the description is complete', async () => {
  const { body } = await h.browser().call('GET', '/api/openapi.json')
  expect(body.openapi).toBe('3.1.0')
  const ids = new Set<string>()
  for (const { method, path, endpoint } of routes) {
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
  expect(ids.size).toBe(routes.length)
  const ready = body.paths['/api/ready'].get.responses
  expect(ready[503].content).toEqual(ready[200].content)
  const login = body.paths['/api/login'].post.requestBody.content['application/json'].schema
  expect(login).toMatchObject({ type: 'object', required: ['username', 'password'], additionalProperties: false })
})
