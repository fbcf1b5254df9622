import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteOldLetterDeliveries, LETTER_DELIVERY_STATUS_DAYS } from '../../modules/letters/letter-delivery-table.ts'
import { webhookSignature } from '../../modules/letters/verify-resend-webhook.ts'
import { guardianTokenIn } from '../support/guardian-token-in-letter.ts'
import { expectRefusal } from './full-server.ts'
import { type ServerWithStripe, startServerWithStripe } from './server-with-stripe.ts'
import { birthDateForAge, newPlayerInput, ORIGIN } from './test-server.ts'

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
  const leo = await t.player({ dateOfBirth: birthDateForAge(15), guardianName: 'Maria García', guardianEmail: email })
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

let outcomes = 0
/** Delivers a webhook about a new email to `to`, dated a second after the previous webhook. */
const setOutcome = async (fate: string, to: string) => {
  const at = new Date(Date.now() + ++outcomes * 1000)
  expect((await deliverWebhook(fate, randomUUID(), { to, at })).status).toBe(204)
}
type Caller = Pick<Awaited<ReturnType<typeof t.player>>, 'call'>
const get = async (who: Caller, path: string) => (await who.call('GET', path)).body

test.each(['bounced', 'complained', 'suppressed'])('only the owner of an address learns that the latest email to it was %s', async fate => {
  const everybody = [await t.player(), await t.instructor(), await t.admin()]
  for (const who of everybody) {
    const { email } = await get(who, '/api/account')
    await setOutcome('delivered', email)
    await setOutcome(fate, email)
    for (const other of everybody) expect((await get(other, '/api/account')).undeliverable).toBe(other === who)
    expect((await get(who, '/api/billing/open')).guardianUndeliverable ?? false).toBe(false)
    await setOutcome('delivered', email)
    expect((await get(who, '/api/account')).undeliverable).toBe(false)
  }
})

test('a changed address counts as deliverable until an email to it bounces', async () => {
  const ana = await t.player()
  const next = newPlayerInput().email
  await setOutcome('bounced', (await get(ana, '/api/account')).email)
  expect((await get(ana, '/api/account')).undeliverable).toBe(true)
  expect((await ana.call('POST', '/api/account/email', { email: next, presentPassword: newPlayerInput().password })).status).toBe(204)
  const token = async () => /change-email\?token=([\w-]+)/.exec((await t.letters(next))[0]?.text ?? '')?.[1]
  await expect.poll(token, { interval: 10 }).toBeTruthy()
  expect((await t.browser().call('POST', `/api/email-changes/${await token()}`)).status).toBe(204)
  expect(await get(ana, '/api/account')).toMatchObject({ email: next, undeliverable: false })
  await setOutcome('bounced', next)
  expect((await get(ana, '/api/account')).undeliverable).toBe(true)
})

test("after consent, a guardian's bounce is shown to the guardian and the player alone", async () => {
  const email = newPlayerInput().email
  const leo = await t.player({ dateOfBirth: birthDateForAge(15), guardianName: 'Maria García', guardianEmail: email })
  const token = async () => guardianTokenIn((await t.letters(email))[0])
  await expect.poll(token, { interval: 10 }).toBeTruthy()
  const maria = t.browser()
  expect((await maria.call('POST', `/api/guardian/${await token()}`, { answer: 'yes' })).status).toBe(204)
  const stranger = await t.player({ dateOfBirth: birthDateForAge(15), guardianName: 'Mo', guardianEmail: newPlayerInput().email })
  const shown = async () => ({
    player: [(await get(leo, '/api/account')).guardian.undeliverable, (await get(leo, '/api/billing/open')).guardianUndeliverable],
    guardian: (await get(maria, '/api/family')).guardian.undeliverable,
    others: [
      (await get(leo, '/api/account')).undeliverable,
      (await get(stranger, '/api/account')).guardian.undeliverable,
      (await get(stranger, '/api/billing/open')).guardianUndeliverable,
    ],
  })
  const nobody = { player: [false, false], guardian: false, others: [false, false, false] }
  expect(await shown()).toEqual(nobody)
  await setOutcome('bounced', email)
  expect(await shown()).toEqual({ ...nobody, player: [true, true], guardian: true })
  await setOutcome('delivered', email)
  expect(await shown()).toEqual(nobody)

  // A bounce from the player's own address is not shown to the guardian.
  const own = (await get(leo, '/api/account')).email
  await setOutcome('bounced', own)
  expect((await get(maria, '/api/family')).guardian.undeliverable).toBe(false)
  await setOutcome('delivered', own)

  await setOutcome('bounced', email)
  const mo = { name: 'Mo Lane', email: newPlayerInput().email }
  expect((await maria.call('POST', `/api/family/children/${leo.id}/guardian`, mo)).status).toBe(204)
  expect(await shown()).toEqual({ ...nobody, guardian: true })
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

test('a forged webhook is refused, and one about an irrelevant event is ignored', async () => {
  expectRefusal(await deliverWebhook('bounced', 'l2', { secret: `whsec_${Buffer.from('another').toString('base64')}` }), 400, 'forged')
  expect((await deliverWebhook('opened', 'l2')).status).toBe(204)
  expect(await t.sql`select 1 from letter_fates where letter = 'l2'`).toHaveLength(0)
})

test('the delay of a webhook is recorded', async () => {
  const recorded: [string, number][] = []
  const recordWebhook = (provider: string, seconds: number) => void recorded.push([provider, seconds])
  t.deps.metricsRecorder = { recordWebhook, recordResponse: () => {} }
  await deliverWebhook('delivered', 'l3', { at: new Date(Date.now() - 90_000) })
  t.deps.metricsRecorder = undefined
  const [[provider, seconds]] = recorded as [[string, number]]
  expect(recorded).toHaveLength(1)
  expect(provider).toBe('resend')
  expect(seconds).toBeGreaterThanOrEqual(90)
  expect(seconds).toBeLessThan(200)
})

test('a webhook is refused while no secret is set', async () => {
  const { resend } = t.deps.config
  const { webhookSecret } = resend
  resend.webhookSecret = undefined
  expectRefusal(await deliverWebhook('bounced', 'l4'), 400, 'forged')
  resend.webhookSecret = webhookSecret
})

test('a webhook that cannot be stored is not reported as forged', async () => {
  expect((await deliverWebhook('bounced', 'l\u0000')).status).toBe(500)
})
