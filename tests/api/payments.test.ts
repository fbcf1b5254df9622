import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectRefusal, type TestUser } from './full-server.ts'
import { type ServerWithStripe, startServerWithStripe } from './server-with-stripe.ts'

let t: ServerWithStripe
let coach: TestUser
let admin: Awaited<ReturnType<ServerWithStripe['admin']>>
beforeAll(async () => {
  t = await startServerWithStripe()
  coach = await t.instructor()
  admin = await t.admin()
})
afterAll(() => t.end())

const billing = async (who: TestUser) => (await who.call('GET', '/api/billing')).body
const openBills = async (who: TestUser) => (await who.call('GET', '/api/billing/open')).body.payments
const payments = async (who: TestUser, id: string) => (await who.call('GET', `/api/payments/${id}`)).body
const pay = (who: TestUser, id: string, more: object = {}, key: string = randomUUID()) =>
  who.call('POST', `/api/payments/${id}/pay`, { tip: 0, total: 1550, ...more }, { 'idempotency-key': key })
const charged = async (payment: string) => (await t.stripe.charges.list({ transfer_group: payment })).data.filter(c => c.paid)
async function playerWithCard(number?: string) {
  const player = await t.player()
  const card = await t.saveCardOf(player, number)
  return { player, card }
}

