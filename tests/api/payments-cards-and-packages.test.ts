import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { derivedId } from '../../modules/kernel/decider.ts'
import { createAssignedFolder, createFolderWithVideo, expectRefusal, type TestUser } from './full-server.ts'
import { type ServerWithStripe, startServerWithStripe } from './server-with-stripe.ts'

let t: ServerWithStripe
let coach: TestUser
beforeAll(async () => {
  t = await startServerWithStripe()
  coach = await t.instructor()
})
afterAll(() => t.end())

const billing = async (who: TestUser) => (await who.call('GET', '/api/billing')).body
const payments = async (who: TestUser, id: string) => (await who.call('GET', `/api/payments/${id}`)).body
const pay = (who: TestUser, id: string, more: object = {}, key: string = randomUUID()) =>
  who.call('POST', `/api/payments/${id}/pay`, { tip: 0, total: 1550, ...more }, { 'idempotency-key': key })
const charged = async (payment: string) => (await t.stripe.charges.list({ transfer_group: payment })).data.filter(c => c.paid)
async function playerWithCard(number?: string) {
  const player = await t.player()
  const card = await t.saveCardOf(player, number)
  return { player, card }
}

describe('cards', () => {
  // @spec:3.19
  test('are saved on the hosted page, selected and removed', async () => {
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
    await t.waitUntilIdle()
    expect((await t.stripe.paymentMethods.retrieve(second.id)).customer).toBeNull()
    expectRefusal(await player.call('POST', `/api/cards/${second.id}/prefer`), 404, 'not-found')
  })
  test('of other players are not found, nor are their setup pages', async () => {
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
  test('appear in the list after entry, even if only the webhook reports them', async () => {
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
  test('are entered on a page that never returns to another site', async () => {
    const player = await t.player()
    for (const back of ['https://evil.example/', '//evil.example', '/player/../../x', '/instructor/dashboard'])
      expect((await player.call('POST', '/api/cards/setup', { back })).status).toBe(422)
  })
  test('that an open assignment needs cannot be removed', async () => {
    const { player, card } = await playerWithCard()
    await createAssignedFolder(player, coach)
    expectRefusal(await player.call('DELETE', `/api/cards/${card.id}`), 409, 'card-in-use')
  })
  test.each(['taken back', 'declined', 'refused'])('can be removed again once the assignment is %s', async how => {
    const [{ player, card }, instructor] = await Promise.all([playerWithCard(), t.instructor()])
    if (how === 'refused') {
      const { assignment } = await createAssignedFolder((await playerWithCard()).player, instructor)
      const { folder } = await createFolderWithVideo(player)
      expectRefusal(
        await player.call('POST', `/api/folders/${folder}/assign`, { assignment, instructor: instructor.id }),
        409,
        'assigned-before',
      )
    } else {
      const { folder } = await createAssignedFolder(player, instructor)
      expectRefusal(await player.call('DELETE', `/api/cards/${card.id}`), 409, 'card-in-use')
      if (how === 'taken back') await player.call('POST', `/api/folders/${folder}/withdraw`)
      else await instructor.call('POST', `/api/folders/${folder}/decline`, { reason: 'Too dark.' })
      await t.waitUntilIdle()
    }
    expect((await player.call('DELETE', `/api/cards/${card.id}`)).status).toBe(204)
  })
})

describe('assigning', () => {
  // @spec:5.26
  test('requires a card, and the refusal says so', async () => {
    const player = await t.player()
    const { folder } = await createFolderWithVideo(player)
    const asked = { assignment: randomUUID(), instructor: coach.id }
    expectRefusal(await player.call('POST', `/api/folders/${folder}/assign`, asked), 409, 'card-needed')
  })
  test('is not possible while a payment is overdue', async () => {
    const { player } = await playerWithCard('4000000000000341')
    const { payment } = await t.createDeliveredFolder(player, coach)
    await t.makeDue('payment.collect')
    t.advanceClock(8 * 24 * 3600_000)
    try {
      expect(await payments(player, payment)).toMatchObject({ status: 'failed', overdue: true, failure: { reason: 'declined' } })
      const { folder } = await createFolderWithVideo(player)
      const asked = { assignment: randomUUID(), instructor: coach.id }
      expectRefusal(await player.call('POST', `/api/folders/${folder}/assign`, asked), 409, 'overdue')
    } finally {
      t.advanceClock(-8 * 24 * 3600_000)
    }
  })
  test('the automatic charge still works if a declined attempt has already used its id', async () => {
    const { player, card } = await playerWithCard('4000000000000341')
    const { payment } = await t.createDeliveredFolder(player, coach)
    const no = await pay(player, payment, { card: card.id }, derivedId(payment, 'collect'))
    expect(no.body).toMatchObject({ status: 'failed', failure: { reason: 'declined' } })
    await t.saveCardOf(player)
    await t.makeDue('payment.collect')
    expect(await payments(player, payment)).toMatchObject({ status: 'paid' })
    expect(await charged(payment)).toHaveLength(1)
  })
  test("is refused with another folder's assignment id", async () => {
    const { player } = await playerWithCard()
    const { assignment } = await createAssignedFolder(player, coach)
    const { folder } = await createFolderWithVideo(player)
    expectRefusal(await player.call('POST', `/api/folders/${folder}/assign`, { assignment, instructor: coach.id }), 409, 'assigned-before')
  })
})

describe('packages and rewards', () => {
  test('a package covers the base price of folders, and a withdrawal returns the credit', async () => {
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

    const { folder } = await createAssignedFolder(player, coach)
    expect((await billing(player)).credits).toBe(2)
    expect((await player.call('POST', `/api/folders/${folder}/withdraw`)).status).toBe(204)
    await t.waitUntilIdle()
    expect((await billing(player)).credits).toBe(3)

    const { payment } = await t.createDeliveredFolder(player, coach)
    const due = await payments(player, payment)
    expect(due).toMatchObject({ total: 50, share: 1200, items: [{}, {}, { label: 'Package credit', cents: -1500 }] })
    expect((await pay(player, payment, { total: 50 })).body.status).toBe('paid')
  })
  test('an unpaid package gives no sessions', async () => {
    const player = await t.player()
    const { body } = await player.call('POST', '/api/packages/checkout', { package: 'single' })
    expectRefusal(await player.call('POST', '/api/packages/confirm', { session: /(cs_\w+)/.exec(body.url)![1] }), 409, 'not-paid')
    expect((await billing(player)).credits).toBe(0)
  })
  // @spec:3.21 @spec:9.7
  test("a friend's code takes 10% off the first folder and earns the friend points", async () => {
    const referrer = await t.player()
    const { code } = (await referrer.call('GET', '/api/rewards')).body
    expect((await referrer.call('GET', '/api/rewards')).body.code).toBe(code)
    const friend = await t.player({ referralCode: ` ${code.toLowerCase()} ` })
    expect((await friend.call('GET', '/api/rewards')).body.discount).toBe(true)
    await t.saveCardOf(friend)
    const { payment } = await t.createDeliveredFolder(friend, coach)
    expect((await friend.call('GET', '/api/rewards')).body.discount).toBe(false)
    const { total, share } = await payments(friend, payment)
    expect([total, share]).toEqual([1400, 1200])
    await pay(friend, payment, { total: 1400 })
    await t.waitUntilIdle()
    expect((await referrer.call('GET', '/api/rewards')).body).toMatchObject({
      points: 150,
      worth: 150,
      friends: { joined: 1, rewarded: 1 },
      history: [{ type: 'earned', points: 150 }],
    })
    const second = await t.createDeliveredFolder(friend, coach)
    expect((await payments(friend, second.payment)).total).toBe(1550)

    await t.saveCardOf(referrer)
    const { folder } = await createFolderWithVideo(referrer)
    const quoted = (await referrer.call('GET', `/api/folders/${folder}/quote`)).body
    expect(quoted).toMatchObject({ total: 1400, atMost: 2350 })
  })
  test('without a code there is no discount', async () => {
    const player = await t.player()
    expect((await player.call('GET', '/api/rewards')).body.discount).toBe(false)
  })
  test('credits and points reserved for a failed assignment are returned', async () => {
    const { player } = await playerWithCard()
    const { body } = await player.call('POST', '/api/packages/checkout', { package: 'single' })
    const session = new URL(await t.enterCard(body.url)).searchParams.get('session')
    await player.call('POST', '/api/packages/confirm', { session })
    const { folder, assignment } = await createAssignedFolder(player, coach)
    await t.makeDue('rewards.check')
    expect((await billing(player)).credits).toBe(0)
    const { reserveForAssignment } = await import('../../src/api/assignment-payment-reservation.ts')
    await player.call('POST', `/api/folders/${folder}/withdraw`)
    await t.waitUntilIdle()
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
    expect((await reserveForAssignment(t.deps, asked, { command: randomUUID(), actor: player.id })).terms.credit).toBe(true)
    expect((await billing(player)).credits).toBe(0)
    await t.deps.processes.caughtUp(BigInt((await t.sql`select max(position)::text as p from events`)[0]!.p))
    await t.makeDue('rewards.check')
    expect((await billing(player)).credits).toBe(1)
  })
})
