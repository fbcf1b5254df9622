import fc from 'fast-check'
import { makeLink } from '../../modules/accounts/links.ts'
import { routes } from '../../src/api/index.ts'
import { type Browser, coach, harness, somebody } from '../api/harness.ts'
import { bodies, fitting } from '../support/arbitrary.ts'
import type { Figure } from './figure.ts'

const total = Number(process.env.X3_REQUESTS ?? 100_000)
const atOnce = 8

/** X3: generated requests to every call by every role — right, almost right and nonsense: no 5xx, no unhandled rejection, memory flat. */
export default async function x3(): Promise<Figure[]> {
  const h = await harness({ limits: 1e6, work: true })
  let unhandled = 0
  const count = () => {
    unhandled++
  }
  process.on('unhandledRejection', count)
  try {
    const cookies = ['', await signUp(h.browser(), 'player'), await signUp(h.browser(), 'instructor'), await signUp(h.browser(), 'admin')]
    const tries = routes.map(({ method, path, endpoint }) => ({
      method,
      path,
      type: endpoint.bytes?.[0],
      params: endpoint.params ? fc.oneof(fitting(endpoint.params), fc.dictionary(fc.string(), fc.string())) : fc.constant({}),
      query: fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('dev_bypass', ...Object.keys(endpoint.query?.shape ?? {}))), fc.string(), {
        maxKeys: 3,
      }),
      body: endpoint.bytes ? fc.uint8Array({ maxLength: 200 }) : endpoint.body ? bodies(endpoint.body) : fc.constant(undefined),
      headers: fc.record(
        { 'x-seen': fc.string(), 'idempotency-key': fc.oneof(fc.uuid(), fc.string()), 'if-match': fc.string() },
        { requiredKeys: [] },
      ),
    }))
    const statuses = new Map<number, number>()
    let wrong = 0
    let seed = 1
    const one = async (i: number) => {
      const t = tries[i % tries.length]!
      const [params, query, body, headers] = fc.sample(fc.tuple(t.params, t.query, t.body, t.headers), { numRuns: 1, seed: seed++ })[0]!
      const path = t.path.replaceAll(
        /\{(\w+)\}/g,
        (_, name) => encodeURIComponent(String((params as Record<string, unknown>)[name] ?? 'x').toWellFormed()) || 'x',
      )
      const search = new URLSearchParams(query as Record<string, string>)
      const signsOut = /logout|sessions|login|register/.test(t.path)
      const cookie = cookies[signsOut ? 0 : i % cookies.length]!
      const sendable = Object.fromEntries(Object.entries(headers).filter(([, v]) => /^[\x20-\x7e]*$/.test(v as string)))
      const answer = await h
        .browser({ ...(cookie && { cookie }), ...(t.type && { 'content-type': t.type }), ...sendable })
        .call(t.method, `${path}?${search}`, body)
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      // 503 is an answer: more passwords at once than the machine checks.
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
    return [
      { id: 'X3', name: `5xx in ${total} generated requests`, value: wrong, unit: '', bar: 0, better: 'less' },
      { id: 'X3', name: 'unhandled rejections', value: unhandled, unit: '', bar: 0, better: 'less' },
      { id: 'X3', name: 'heap grown over the last three quarters', value: grown, unit: 'MB', bar: 20, better: 'less' },
      { id: 'X3', name: 'of them successes', value: [200, 201, 204].reduce((sum, s) => sum + (statuses.get(s) ?? 0), 0), unit: '' },
    ]
  } finally {
    process.off('unhandledRejection', count)
    await h.end()
  }

  async function signUp(who: Browser, role: 'player' | 'instructor' | 'admin') {
    const { token } = await makeLink(h.sql, h.deps.clock(), 'admin-setup')
    const data = role === 'instructor' ? coach() : role === 'player' ? somebody() : { ...somebody(), dateOfBirth: undefined, token }
    const { status } = await who.call('POST', `/api/register/${role}`, data)
    if (status !== 201) throw new Error(`${role}: ${status}`)
    return who.cookie
  }
}

/** Heap in use once garbage is gone, MB. */
function settled() {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed / 1024 ** 2
}