describe('paying', () => {
  // @spec:4.27
  test('the bill gives the player a receipt and the instructor a share', async () => {
    const { player } = await playerWithCard()
    const instructor = await t.instructor()
    const { payment, folder } = await t.createDeliveredFolder(player, instructor)
    const due = (await billing(player)).payments[0]
    expect(due).toMatchObject({
      id: payment,
      folder,
      folderName: 'Swings',
      playerName: 'Ana García',
      status: 'due',
      total: 1550,
      items: [
        { label: 'Feedback session', cents: 1500 },
        { label: 'Media Service Fee: 1 video', cents: 50 },
      ],
      overdue: false,
      paid: null,
      receipt: null,
    })
    expect(Date.parse(due.due) - Date.parse(due.opened)).toBe(7 * 24 * 3600_000)
    expect(await openBills(player)).toEqual([due])

    const paid = await pay(player, payment, { tip: 300 })
    expect([paid.status, paid.body]).toEqual([200, { status: 'paid', failure: null, url: null }])
    const receipt = await payments(player, payment)
    expect(receipt).toMatchObject({ status: 'paid', tip: 300, share: 1500, card: { brand: 'visa', last4: '4242' }, transferred: null })
    expect(receipt.receipt).toMatch(/^DL-\d{6}-[0-9A-F]{8}$/)
    await t.waitUntilIdle()
    expect((await player.call('GET', `/api/folders/${folder}`)).body.status).toBe('paid')
    expect(await openBills(player)).toEqual([])

    const waiting = (await instructor.call('GET', '/api/earnings')).body
    expect(waiting).toMatchObject({ earned: 1500, transferred: 0, waiting: 1500, account: { status: 'none', requirements: [] } })
    await t.onboard(instructor)
    expect((await instructor.call('POST', '/api/payouts/refresh')).body).toEqual({ status: 'ready' })
    await t.waitUntilIdle()
    const earned = (await instructor.call('GET', '/api/earnings')).body
    expect(earned).toMatchObject({ earned: 1500, transferred: 1500, waiting: 0, account: { status: 'ready' } })
    expect(earned.payments[0]).toMatchObject({ id: payment, card: null, failure: null, transferred: expect.any(String) })
    expect((await t.stripe.transfers.list({ transfer_group: payment })).data.map(x => x.amount)).toEqual([1500])
  })
  test('twice is refused; repeating the same command returns the first answer', async () => {
    const { player } = await playerWithCard()
    const { payment } = await t.createDeliveredFolder(player, coach)
    const key = randomUUID()
    const [one, two] = await Promise.all([pay(player, payment, { tip: 100 }, key), pay(player, payment, { tip: 100 }, key)])
    expect(one.body).toEqual(two.body)
    expect((await pay(player, payment, { tip: 100 }, key)).body).toEqual(one.body)
    expectRefusal(await pay(player, payment), 409, 'already-paid')
    expect((await charged(payment)).map(c => c.amount)).toEqual([1650])
  })
  test('in two tabs charges the card once', async () => {
    const { player } = await playerWithCard()
    const { payment } = await t.createDeliveredFolder(player, coach)
    const answers = await Promise.all([pay(player, payment), pay(player, payment, { tip: 200 })])
    expect(answers.map(a => a.status).sort()).toEqual([200, 409])
    await t.waitUntilIdle()
    expect(await charged(payment)).toHaveLength(1)
  })
  test('a total other than the one shown is refused with the current total', async () => {
    const { player } = await playerWithCard()
    const { payment } = await t.createDeliveredFolder(player, coach)
    const answer = await pay(player, payment, { total: 1500 })
    expectRefusal(answer, 409, 'price-changed')
    expect(answer.body.message).toContain('$15.50')
    expect(await charged(payment)).toEqual([])
  })
  test('a tip outside its limits is refused', async () => {
    const { player } = await playerWithCard()
    for (const tip of [-1, 20_001, 1.5]) expect((await pay(player, randomUUID(), { tip })).status).toBe(422)
  })
  test('a payment is visible only to its player, its instructor and administrators', async () => {
    const { player } = await playerWithCard()
    const { player: other } = await playerWithCard()
    const { payment } = await t.createDeliveredFolder(player, coach)
    expectRefusal(await pay(other, payment), 404, 'not-found')
    expectRefusal(await other.call('GET', `/api/payments/${payment}`), 404, 'not-found')
    expectRefusal(await (await t.instructor()).call('GET', `/api/payments/${payment}`), 404, 'not-found')
    expect((await payments(coach, payment)).id).toBe(payment)
    expect((await admin.call('GET', `/api/payments/${payment}`)).status).toBe(200)
  })
  test('a declined card gives the reason, and another card can pay', async () => {
    const { player } = await playerWithCard('4000000000000341')
    const { payment } = await t.createDeliveredFolder(player, coach)
    const no = await pay(player, payment)
    expect(no.body).toMatchObject({ status: 'failed', failure: { reason: 'declined' }, url: null })
    expect((await payments(player, payment)).failure.message).toBe(no.body.failure.message)
    const card = await t.saveCardOf(player)
    expectRefusal(await pay(player, payment, { card: 'pm_of_somebody' }), 409, 'no-card')
    expect((await pay(player, payment, { card: card.id })).body.status).toBe('paid')
  })
  test("with authentication happens on the bank's page; the webhook reports the result", async () => {
    const { player } = await playerWithCard()
    const { payment } = await t.createDeliveredFolder(player, coach)
    const { cards } = await billing(player)
    await t.control({ cards: { [cards[0].id]: '4000002760003184' } })
    const key = randomUUID()
    const asked = await pay(player, payment, { tip: 300 }, key)
    expect(asked.body).toMatchObject({
      status: 'failed',
      failure: { reason: 'authentication-needed' },
      url: expect.stringContaining('/3ds/'),
    })
    expect((await pay(player, payment, { tip: 300 }, key)).body).toEqual(asked.body)
    const back = await t.submit(asked.body.url, { answer: 'complete' })
    expect(back.headers.get('location')).toContain('/player/folder/')
    await t.deliverAll()
    expect(await payments(player, payment)).toMatchObject({ status: 'paid', tip: 300 })
    expect(await charged(payment)).toHaveLength(1)
  })
  test('stays pending while the provider does not answer, and succeeds later', async () => {
    const { player } = await playerWithCard()
    const { payment } = await t.createDeliveredFolder(player, coach)
    await t.control({ calls: [{ match: 'POST /v1/payment_intents', how: 'error', when: 'after' }] })
    expect((await pay(player, payment)).body).toEqual({ status: 'processing', failure: null, url: null })
    expect((await payments(player, payment)).status).toBe('processing')
    await t.makeDue('payment.settle')
    expect((await payments(player, payment)).status).toBe('paid')
    expect(await charged(payment)).toHaveLength(1)
  })
  test('an attempt of unknown outcome is settled before the next one begins', async () => {
    const { player } = await playerWithCard()
    const { payment } = await t.createDeliveredFolder(player, coach)
    await t.control({ calls: [{ match: 'POST /v1/payment_intents', how: 'error', when: 'after' }] })
    await pay(player, payment)
    expectRefusal(await pay(player, payment), 409, 'already-paid')
    expect(await charged(payment)).toHaveLength(1)
  })
  test('saving a card is refused with 503 while the provider is down', async () => {
    const player = await t.player()
    await t.control({ calls: [{ match: 'POST /v1/customers', how: 'error' }] })
    expectRefusal(await player.call('POST', '/api/cards/setup', { back: '/player/dashboard' }), 503, 'payments-away')
  })
})

