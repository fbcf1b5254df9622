import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { createEmailedLinkToken } from '../../modules/accounts/emailed-links.ts'
import { apiRoutes } from '../../src/api/index.ts'
import { type CookieClient, newInstructorInput, newPlayerInput, startTestServer } from '../api/test-server.ts'
import { arbitraryOfSchema, arbitraryRequestBodies } from '../support/arbitrary-requests.ts'
import type { BenchmarkFigure } from './benchmark-figure.ts'
import { compareReadModelsWithLog } from './compare-read-models-with-log.ts'

const total = Number(process.env.X3_REQUESTS ?? 100_000)
const atOnce = 8

/**
 * X3: sends generated requests to every API endpoint as a visitor and as every role, but to those for login and registration only as a
 * visitor. Some are valid, some almost valid and some nonsense; some contain other people's ids and keys, or ids in capitals; some are
 * repeated. Expects no 5xx except 503, no unhandled rejection, little heap growth, no stream parked, no reader behind, and every read model
 * equal to a fold of the log.
 */
export default async function measureGeneratedRequests(): Promise<BenchmarkFigure[]> {
  const h = await startTestServer({ limits: 1e6, work: true })
  let unhandled = 0
  const count = () => {
    unhandled++
  }
  process.on('unhandledRejection', count)
  try {
    const cookies = ['', await signUp(h.browser(), 'player'), await signUp(h.browser(), 'instructor'), await signUp(h.browser(), 'admin')]
    const tries = apiRoutes.map(({ method, path, endpoint }) => ({
      method,
      path,
      type: endpoint.bytes?.[0],
      params: endpoint.params ? fc.oneof(arbitraryOfSchema(endpoint.params), fc.dictionary(fc.string(), fc.string())) : fc.constant({}),
      query: fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('dev_bypass', ...Object.keys(endpoint.query?.shape ?? {}))), fc.string(), {
        maxKeys: 3,
      }),
      body: endpoint.bytes
        ? fc.uint8Array({ maxLength: 200 })
        : endpoint.body
          ? arbitraryRequestBodies(endpoint.body)
          : fc.constant(undefined),
      headers: fc.record(
        { 'x-seen': fc.string(), 'idempotency-key': fc.oneof(fc.uuid(), fc.string()), 'if-match': fc.string() },
        { requiredKeys: [] },
      ),
    }))
    const statuses = new Map<number, number>()
    const there = pool()
    const keys = pool()
    let repeated = 0
    let wrong = 0
    let seed = 1
    const one = async (i: number) => {
      const t = tries[i % tries.length]!
      const drawn = fc.sample(fc.tuple(t.params, t.query, t.body, t.headers), { numRuns: 1, seed: seed++ })[0]!
      const bytes = drawn[2] instanceof Uint8Array ? drawn[2] : undefined
      const [params, query, sent, headers] = there.mixedInto([drawn[0], drawn[1], bytes ? null : drawn[2], drawn[3]])
      const body = bytes ?? (drawn[2] === undefined ? undefined : sent)
      const path = t.path.replaceAll(
        /\{(\w+)\}/g,
        (_, name) => encodeURIComponent(String((params as Record<string, unknown>)[name] ?? 'x').toWellFormed()) || 'x',
      )
      const search = new URLSearchParams(query as Record<string, string>)
      const signsOut = /logout|sessions|login|register/.test(t.path)
      const cookie = cookies[signsOut ? 0 : (i + Math.floor(i / tries.length)) % cookies.length]!
      const sendable = Object.fromEntries(Object.entries(headers).filter(([, v]) => /^[\x20-\x7e]*$/.test(v as string)))
      if (i % 3 === 0) sendable['idempotency-key'] = keys.one() ?? randomUUID()
      const ask = () =>
        h
          .browser({ ...(cookie && { cookie }), ...(t.type && { 'content-type': t.type }), ...(sendable as Record<string, string>) })
          .call(t.method, `${path}?${search}`, body)
      let answer = await ask()
      if (answer.status < 300) {
        there.add(`${path} ${bytes ? '' : JSON.stringify(body)} ${answer.text.slice(0, 2000)}`)
        keys.add(`${sendable['idempotency-key']}`)
      }
      if (i % 5 === 0) {
        repeated++
        answer = await ask()
      }
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      // 503 is acceptable here: the payment provider and the object store are unreachable, and the number of concurrent password checks is
      // limited.
      if (answer.status >= 500 && answer.status !== 503) {
        wrong++
        console.error(
          t.method,
          path,
          answer.status,
          JSON.stringify(body)?.slice(0, 300),
          h.logged.findLast(l => l.includes('"failed"')),
        )
      }
      h.logged.length = 0
    }
    let next = 0
    const run = async (until: number) => {
      const worker = async () => {
        while (next < until) await one(next++)
      }
      await Promise.all(Array.from({ length: atOnce }, worker))
    }
    await run(total / 4)
    const before = settled()
    await run(total)
    const grown = settled() - before
    const { parked, behind, different } = await compareReadModelsWithLog(h.deps)
    return [
      { id: 'X3', name: `5xx in ${total} generated requests`, value: wrong, unit: '', bar: 0, better: 'less' },
      { id: 'X3', name: 'unhandled rejections', value: unhandled, unit: '', bar: 0, better: 'less' },
      { id: 'X3', name: 'heap growth over the last three quarters', value: grown, unit: 'MB', bar: 20, better: 'less' },
      { id: 'X3', name: 'streams that a reader parked', value: parked, unit: '', bar: 0, better: 'less' },
      { id: 'X3', name: 'readers that did not reach the end of the log', value: behind, unit: '', bar: 0, better: 'less' },
      { id: 'X3', name: 'rows of read models that differ from a fold of the log', value: different, unit: '', bar: 0, better: 'less' },
      { id: 'X3', name: 'requests sent twice', value: repeated, unit: '' },
      { id: 'X3', name: 'successful requests', value: [200, 201, 204].reduce((sum, s) => sum + (statuses.get(s) ?? 0), 0), unit: '' },
    ]
  } finally {
    process.off('unhandledRejection', count)
    await h.end()
  }

  async function signUp(who: CookieClient, role: 'player' | 'instructor' | 'admin') {
    const { token } = await createEmailedLinkToken(h.sql, h.deps.clock(), 'admin-invitation')
    const data =
      role === 'instructor'
        ? newInstructorInput()
        : role === 'player'
          ? newPlayerInput()
          : { ...newPlayerInput(), dateOfBirth: undefined, token }
    const { status, body } = await who.call('POST', `/api/register/${role}`, data)
    if (status !== 201) throw new Error(`${role}: ${status}`)
    if (role === 'instructor') await h.approve(body.id)
    return who.cookie
  }
}

/** Returns the heap in use, in MB, after garbage collection if Node exposes it. */
function settled() {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed / 1024 ** 2
}

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi
const MAX_POOL_IDS = 500

/**
 * Creates a pool of ids from everyone's successful requests and the responses, to mix into generated values, sometimes in capitals. The
 * pool picks ids with a fixed seed.
 */
function pool() {
  const ids: string[] = []
  let at = 1
  const random = () => {
    at = (at * 48271) % 2147483647
    return at / 2147483647
  }
  const one = () => ids[Math.floor(random() * ids.length)]
  return {
    one,
    add(text: string) {
      for (const [id] of text.matchAll(UUID)) ids[ids.length < MAX_POOL_IDS ? ids.length : Math.floor(random() * MAX_POOL_IDS)] = id
    },
    mixedInto<T extends unknown[]>(drawn: T): T {
      const shout = random() < 0.3
      const text = JSON.stringify(drawn).replaceAll(UUID, id => (random() < 0.6 ? (one() ?? id) : id))
      return JSON.parse(shout ? text.replaceAll(UUID, id => id.toUpperCase()) : text)
    },
  }
}
