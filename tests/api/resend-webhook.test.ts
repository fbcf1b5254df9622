import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteOldLetterDeliveries, LETTER_DELIVERY_STATUS_DAYS } from '../../modules/letters/letter-delivery.ts'
import { webhookSignature } from '../../modules/letters/resend-webhooks.ts'
import { expectRefusal } from './full-server.ts'
import { type ServerWithStripe, startServerWithStripe } from './server-with-stripe.ts'
import { birthDateOf, newPlayerInput, ORIGIN } from './test-server.ts'

let t: ServerWithStripe
beforeAll(async () => {
  t = await startServerWithStripe()
})
afterAll(() => t.end())

async function deliverWebhook(type: string, letter: string, { to = 'pat@example.com', secret = t.mailSecret, at = new Date() } = {}) {
  const data = { email_id: 'e1', to: [to], tags: { letter }, bounce: { type: 'Permanent', subType: 'General' } }
  const body = JSON.stringify({ type: `email.${type}`, created_at: at.toISOString(), data })
  const [id, timestamp] = ['msg_1', String(Math.floor(Date.now() / 1000))]
  const signature = webhookSignature(secret, { id, timestamp, body })
  const headers = { 'content-type': 'application/json', 'svix-id': id, 'svix-timestamp': timestamp, 'svix-signature': signature }
  const answer = await t.fetch(new Request(`${ORIGIN}/api/webhooks/resend`, { method: 'POST', body, headers }))
  return { status: answer.status, body: answer.status === 204 ? null : await answer.json() }
}

test('a bounced letter to a guardian is shown to the player and administrators', async () => {
  const email = newPlayerInput().email
  const leo = await t.player({ dateOfBirth: birthDateOf(15), guardianName: 'Maria García', guardianEmail: email })
  await expect.poll(async () => (await t.letters(email)).length, { interval: 10 }).toBe(1)
  const [sent] = await t.letters(email)
  const letter = sent!.tags.find(tag => tag.name === 'letter')!.value
  const guardian = async () => (await leo.call('GET', '/api/guardian')).body
  expect(await guardian()).toMatchObject({ name: 'Maria García', email, undeliverable: false })

  expect((await deliverWebhook('bounced', letter, { to: email.toUpperCase() })).status).toBe(204)
  expect(await guardian()).toMatchObject({ undeliverable: true })
  const admin = await t.admin()
  const [{ id }] = (await admin.call('GET', `/api/admin/people/${leo.id}`)).body.guardians
  const { letters } = (await admin.call('GET', `/api/admin/people/${id}`)).body
  expect(letters.find((l: { id: string }) => l.id === letter)).toMatchObject({ fate: 'bounced', error: 'Permanent, General' })

  // No letter to this corrected address has bounced yet.
  expect((await leo.call('POST', '/api/guardian', { name: 'Maria García', email: newPlayerInput().email })).status).toBe(204)
  expect(await guardian()).toMatchObject({ undeliverable: false })
})

test('the latest delivery status wins, in whatever order webhooks arrive', async () => {
  const at = (second: number) => new Date(Date.UTC(2026, 4, 1, 12, 0, second))
  const fate = async () => (await t.sql`select fate from letter_fates where letter = 'l1'`)[0]!.fate
  await deliverWebhook('delivered', 'l1', { at: at(2) })
  await deliverWebhook('complained', 'l1', { at: at(5) })
  await deliverWebhook('bounced', 'l1', { at: at(1) })
  expect(await fate()).toBe('complained')
  await deleteOldLetterDeliveries(t.sql, new Date(at(5).getTime() + LETTER_DELIVERY_STATUS_DAYS * 86_400_000))
  expect(await fate()).toBe('complained')
  await deleteOldLetterDeliveries(t.sql, new Date(at(6).getTime() + LETTER_DELIVERY_STATUS_DAYS * 86_400_000))
  expect(await t.sql`select 1 from letter_fates where letter = 'l1'`).toHaveLength(0)
})

test('a forged webhook is refused, and one about another event is accepted', async () => {
  expectRefusal(await deliverWebhook('bounced', 'l2', { secret: `whsec_${Buffer.from('another').toString('base64')}` }), 400, 'forged')
  expect((await deliverWebhook('opened', 'l2')).status).toBe(204)
  expect(await t.sql`select 1 from letter_fates where letter = 'l2'`).toHaveLength(0)
})
