import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEmailedLinkToken } from '../../modules/accounts/emailed-links.ts'
import { apiRoutes } from '../../src/api/index.ts'
import type { Route } from '../../src/api/routing.ts'
import { arbitraryOfSchema, arbitraryRequestBodies } from '../support/arbitrary-requests.ts'
import { createStrangersRecords, registerMinorWithConsent } from './strangers-records.ts'
import { type CookieClient, newInstructorInput, newPlayerInput, startTestServer, type TestServer } from './test-server.ts'

/** `instructor` is pending, because no administrator has approved them. */
const everybody = ['nobody', 'player', 'instructor', 'suspended', 'admin', 'guardian'] as const
type Who = (typeof everybody)[number]
let h: TestServer
let owned: Record<string, string>
const people = {} as Record<Who, CookieClient>
beforeAll(async () => {
  h = await startTestServer({ work: true })
  for (const who of everybody) people[who] = h.browser()
  await people.player.call('POST', '/api/register/player', newPlayerInput())
  await people.instructor.call('POST', '/api/register/instructor', newInstructorInput())
  const { token } = await createEmailedLinkToken(h.sql, h.deps.clock(), 'admin-setup')
  const admin = await people.admin.call('POST', '/api/register/admin', { ...newPlayerInput(), dateOfBirth: undefined, token })
  expect(admin.status).toBe(201)
  const suspended = await people.suspended.call('POST', '/api/register/instructor', newInstructorInput())
  await people.admin.call('POST', `/api/admin/instructors/${suspended.body.id}/suspend`, { reason: 'A parent wrote to us.' })
  await registerMinorWithConsent(h, people.guardian)
  owned = await createStrangersRecords(h)
})
afterAll(() => h.end())

/** Calls that end login sessions. The tests make them only where the server refuses them, so that everybody stays signed in. */
const endsSessions = /logout|DELETE \/api\/(family\/)?sessions/
const signsIn = /login|register/
/** Parameters that name nothing private: those of public profiles, and secrets that give access to whoever has them. */
const open = new Set(['slug', 'instructor', 'inviteCode', 'file', 'token'])
/** A browser that is signed in as this role, or not signed in for calls that themselves sign somebody in. */
const fresh = (who: Who, name: string) => h.browser(people[who].cookie && !signsIn.test(name) ? { cookie: people[who].cookie } : {})

const sample = <T>(arbitrary: fc.Arbitrary<T>, seed: number) => fc.sample(arbitrary, { numRuns: 1, seed })[0]!
const paramsOf = ({ endpoint }: Route, seed: number): Record<string, unknown> =>
  endpoint.params ? sample(arbitraryOfSchema(endpoint.params), seed) : {}
const fill = (path: string, params: Record<string, unknown>) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(params[name])) || 'x')
const bodyOf = ({ endpoint }: Route, seed: number) =>
  endpoint.bytes ? new Uint8Array(4) : endpoint.body ? sample(arbitraryOfSchema(endpoint.body), seed) : undefined
const typeOf = ({ endpoint }: Route): Record<string, string> => (endpoint.bytes ? { 'content-type': endpoint.bytes[0]! } : {})
const queryOf = ({ endpoint }: Route, seed: number) =>
  endpoint.query
    ? `?${new URLSearchParams(Object.entries(sample(arbitraryOfSchema(endpoint.query), seed) ?? {}).map(([k, v]) => [k, String(v)]))}`
    : ''

