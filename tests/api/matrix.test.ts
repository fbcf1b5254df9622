import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeLink } from '../../modules/accounts/links.ts'
import type { Role } from '../../modules/endpoint.ts'
import { routes } from '../../src/api/index.ts'
import type { Route } from '../../src/api/route.ts'
import { bodies, fitting } from '../support/arbitrary.ts'
import { type Browser, coach, type Harness, harness, somebody } from './harness.ts'

type Who = Role | 'nobody'
let h: Harness
const people = {} as Record<Who, Browser>
beforeAll(async () => {
  h = await harness()
  for (const who of ['nobody', 'player', 'instructor', 'admin'] as const) people[who] = h.browser()
  await people.player.call('POST', '/api/register/player', somebody())
  await people.instructor.call('POST', '/api/register/instructor', coach())
  const { token } = await makeLink(h.sql, h.deps.clock(), 'admin-setup')
  const admin = await people.admin.call('POST', '/api/register/admin', { ...somebody(), dateOfBirth: undefined, token })
  expect(admin.status).toBe(201)
})
afterAll(() => h.end())

/** Calls that end the session of whoever makes them: made with a session of their own, or not at all. */
const endsSessions = /logout|DELETE \/api\/sessions/
const signsIn = /login|register/
/** A session of this role, or none where the call would end it. */
const fresh = (who: Who, name: string) => h.browser(people[who].cookie && !signsIn.test(name) ? { cookie: people[who].cookie } : {})

const sample = <T>(arbitrary: fc.Arbitrary<T>, seed = 1) => fc.sample(arbitrary, { numRuns: 1, seed })[0]!
const addressOf = ({ path, endpoint }: Route, seed = 1) => {
  const params = endpoint.params ? sample(fitting(endpoint.params), seed) : {}
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name]) || 'x')
}
const bodyOf = ({ endpoint }: Route, seed = 1) =>
  endpoint.bytes ? new Uint8Array(4) : endpoint.body ? sample(fitting(endpoint.body), seed) : undefined
const typeOf = ({ endpoint }: Route): Record<string, string> => (endpoint.bytes ? { 'content-type': endpoint.bytes[0]! } : {})

describe.each(routes.map(route => [`${route.method} ${route.path}`, route] as const))('%s', (name, route) => {
  const { access } = route.endpoint
  const allowed = (who: Who) => access === 'anyone' || (who !== 'nobody' && (access === 'signed-in' || access.includes(who)))

  test.each(['nobody', 'player', 'instructor', 'admin'] as const)('asked by %s', async who => {
    if (endsSessions.test(name) && allowed(who)) return expect(allowed(who)).toBe(true)
    const { status, body } = await fresh(who, name).call(route.method, addressOf(route), bodyOf(route), typeOf(route))
    if (!allowed(who)) {
      expect([who, status, body.code]).toEqual([who, who === 'nobody' ? 401 : 403, who === 'nobody' ? 'signed-out' : 'forbidden'])
    } else {
      expect([401, 403, 405, 415]).not.toContain(body?.code === 'wrong-credentials' || name.includes('register/admin') ? 0 : status)
      expect(status).toBeLessThan(500)
    }
  })

  if (route.method !== 'GET' && !route.endpoint.webhook) {
    test('asked by another site', async () => {
      for (const who of ['nobody', 'player', 'instructor', 'admin'] as const) {
        const { status, body } = await fresh(who, name).call(route.method, addressOf(route), bodyOf(route), {
          ...typeOf(route),
          'sec-fetch-site': 'cross-site',
        })
        expect([who, status, body.message]).toEqual([who, 403, 'This request came from another site.'])
      }
    })
  }

  if (route.endpoint.params && access !== 'anyone' && !/slugs|DELETE .*\/(follow|connection)$/.test(name)) {
    test('about a thing that is not there, or not theirs', async () => {
      for (const who of ['player', 'instructor', 'admin'] as const) {
        if (!allowed(who)) continue
        const { status } = await fresh(who, name).call(route.method, addressOf(route), bodyOf(route), typeOf(route))
        expect([404, 422]).toContain(status)
      }
    })
  }

  if (!endsSessions.test(name)) {
    test('with anything for a body, a query and parameters: never our fault', async () => {
      const { body, query, bytes } = route.endpoint
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom<Who>('nobody', 'player', 'instructor', 'admin'),
          fc.integer({ min: 0, max: 2 ** 31 - 1 }),
          bytes ? fc.uint8Array({ maxLength: 60 }) : body ? bodies(body) : fc.constant(undefined),
          query
            ? fc.dictionary(fc.oneof(fc.constantFrom(...Object.keys(query.shape)), fc.string()), fc.string(), { maxKeys: 3 })
            : fc.constant({}),
          async (who, seed, sent, asked) => {
            const search = new URLSearchParams(asked as Record<string, string>)
            const answer = await fresh(who, name).call(route.method, `${addressOf(route, seed)}?${search}`, sent, typeOf(route))
            if (answer.status >= 500 && answer.status !== 503)
              throw new Error(`${answer.status}: ${h.logged.findLast(l => l.includes('"failed"'))}`)
          },
        ),
        { numRuns: body || query || bytes ? 40 : 4 },
      )
    })
  }
})
