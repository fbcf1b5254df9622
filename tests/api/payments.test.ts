import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { derivedId } from '../../modules/kernel/decider.ts'
import { assignedFolder, expectRefusal, type Person, readyFolder } from './full-server.ts'
import { type ServerWithStripe, startServerWithStripe } from './server-with-stripe.ts'

let t: ServerWithStripe
let coach: Person
let admin: Awaited<ReturnType<ServerWithStripe['admin']>>
beforeAll(async () => {
  t = await startServerWithStripe()
  coach = await t.instructor()
  admin = await t.admin()
})
afterAll(() => t.end())

const billing = async (who: Person) => (await who.call('GET', '/api/billing')).body
const payments = async (who: Person, id: string) => (await who.call('GET', `/api/payments/${id}`)).body
const pay = (who: Person, id: string, more: object = {}, key: string = randomUUID()) =>
  who.call('POST', `/api/payments/${id}/pay`, { tip: 0, total: 1550, ...more }, { 'idempotency-key': key })
const charged = async (payment: string) => (await t.stripe.charges.list({ transfer_group: payment })).data.filter(c => c.paid)
async function playerWithCard(number?: string) {
  const player = await t.player()
  const card = await t.saveCardOf(player, number)
  return { player, card }
}

describe('cards', () => {
  // @spec:3.19
  test('are saved on the hosted page, chosen and forgotten', async () => {
    const { player, card } = await playerWithCard()
    expect(card).toMatchObject({ brand: 'visa', last4: '4242', expMonth: 12, expYear: 2034, preferred: true })
    const second = await t.saveCardOf(player, '5555555555554444')
    expect((await billing(player)).cards).toMatchObject([
      { id: second.id, preferred: true },
      { id: card.id, preferred: false },
    ])
    expect((await player.call('POST', `/api/cards/${card.id}/prefer`)).status).toBe(204)
    expect((await player.call('DELETE', `/api/cards/${second.id}`)).status).toBe(204)
    expect((await player.call('DELETE', `/api/cards/${second.id}`)).status).toBe(204)
    expect((await billing(player)).cards).toMatchObject([{ id: card.id, preferred: true }])
    await t.quiet()
    expect((await t.stripe.paymentMethods.retrieve(second.id)).customer).toBeNull()
    expectRefusal(await player.call('POST', `/api/cards/${second.id}/prefer`), 404, 'not-found')
  })
  test('of others are not found, nor are their pages', async () => {
    const [{ card }, { player: other, card: theirs }] = [await playerWithCard(), await playerWithCard()]
    expectRefusal(await other.call('DELETE', `/api/cards/${card.id}`), 404, 'not-found')
    expectRefusal(await other.call('POST', `/api/cards/${card.id}/prefer`), 404, 'not-found')
    for (const { id } of [card, theirs]) expect((await t.stripe.paymentMethods.retrieve(id)).customer).not.toBeNull()
    const mine = await t.player()
    const { body } = await mine.call('POST', '/api/cards/setup', { back: '/player/dashboard' })
    const back = new URL(await t.enterCard(body.url))
    expect(back.pathname).toBe('/player/dashboard')
    expectRefusal(await other.call('POST', '/api/cards/confirm', { session: back.searchParams.get('setup') }), 404, 'not-found')
    expectRefusal(await other.call('POST', '/api/cards/confirm', { session: 'cs_test_nothing' }), 404, 'not-found')
    expect((await other.call('POST', '/api/cards/confirm', { session: '../customers' })).status).toBe(422)
  })
  test('not entered yet are none; entered ones are saved by the webhook too', async () => {
    const player = await t.player()
    const { body } = await player.call('POST', '/api/cards/setup', { back: '/player/dashboard' })
    const session = /(cs_\w+)/.exec(body.url)![1]
    expect((await player.call('POST', '/api/cards/confirm', { session })).body).toEqual({ card: null })
    await t.enterCard(body.url)
    await t.deliverAll()
    expect((await billing(player)).cards).toHaveLength(1)
    expect((await player.call('POST', '/api/cards/confirm', { session })).body.card.last4).toBe('4242')
    expect((await billing(player)).cards).toHaveLength(1)
  })
  test('do not lead back to another site', async () => {
    const player = await t.player()
    for (const back of ['https://evil.example/', '//evil.example', '/player/../../x', '/instructor/dashboard'])
      expect((await player.call('POST', '/api/cards/setup', { back })).status).toBe(422)
  })
  test('that pay for feedback on its way cannot be forgotten', async () => {
    const { player, card } = await playerWithCard()
    await assignedFolder(player, coach)
    expectRefusal(await player.call('DELETE', `/api/cards/${card.id}`), 409, 'card-in-use')
  })
  test.each(['taken back', 'declined', 'refused'])('are let go when the assignment is %s', async how => {
    const [{ player, card }, instructor] = await Promise.all([playerWithCard(), t.instructor()])
    if (how === 'refused') {
      const { assignment } = await assignedFolder((await playerWithCard()).player, instructor)
      const { folder } = await readyFolder(player)
      expectRefusal(
        await player.call('POST', `/api/folders/${folder}/assign`, { assignment, instructor: instructor.id }),
        409,
        'assigned-before',
      )
    } else {
      const { folder } = await assignedFolder(player, instructor)
      expectRefusal(await player.call('DELETE', `/api/cards/${card.id}`), 409, 'card-in-use')
      if (how === 'taken back') await player.call('POST', `/api/folders/${folder}/withdraw`)
      else await instructor.call('POST', `/api/folders/${folder}/decline`, { reason: 'Too dark.' })
      await t.quiet()
    }
    expect((await player.call('DELETE', `/api/cards/${card.id}`)).status).toBe(204)
  })
})

