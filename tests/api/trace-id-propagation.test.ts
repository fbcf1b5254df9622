import { afterAll, beforeAll, expect, test } from 'vitest'
import { newTraceId } from '../../modules/kernel/trace.ts'
import { createLogger } from '../../src/server/logging.ts'
import { createAssignedFolder, newReviewInput, type TestUser } from './full-server.ts'
import { type ServerWithStripe, startServerWithStripe } from './server-with-stripe.ts'

const lines: Record<string, unknown>[] = []
let s: ServerWithStripe
let ana: TestUser
let ray: TestUser
beforeAll(async () => {
  s = await startServerWithStripe({ log: createLogger('debug', { write: line => void lines.push(JSON.parse(line)) }) })
  ;[ana, ray] = await Promise.all([s.player(), s.instructor()])
  await Promise.all([s.saveCardOf(ana), s.onboard(ray)])
})
afterAll(() => s.end())

const newTrace = () => {
  const trace = newTraceId()
  return { trace, headers: { traceparent: `00-${trace}-00f067aa0ba902b7-01` } }
}
const linesOf = (trace: string, msg: string) => lines.filter(line => line.trace === trace && line.msg === msg)

test('the trace id of a delivery reaches the bill and the letter it leads to', async () => {
  await s.deliverAll()
  const { folder, video, assignment } = await createAssignedFolder(ana, ray)
  const { trace, headers } = newTrace()
  expect((await ray.call('POST', `/api/folders/${folder}/feedback`, newReviewInput(video), headers)).status).toBe(204)
  await s.waitUntilIdle()

  const traced = await s.sql`select type from events where meta->>'trace' = ${trace} order by position`
  expect(traced.map(e => e.type)).toEqual(expect.arrayContaining(['FeedbackGiven', 'PaymentOpened']))
  expect(linesOf(trace, 'answered')).toMatchObject([{ path: '/api/folders/{folder}/feedback' }])
  expect(linesOf(trace, 'a process answers an event').map(line => line.process)).toContain('writing')
  expect(linesOf(trace, 'an errand was performed').map(line => line.kind)).toEqual(
    expect.arrayContaining(['payment.open', 'letter.feedback-given']),
  )
  expect(linesOf(trace, 'Resend answered')).not.toEqual([])

  const paying = newTrace()
  const { body } = await ana.call('GET', '/api/billing')
  const { total } = body.payments.find((p: { id: string }) => p.id === assignment)
  const paid = await ana.call('POST', `/api/payments/${assignment}/pay`, { tip: 0, total }, paying.headers)
  expect(paid.body.status).toBe('paid')
  await s.waitUntilIdle()
  expect(linesOf(paying.trace, 'Stripe answered')).toContainEqual(
    expect.objectContaining({ method: 'POST', path: '/v1/payment_intents', status: 200 }),
  )
  // An errand transfers the share after the request has been answered.
  expect(linesOf(paying.trace, 'Stripe answered').map(line => line.path)).toContain('/v1/transfers')
})

test('a request without a trace id gets one of its own', async () => {
  const { sql } = s
  const { position } = (await sql`select max(position)::text as position from events`)[0]!
  await createAssignedFolder(ana, ray)
  const events = await sql`select meta->>'trace' as trace from events where position > ${position}::bigint and meta->>'actor' = ${ana.id}`
  expect(events.length).toBeGreaterThan(1)
  for (const { trace } of events) expect(trace).toMatch(/^[0-9a-f]{32}$/)
  expect(new Set(events.map(e => e.trace)).size).toBeGreaterThan(1)
})