describe.each(apiRoutes.map(route => [`${route.method} ${route.path}`, route] as const))('%s', (name, route) => {
  const { access } = route.endpoint
  const allowed = (who: Who) => {
    if (access === 'anyone') return true
    if (access === 'guardian' || who === 'guardian') return access === who
    return who !== 'nobody' && (access === 'signed-in' || access.includes(who === 'suspended' ? 'instructor' : who))
  }
  /** Guardians and accounts have separate cookies: a guardian is not signed in for an account's calls, nor an account for a guardian's. */
  const signedIn = (who: Who) => who !== 'nobody' && (who === 'guardian') === (access === 'guardian')
  let seed = 1000 * apiRoutes.indexOf(route)
  const ask = (who: Who, params?: Record<string, unknown>, headers: Record<string, string> = {}) => {
    seed++
    const path = fill(route.path, params ?? paramsOf(route, seed)) + queryOf(route, seed)
    return fresh(who, name).call(route.method, path, bodyOf(route, seed), { ...typeOf(route), ...headers })
  }
  /** Moves on to a seed whose body satisfies the schema with all its refinements, if one of the next 5,000 does. */
  const skipToValidBody = () => {
    const schema = route.endpoint.body
    for (let i = 0; schema && i < 5000 && !schema.safeParse(bodyOf(route, seed + 1)).success; i++) seed++
  }
  /**
   * Makes the call with a body that satisfies the schema. If the server still answers 422, for example because of the query string, retries
   * with other generated values.
   */
  const askWell = async (who: Who, params?: Record<string, unknown>) => {
    skipToValidBody()
    let answer = await ask(who, params)
    for (let i = 0; i < 300 && answer.status === 422; i++) {
      skipToValidBody()
      answer = await ask(who, params)
    }
    return answer
  }

  // @spec:6.8
  test.each(everybody)('allows or refuses %s as its contract says', async who => {
    if (endsSessions.test(name) && allowed(who)) return
    const { status, body } = await ask(who)
    if (!allowed(who)) {
      expect([who, status, body.code]).toEqual([who, ...(signedIn(who) ? [403, 'forbidden'] : [401, 'signed-out'])])
    } else {
      const meant = body?.code === 'wrong-credentials' || (name.includes('register/admin') && status === 403)
      expect([401, 403, 405, 415]).not.toContain(meant ? 0 : status)
      // The object store and the payment provider are unreachable here; calls that need them must answer 503.
      expect([500, 502, 504]).not.toContain(status)
    }
  })

  if (route.method !== 'GET' && !route.endpoint.webhook) {
    test('refuses requests from another site', async () => {
      for (const who of everybody) {
        const { status, body } = await ask(who, undefined, { 'sec-fetch-site': 'cross-site' })
        expect([who, status, body.message]).toEqual([who, 403, 'This request came from another site.'])
      }
    })

    test('refuses plain text, which a form on another site could send', async () => {
      for (const who of everybody.filter(allowed)) {
        expect([who, (await ask(who, undefined, { 'content-type': 'text/plain' })).status]).toEqual([who, 415])
      }
    })
  }

  const named = [...route.path.matchAll(/\{(\w+)\}/g)].map(m => m[1]!).filter(param => !open.has(param))
  if (named.length && access !== 'anyone') {
    const strangers = (['player', 'instructor', 'suspended', 'guardian'] as const).filter(allowed)
    if (strangers.length) {
      // @spec:6.9
      test("responds with 404 for another person's object and for an unknown one", async () => {
        for (const param of named) expect(Object.keys(owned), `who owns a {${param}}?`).toContain(param)
        for (const who of strangers) {
          expect([who, (await askWell(who, owned)).status]).toEqual([who, 404])
          expect([who, (await askWell(who)).status]).toEqual([who, 404])
        }
      })
    }
  }

  if (!endsSessions.test(name)) {
    test('never fails with a server error, whatever body, query and parameters are sent', async () => {
      const { body, query, bytes } = route.endpoint
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom<Who>(...everybody),
          fc.integer({ min: 0, max: 2 ** 31 - 1 }),
          bytes ? fc.uint8Array({ maxLength: 60 }) : body ? arbitraryRequestBodies(body) : fc.constant(undefined),
          query
            ? fc.dictionary(fc.oneof(fc.constantFrom(...Object.keys(query.shape)), fc.string()), fc.string(), { maxKeys: 3 })
            : fc.constant({}),
          async (who, random, sent, asked) => {
            const path = `${fill(route.path, paramsOf(route, random))}?${new URLSearchParams(asked as Record<string, string>)}`
            const { status } = await fresh(who, name).call(route.method, path, sent, typeOf(route))
            if (status >= 500 && status !== 503) throw new Error(`${status}: ${h.logged.findLast(line => line.includes('"failed"'))}`)
          },
        ),
        { numRuns: body || query || bytes ? 40 : 4 },
      )
    })
  }
})