describe('assigning', () => {
  // @spec:5.26
  test('needs a card, and says so', async () => {
    const player = await t.player()
    const { folder } = await readyFolder(player)
    const asked = { assignment: randomUUID(), instructor: coach.id }
    expectRefusal(await player.call('POST', `/api/folders/${folder}/assign`, asked), 409, 'card-needed')
  })
  test('is not possible while a payment is overdue', async () => {
    const { player } = await playerWithCard('4000000000000341')
    const { payment } = await t.delivered(player, coach)
    await t.makeDue('payment.collect')
    t.pass(8 * 24 * 3600_000)
    try {
      expect(await payments(player, payment)).toMatchObject({ status: 'failed', overdue: true, failure: { reason: 'declined' } })
      const { folder } = await readyFolder(player)
      const asked = { assignment: randomUUID(), instructor: coach.id }
      expectRefusal(await player.call('POST', `/api/folders/${folder}/assign`, asked), 409, 'overdue')
    } finally {
      t.pass(-8 * 24 * 3600_000)
    }
  })
  test("a declined payment that reuses the charge's id leaves the later charge alone", async () => {
    const { player, card } = await playerWithCard('4000000000000341')
    const { payment } = await t.delivered(player, coach)
    const no = await pay(player, payment, { card: card.id }, derivedId(payment, 'collect'))
    expect(no.body).toMatchObject({ status: 'failed', failure: { reason: 'declined' } })
    await t.saveCardOf(player)
    await t.makeDue('payment.collect')
    expect(await payments(player, payment)).toMatchObject({ status: 'paid' })
    expect(await charged(payment)).toHaveLength(1)
  })
  test('under an id that another folder has is refused', async () => {
    const { player } = await playerWithCard()
    const { assignment } = await assignedFolder(player, coach)
    const { folder } = await readyFolder(player)
    expectRefusal(await player.call('POST', `/api/folders/${folder}/assign`, { assignment, instructor: coach.id }), 409, 'assigned-before')
  })
})

