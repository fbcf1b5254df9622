import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signatureHeader } from '../../src/embedded/stripe/webhook-deliveries.ts'
import { ORIGIN, startTestServer, type TestServer } from './test-server.ts'

let h: TestServer
beforeAll(async () => {
  h = await startTestServer()
})
afterAll(() => h.end())

/** Sends a webhook as Stripe does, without any browser headers. */
const send = (
  event: object,
  headers: (body: string) => Record<string, string> = body => ({ 'stripe-signature': signatureHeader(body, 'whsec_x') }),
) => {
  const body = JSON.stringify(event)
  return h.app.fetch(
    new Request(`${ORIGIN}/api/webhooks/stripe`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers(body) },
    }),
  )
}
const event = (type: string) => ({
  id: `evt_${randomUUID()}`,
  object: 'event',
  type,
  created: Math.floor(Date.now() / 1000),
  data: { object: { id: `ch_${randomUUID()}`, object: 'charge' } },
})
const webhookErrands = async () => (await h.postedErrands('stripe.notice')).map(e => e.payload)

test('a signed webhook of a known kind is stored with our time and looked up once', async () => {
  const [refund, other] = [event('charge.refunded'), event('charge.pending')]
  const before = await webhookErrands()
  h.advanceClock(3600_000)
  for (const each of [refund, refund, other]) expect((await send(each)).status).toBe(204)
  expect(await webhookErrands()).toEqual([...before, { type: 'charge.refunded', object: refund.data.object.id }])
  const noted = await h.sql<{ received: Date }[]>`select received from stripe_notices where id in ${h.sql([refund.id, other.id])}`
  expect(noted).toHaveLength(2)
  for (const { received } of noted) expect(new Date(received).getTime()).toBeGreaterThan(Date.now() + 3000_000)
})

test('a forged or empty webhook is refused with a reason and not recorded', async () => {
  const before = await webhookErrands()
  const forged = event('charge.refunded')
  for (const headers of [() => ({}), (body: string) => ({ 'stripe-signature': signatureHeader(body, 'whsec_y') })]) {
    const answer = await send(forged, headers as (body: string) => Record<string, string>)
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'forged', message: 'The signature is not valid.' }])
  }
  const hollow = await send({ ...event('charge.refunded'), data: {} })
  expect([hollow.status, await hollow.json()]).toMatchObject([
    400,
    { code: 'malformed', message: 'This event does not identify an object.' },
  ])
  expect(await webhookErrands()).toEqual(before)
})

test('a webhook that cannot be recorded fails, so the provider resends it', async () => {
  const { post } = h.deps
  h.deps.post = () => Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }))
  const refund = event('charge.refunded')
  const away = await Promise.resolve(send(refund)).finally(() => {
    h.deps.post = post
  })
  expect(away.status).toBe(503)
  expect((await send(refund)).status).toBe(204)
  expect(await webhookErrands()).toContainEqual({ type: 'charge.refunded', object: refund.data.object.id })
})

test('the seconds between the creation of a webhook and its arrival are measured', async () => {
  const measured: [string, number][] = []
  h.deps.metricsRecorder = { recordResponse: () => {}, recordWebhook: (provider, seconds) => measured.push([provider, seconds]) }
  const late = { ...event('charge.refunded'), created: Math.floor(Date.now() / 1000) - 600 }
  const answer = await Promise.resolve(send(late)).finally(() => {
    delete h.deps.metricsRecorder
  })
  expect(answer.status).toBe(204)
  expect(measured).toEqual([['stripe', expect.closeTo(600, -2)]])
})