describe('webhooks', () => {
  test('that are signed but name no object are refused', async () => {
    const event = { id: 'evt_1', object: 'event', type: 'charge.refunded', created: 1_780_000_000 }
    for (const data of [undefined, {}, { object: {} }, { object: { id: 'x' } }, { object: 'pi_1' }]) {
      const answer = await t.deliver({ ...event, data })
      expect([answer.status, (await answer.json()).code]).toEqual([400, 'malformed'])
    }
    for (const hollow of [{}, [], { ...event, id: 7 }, { ...event, created: 'soon' }]) expect((await t.deliver(hollow)).status).toBe(400)
  })
  test('that are forged, old or from the future are refused', async () => {
    const [event] = await t.webhooks()
    const now = Math.floor(Date.now() / 1000)
    expect((await t.deliver(event!, 'whsec_wrong')).status).toBe(400)
    expect((await t.deliver(event!, t.secret, now - 400)).status).toBe(400)
    expect((await t.deliver(event!, t.secret, now + 400)).status).toBe(400)
  })
  test('are recorded once with their errand, however often they arrive', async () => {
    const { player } = await playerWithCard()
    const { payment } = await t.createDeliveredFolder(player, coach)
    await pay(player, payment)
    await t.deliverAll()
    const count = async () => Number((await t.sql`select count(*)::int as n from errands where kind = 'stripe.notice'`)[0]!.n)
    const before = await count()
    const log = async () => (await t.deps.store.read(`payment-${payment}`)).length
    const events = await log()
    await Promise.all((await t.webhooks()).flatMap(e => [t.deliver(e), t.deliver(e)]))
    await t.waitUntilIdle()
    expect([await count(), await log()]).toEqual([before, events])
  })
  test('about a dispute freeze the share', async () => {
    const { player } = await playerWithCard()
    const instructor = await t.instructor()
    const { payment } = await t.createDeliveredFolder(player, instructor)
    await pay(player, payment)
    const [charge] = await charged(payment)
    await t.control({ disputes: [charge!.id] })
    await t.deliverAll()
    await t.onboard(instructor)
    await t.deliverAll()
    expect(await payments(player, payment)).toMatchObject({ status: 'disputed', transferred: null })
    expect((await t.stripe.transfers.list({ transfer_group: payment })).data).toEqual([])
  })
  test('about a lost dispute say that the bank returned the payment', async () => {
    const { player } = await playerWithCard()
    const { payment } = await t.createDeliveredFolder(player, coach)
    await pay(player, payment)
    const [charge] = await charged(payment)
    await t.control({ disputes: [charge!.id] })
    await t.deliverAll()
    expect(await payments(player, payment)).toMatchObject({ status: 'disputed', isDisputeLost: false })
    const { data } = await t.stripe.disputes.list({ charge: charge!.id })
    await t.control({ outcomes: { [data[0]!.id]: 'lost' } })
    await t.deliverAll()
    expect(await payments(player, payment)).toMatchObject({ status: 'disputed', isDisputeLost: true, share: 0 })
  })
  test('about a payout account that has become ready release the waiting shares', async () => {
    const { player } = await playerWithCard()
    const instructor = await t.instructor()
    const { payment } = await t.createDeliveredFolder(player, instructor)
    await pay(player, payment)
    await t.waitUntilIdle()
    await t.onboard(instructor)
    await t.deliverAll()
    expect((await payments(player, payment)).transferred).not.toBeNull()
    const { body } = await instructor.call('POST', '/api/payouts/account')
    expect(await (await fetch(body.url)).text()).toContain('Your payouts')
  })
})

describe('refunds', () => {
  test('by an administrator cover a part, then the rest, and repeats change nothing', async () => {
    const { player } = await playerWithCard()
    const instructor = await t.instructor()
    await t.onboard(instructor)
    await instructor.call('POST', '/api/payouts/refresh')
    const { payment } = await t.createDeliveredFolder(player, instructor)
    await pay(player, payment, { tip: 300 })
    await t.waitUntilIdle()
    const give = (cents: number, refund: string = randomUUID()) =>
      admin.call('POST', `/api/admin/payments/${payment}/refund`, { refund, cents, reason: 'Wrong folder' })
    const refund = randomUUID()
    expect((await give(500, refund)).status).toBe(204)
    expect((await give(500, refund)).status).toBe(204)
    await t.waitUntilIdle()
    expect(await payments(player, payment)).toMatchObject({ status: 'paid', refunded: 500, share: 1500 })
    const tooMuch = await give(1351)
    expectRefusal(tooMuch, 409, 'too-much')
    expect(tooMuch.body.field).toBe('cents')
    expect((await give(1350)).status).toBe(204)
    await t.waitUntilIdle()
    expect(await payments(player, payment)).toMatchObject({ status: 'refunded', refunded: 1850, share: 0, transferred: null })
    expect((await charged(payment))[0]!.amount_refunded).toBe(1850)
    expect((await t.stripe.transfers.list({ transfer_group: payment })).data[0]!.amount_reversed).toBe(1500)
  })
  test('of an unknown or unpaid payment is refused', async () => {
    const { player } = await playerWithCard()
    const { payment } = await t.createDeliveredFolder(player, coach)
    const asked = { refund: randomUUID(), cents: 100, reason: 'Wrong folder' }
    expectRefusal(await admin.call('POST', `/api/admin/payments/${payment}/refund`, asked), 409, 'not-paid')
    expectRefusal(await admin.call('POST', `/api/admin/payments/${randomUUID()}/refund`, asked), 404, 'not-found')
    expect((await admin.call('POST', `/api/admin/payments/${payment}/refund`, { ...asked, reason: '' })).status).toBe(422)
  })
})