describe('paying', () => {
  // @spec:4.27
  test('from feedback to receipt, share and folder', async () => {
    const { player } = await playerWithCard()
    const instructor = await t.instructor()
    const { payment, folder } = await t.delivered(player, instructor)
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

    const paid = await pay(player, payment, { tip: 300 })
    expect([paid.status, paid.body]).toEqual([200, { status: 'paid', failure: null, url: null }])
    const receipt = await payments(player, payment)
    expect(receipt).toMatchObject({ status: 'paid', tip: 300, share: 1500, card: { brand: 'visa', last4: '4242' }, transferred: null })
    expect(receipt.receipt).toMatch(/^DL-\d{6}-[0-9A-F]{8}$/)
    await t.quiet()
    expect((await player.call('GET', `/api/folders/${folder}`)).body.status).toBe('paid')

    const waiting = (await instructor.call('GET', '/api/earnings')).body
    expect(waiting).toMatchObject({ earned: 1500, transferred: 0, waiting: 1500, account: { status: 'none', requirements: [] } })
    await t.onboard(instructor)
    expect((await instructor.call('POST', '/api/payouts/refresh')).body).toEqual({ status: 'ready' })
    await t.quiet()
    const earned = (await instructor.call('GET', '/api/earnings')).body
    expect(earned).toMatchObject({ earned: 1500, transferred: 1500, waiting: 0, account: { status: 'ready' } })
    expect(earned.payments[0]).toMatchObject({ id: payment, card: null, failure: null, transferred: expect.any(String) })
    expect((await t.stripe.transfers.list({ transfer_group: payment })).data.map(x => x.amount)).toEqual([1500])
  })
  test('twice is refused; repeating the command returns the same answer', async () => {
    const { player } = await playerWithCard()
    const { payment } = await t.delivered(player, coach)
    const key = randomUUID()
    const [one, two] = await Promise.all([pay(player, payment, { tip: 100 }, key), pay(player, payment, { tip: 100 }, key)])
    expect(one.body).toEqual(two.body)
    expect((await pay(player, payment, { tip: 100 }, key)).body).toEqual(one.body)
    expectRefusal(await pay(player, payment), 409, 'already-paid')
    expect((await charged(payment)).map(c => c.amount)).toEqual([1650])
  })
  test('from two tabs charges once', async () => {
    const { player } = await playerWithCard()
    const { payment } = await t.delivered(player, coach)
    const answers = await Promise.all([pay(player, payment), pay(player, payment, { tip: 200 })])
    expect(answers.map(a => a.status).sort()).toEqual([200, 409])
    await t.quiet()
    expect(await charged(payment)).toHaveLength(1)
  })
  test('another total than the one shown is refused with the new one', async () => {
    const { player } = await playerWithCard()
    const { payment } = await t.delivered(player, coach)
    const answer = await pay(player, payment, { total: 1500 })
    expectRefusal(answer, 409, 'price-changed')
    expect(answer.body.message).toContain('$15.50')
    expect(await charged(payment)).toEqual([])
  })
  test('a tip has bounds', async () => {
    const { player } = await playerWithCard()
    for (const tip of [-1, 20_001, 1.5]) expect((await pay(player, randomUUID(), { tip })).status).toBe(422)
  })
  test('a payment is found only by the people it concerns', async () => {
    const { player } = await playerWithCard()
    const { player: other } = await playerWithCard()
    const { payment } = await t.delivered(player, coach)
    expectRefusal(await pay(other, payment), 404, 'not-found')
    expectRefusal(await other.call('GET', `/api/payments/${payment}`), 404, 'not-found')
    expectRefusal(await (await t.instructor()).call('GET', `/api/payments/${payment}`), 404, 'not-found')
    expect((await payments(coach, payment)).id).toBe(payment)
    expect((await admin.call('GET', `/api/payments/${payment}`)).status).toBe(200)
  })
  test('a declined card says why, and another card pays', async () => {
    const { player } = await playerWithCard('4000000000000341')
    const { payment } = await t.delivered(player, coach)
    const no = await pay(player, payment)
    expect(no.body).toMatchObject({ status: 'failed', failure: { reason: 'declined' }, url: null })
    expect((await payments(player, payment)).failure.message).toBe(no.body.failure.message)
    const card = await t.saveCardOf(player)
    expectRefusal(await pay(player, payment, { card: 'pm_of_somebody' }), 409, 'no-card')
    expect((await pay(player, payment, { card: card.id })).body.status).toBe('paid')
  })
  test('a bank that wants to be sure gets its page, and its yes arrives by webhook', async () => {
    const { player } = await playerWithCard()
    const { payment } = await t.delivered(player, coach)
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
  test('stays pending while the provider is silent, and succeeds later', async () => {
    const { player } = await playerWithCard()
    const { payment } = await t.delivered(player, coach)
    await t.control({ calls: [{ match: 'POST /v1/payment_intents', how: 'error', when: 'after' }] })
    expect((await pay(player, payment)).body).toEqual({ status: 'processing', failure: null, url: null })
    expect((await payments(player, payment)).status).toBe('processing')
    await t.makeDue('payment.settle')
    expect((await payments(player, payment)).status).toBe('paid')
    expect(await charged(payment)).toHaveLength(1)
  })
  test('an attempt left undecided is decided before the next one', async () => {
    const { player } = await playerWithCard()
    const { payment } = await t.delivered(player, coach)
    await t.control({ calls: [{ match: 'POST /v1/payment_intents', how: 'error', when: 'after' }] })
    await pay(player, payment)
    expectRefusal(await pay(player, payment), 409, 'already-paid')
    expect(await charged(payment)).toHaveLength(1)
  })
  test('while the provider is down, a call is refused with 503', async () => {
    const player = await t.player()
    await t.control({ calls: [{ match: 'POST /v1/customers', how: 'error' }] })
    expectRefusal(await player.call('POST', '/api/cards/setup', { back: '/player/dashboard' }), 503, 'payments-away')
  })
})

describe('webhooks', () => {
  test('that are signed and name nothing are refused', async () => {
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
    const { payment } = await t.delivered(player, coach)
    await pay(player, payment)
    await t.deliverAll()
    const count = async () => Number((await t.sql`select count(*)::int as n from errands where kind = 'stripe.notice'`)[0]!.n)
    const before = await count()
    const log = async () => (await t.deps.store.read(`payment-${payment}`)).length
    const events = await log()
    await Promise.all((await t.webhooks()).flatMap(e => [t.deliver(e), t.deliver(e)]))
    await t.quiet()
    expect([await count(), await log()]).toEqual([before, events])
  })
  test('tell of a dispute, which freezes the share', async () => {
    const { player } = await playerWithCard()
    const instructor = await t.instructor()
    const { payment } = await t.delivered(player, instructor)
    await pay(player, payment)
    const [charge] = await charged(payment)
    await t.control({ disputes: [charge!.id] })
    await t.deliverAll()
    await t.onboard(instructor)
    await t.deliverAll()
    expect(await payments(player, payment)).toMatchObject({ status: 'disputed', transferred: null })
    expect((await t.stripe.transfers.list({ transfer_group: payment })).data).toEqual([])
  })
  test('tell that a payout account got ready, which releases what waited', async () => {
    const { player } = await playerWithCard()
    const instructor = await t.instructor()
    const { payment } = await t.delivered(player, instructor)
    await pay(player, payment)
    await t.quiet()
    await t.onboard(instructor)
    await t.deliverAll()
    expect((await payments(player, payment)).transferred).not.toBeNull()
    const { body } = await instructor.call('POST', '/api/payouts/account')
    expect(await (await fetch(body.url)).text()).toContain('Your payouts')
  })
})

describe('refunds', () => {
  test('by an admin, a part and then the rest, each once', async () => {
    const { player } = await playerWithCard()
    const instructor = await t.instructor()
    await t.onboard(instructor)
    await instructor.call('POST', '/api/payouts/refresh')
    const { payment } = await t.delivered(player, instructor)
    await pay(player, payment, { tip: 300 })
    await t.quiet()
    const give = (cents: number, refund: string = randomUUID()) =>
      admin.call('POST', `/api/admin/payments/${payment}/refund`, { refund, cents, reason: 'Wrong folder' })
    const refund = randomUUID()
    expect((await give(500, refund)).status).toBe(204)
    expect((await give(500, refund)).status).toBe(204)
    await t.quiet()
    expect(await payments(player, payment)).toMatchObject({ status: 'paid', refunded: 500, share: 1500 })
    const tooMuch = await give(1351)
    expectRefusal(tooMuch, 409, 'too-much')
    expect(tooMuch.body.field).toBe('cents')
    expect((await give(1350)).status).toBe(204)
    await t.quiet()
    expect(await payments(player, payment)).toMatchObject({ status: 'refunded', refunded: 1850, share: 0, transferred: null })
    expect((await charged(payment))[0]!.amount_refunded).toBe(1850)
    expect((await t.stripe.transfers.list({ transfer_group: payment })).data[0]!.amount_reversed).toBe(1500)
  })
  test('of an unknown or unpaid payment is refused', async () => {
    const { player } = await playerWithCard()
    const { payment } = await t.delivered(player, coach)
    const asked = { refund: randomUUID(), cents: 100, reason: 'Wrong folder' }
    expectRefusal(await admin.call('POST', `/api/admin/payments/${payment}/refund`, asked), 409, 'not-paid')
    expectRefusal(await admin.call('POST', `/api/admin/payments/${randomUUID()}/refund`, asked), 404, 'not-found')
    expect((await admin.call('POST', `/api/admin/payments/${payment}/refund`, { ...asked, reason: '' })).status).toBe(422)
  })
})

describe('packages and rewards', () => {
  test('a package covers the base of the next folders, and a withdrawal returns it', async () => {
    const { player } = await playerWithCard()
    const { body } = await player.call('POST', '/api/packages/checkout', { package: 'triple' })
    const back = new URL(await t.enterCard(body.url))
    expect(back.pathname).toBe('/player/payment')
    const session = back.searchParams.get('session')
    const other = await t.player()
    expectRefusal(await other.call('POST', '/api/packages/confirm', { session }), 404, 'not-found')
    expect((await player.call('POST', '/api/packages/confirm', { session })).body).toEqual({ credits: 3 })
    expect((await player.call('POST', '/api/packages/confirm', { session })).body).toEqual({ credits: 3 })
    await t.deliverAll()
    expect((await billing(player)).credits).toBe(3)

    const { folder } = await assignedFolder(player, coach)
    expect((await billing(player)).credits).toBe(2)
    expect((await player.call('POST', `/api/folders/${folder}/withdraw`)).status).toBe(204)
    await t.quiet()
    expect((await billing(player)).credits).toBe(3)

    const { payment } = await t.delivered(player, coach)
    const due = await payments(player, payment)
    expect(due).toMatchObject({ total: 50, share: 1200, items: [{}, {}, { label: 'Package credit', cents: -1500 }] })
    expect((await pay(player, payment, { total: 50 })).body.status).toBe('paid')
  })
  test('a package that is not paid gives nothing', async () => {
    const player = await t.player()
    const { body } = await player.call('POST', '/api/packages/checkout', { package: 'single' })
    expectRefusal(await player.call('POST', '/api/packages/confirm', { session: /(cs_\w+)/.exec(body.url)![1] }), 409, 'not-paid')
    expect((await billing(player)).credits).toBe(0)
  })
  // @spec:3.21 @spec:9.7
  test("a friend's code takes 10% off the first folder, and points follow its payment", async () => {
    const referrer = await t.player()
    const { code } = (await referrer.call('GET', '/api/rewards')).body
    expect((await referrer.call('GET', '/api/rewards')).body.code).toBe(code)
    const friend = await t.player({ referralCode: ` ${code.toLowerCase()} ` })
    expect((await friend.call('GET', '/api/rewards')).body.discount).toBe(true)
    await t.saveCardOf(friend)
    const { payment } = await t.delivered(friend, coach)
    expect((await friend.call('GET', '/api/rewards')).body.discount).toBe(false)
    const { total, share } = await payments(friend, payment)
    expect([total, share]).toEqual([1400, 1200])
    await pay(friend, payment, { total: 1400 })
    await t.quiet()
    expect((await referrer.call('GET', '/api/rewards')).body).toMatchObject({
      points: 150,
      worth: 150,
      friends: { joined: 1, rewarded: 1 },
      history: [{ type: 'earned', points: 150 }],
    })
    const second = await t.delivered(friend, coach)
    expect((await payments(friend, second.payment)).total).toBe(1550)

    await t.saveCardOf(referrer)
    const { folder } = await readyFolder(referrer)
    const quoted = (await referrer.call('GET', `/api/folders/${folder}/quote`)).body
    expect(quoted).toMatchObject({ total: 1400, atMost: 2350 })
  })
  test('without a code there is no discount', async () => {
    const player = await t.player()
    expect((await player.call('GET', '/api/rewards')).body.discount).toBe(false)
  })
  test('what was set aside for an assignment that never came is given back', async () => {
    const { player } = await playerWithCard()
    const { body } = await player.call('POST', '/api/packages/checkout', { package: 'single' })
    const session = new URL(await t.enterCard(body.url)).searchParams.get('session')
    await player.call('POST', '/api/packages/confirm', { session })
    const { folder, assignment } = await assignedFolder(player, coach)
    await t.makeDue('rewards.check')
    expect((await billing(player)).credits).toBe(0)
    const { prepareAssignment } = await import('../../src/api/assignment.ts')
    await player.call('POST', `/api/folders/${folder}/withdraw`)
    await t.quiet()
    expect(assignment).toBeTruthy()
    const { total, atMost } = (await player.call('GET', `/api/folders/${folder}/quote`)).body
    const videos = [{ bytes: 1 }]
    const asked = {
      assignment: randomUUID(),
      folder,
      player: player.id,
      payer: { id: player.id, isGuardian: false },
      instructor: coach.id,
      videos,
      seen: { total, atMost },
    }
    expect((await prepareAssignment(t.deps, asked, { command: randomUUID(), actor: player.id })).terms.credit).toBe(true)
    expect((await billing(player)).credits).toBe(0)
    await t.deps.processes.caughtUp(BigInt((await t.sql`select max(position)::text as p from events`)[0]!.p))
    await t.makeDue('rewards.check')
    expect((await billing(player)).credits).toBe(1)
  })
})
