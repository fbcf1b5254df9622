import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAssignedFolder, createFolderWithVideo, expectRefusal, type TestUser } from './full-server.ts'
import { type ServerWithStripe, startServerWithStripe } from './server-with-stripe.ts'

let t: ServerWithStripe
let coach: TestUser
let admin: Awaited<ReturnType<ServerWithStripe['admin']>>
beforeAll(async () => {
  t = await startServerWithStripe()
  coach = await t.instructor()
  admin = await t.admin()
  await t.onboard(coach)
  await coach.call('POST', '/api/payouts/refresh')
})
afterAll(() => t.end())

const billing = async (who: TestUser) => (await who.call('GET', '/api/billing')).body
/** Creates a player with a saved card who buys these packages. Returns the player, the email, and the purchase ids, oldest first. */
async function playerWithPackages(...packages: string[]) {
  const player = await t.player()
  const { email } = (await player.call('GET', '/api/user')).body
  await t.saveCardOf(player)
  for (const type of packages) {
    const { body } = await player.call('POST', '/api/packages/checkout', { package: type })
    const session = new URL(await t.enterCard(body.url)).searchParams.get('session')
    expect((await player.call('POST', '/api/packages/confirm', { session })).status).toBe(200)
  }
  await t.waitUntilIdle()
  const { purchases } = await billing(player)
  return { player, email: email as string, purchases: purchases.map((p: { id: string }) => p.id).reverse() as string[] }
}
const accountingOf = async (purchase: string) => (await admin.call('GET', `/api/purchases/${purchase}`)).body
const refundPackage = (purchase: string, what: 'whole' | 'unused', cents: number) =>
  admin.call('POST', `/api/admin/purchases/${purchase}/refund`, { refund: randomUUID(), what, cents, reason: 'The season is over.' })
const chargeOf = async (purchase: string) => {
  const [bought] = await t.deps.store.read(`purchase-${purchase}`)
  return (bought!.data as { charge: string }).charge
}
const deliverAllWebhooks = async () => {
  for (const event of await t.webhooks()) await t.deliver(event)
  await t.waitUntilIdle()
}

describe('a package', () => {
  test.each([
    ['single', 1, 1500],
    ['triple', 3, 4200],
    ['season', 10, 13_000],
  ])('%s is %i folders for %i cents, with a receipt, a letter and a billing entry', async (type, folders, cents) => {
    const { player, email } = await playerWithPackages(type)
    const { purchases, credits } = await billing(player)
    expect(credits).toBe(folders)
    expect(purchases).toMatchObject([{ folders, cents, refunded: 0, status: 'paid', card: { brand: 'visa', last4: '4242' } }])
    const { data } = await t.stripe.charges.list({ limit: 1 })
    expect(data[0]!.amount).toBe(cents)
    const { receipt } = (await player.call('GET', `/api/purchases/${purchases[0].id}`)).body
    expect(receipt).toMatch(/^DL-\d{6}-[0-9A-F]{8}$/)
    expect((await t.letters(email)).at(-1)).toMatchObject({ subject: `Receipt ${receipt}: $${(cents / 100).toFixed(2)}` })
  })
  test('is visible only to its owner, and its accounting only to administrators', async () => {
    const { player, purchases } = await playerWithPackages('single')
    const [id] = purchases
    expect((await (await t.player()).call('GET', `/api/purchases/${id}`)).status).toBe(404)
    expect((await player.call('GET', `/api/purchases/${id}`)).body.books).toBeNull()
    expect((await accountingOf(id!)).books).toEqual({
      unused: 1,
      used: 0,
      gone: 0,
      given: 0,
      shares: 0,
      loss: 0,
      refundable: { whole: 1500, unused: 1500 },
    })
  })
  test('paid with a delayed method is recorded as soon as its webhook arrives', async () => {
    const player = await t.player()
    const { body } = await player.call('POST', '/api/packages/checkout', { package: 'triple' })
    await t.enterCard(body.url)
    const done = (await t.webhooks()).findLast(e => e.type === 'checkout.session.completed')!
    await t.deliver({ ...done, id: 'evt_late', type: 'checkout.session.async_payment_succeeded' })
    await t.waitUntilIdle()
    expect((await billing(player)).credits).toBe(3)
  })
})

describe('a refund of a package', () => {
  test('for its unused folders keeps other credits and the session already given', async () => {
    const { player, email, purchases } = await playerWithPackages('triple', 'single')
    const [triple] = purchases
    const { payment } = await t.createDeliveredFolder(player, coach)
    const { total } = (await player.call('GET', `/api/payments/${payment}`)).body
    expect(total).toBe(50)
    expect((await player.call('POST', `/api/payments/${payment}/pay`, { tip: 0, total })).body.status).toBe('paid')
    await t.waitUntilIdle()
    // The share is transferred from the package's charge, because the player's own charge covers only 50 cents.
    const charge = await chargeOf(triple!)
    const { transfer_group } = await t.stripe.charges.retrieve(charge)
    const passed = (await t.stripe.transfers.list({ transfer_group: transfer_group! })).data
    expect(passed.map(p => [p.source_transaction, p.amount])).toEqual([[charge, 1200]])

    expect((await accountingOf(triple!)).books).toMatchObject({ unused: 2, used: 1, given: 1, shares: 1200, loss: 0 })
    expectRefusal(await refundPackage(triple!, 'unused', 1400), 409, 'changed')
    expect((await refundPackage(triple!, 'unused', 2800)).status).toBe(204)
    await t.waitUntilIdle()
    expect((await t.stripe.charges.retrieve(charge)).amount_refunded).toBe(2800)
    expect((await accountingOf(triple!)).books).toMatchObject({ unused: 0, gone: 2, loss: 0, refundable: { whole: 1400, unused: 0 } })
    expect(await billing(player)).toMatchObject({ credits: 1, purchases: [{ refunded: 0 }, { refunded: 2800, status: 'paid' }] })
    expect((await t.letters(email)).at(-1)!.subject).toBe('$28.00 is on its way back to you')

    expect((await refundPackage(triple!, 'whole', 1400)).status).toBe(204)
    await t.waitUntilIdle()
    expect(await accountingOf(triple!)).toMatchObject({ status: 'refunded', books: { loss: 1200, shares: 1200 } })
    expect((await t.stripe.transfers.retrieve(passed[0]!.id)).amount_reversed).toBe(0)
    expectRefusal(await refundPackage(triple!, 'whole', 1), 409, 'nothing-left')
  })
  test('shows no loss for a session whose share was taken back', async () => {
    const { player, purchases } = await playerWithPackages('triple')
    const [triple] = purchases
    const { payment } = await t.createDeliveredFolder(player, coach)
    expect((await player.call('POST', `/api/payments/${payment}/pay`, { tip: 0, total: 50 })).body.status).toBe('paid')
    await t.waitUntilIdle()
    const { body: earningsBefore } = await coach.call('GET', '/api/earnings')
    const refund = { refund: randomUUID(), cents: 50, reason: 'The feedback was for another player.' }
    expect((await admin.call('POST', `/api/admin/payments/${payment}/refund`, refund)).status).toBe(204)
    await t.waitUntilIdle()
    expect((await coach.call('GET', '/api/earnings')).body.earned).toBe(earningsBefore.earned - 1200)
    expect((await accountingOf(triple!)).books).toMatchObject({ given: 1, shares: 0, loss: 0, refundable: { whole: 4200 } })
    expect((await refundPackage(triple!, 'whole', 4200)).status).toBe(204)
    await t.waitUntilIdle()
    expect(await accountingOf(triple!)).toMatchObject({ status: 'refunded', books: { given: 1, shares: 0, loss: 0 } })
  })
  test('in full leaves an assigned folder covered, and withdrawing it adds no credit', async () => {
    const { player, purchases } = await playerWithPackages('triple')
    const { folder } = await createAssignedFolder(player, coach)
    expect((await refundPackage(purchases[0]!, 'whole', 4200)).status).toBe(204)
    await t.waitUntilIdle()
    expect((await billing(player)).credits).toBe(0)
    expect((await player.call('POST', `/api/folders/${folder}/withdraw`)).status).toBe(204)
    await t.waitUntilIdle()
    expect((await billing(player)).credits).toBe(0)
    expect((await player.call('GET', `/api/folders/${folder}/quote`)).body.total).toBe(1550)
  })
  test('restores the folders if the bank returns the refund', async () => {
    const { player, purchases } = await playerWithPackages('triple')
    expect((await refundPackage(purchases[0]!, 'whole', 4200)).status).toBe(204)
    await t.waitUntilIdle()
    expect((await billing(player)).credits).toBe(0)
    const { data } = await t.stripe.refunds.list({ charge: await chargeOf(purchases[0]!) })
    await t.control({ refunds: { [data[0]!.id]: 'failed' } })
    await deliverAllWebhooks()
    expect(await billing(player)).toMatchObject({ credits: 3, purchases: [{ refunded: 0, status: 'paid' }] })
  })
  test("in the provider's dashboard removes as many folders as it pays back", async () => {
    const { player, purchases } = await playerWithPackages('triple')
    await t.stripe.refunds.create({ charge: await chargeOf(purchases[0]!), amount: 1400 })
    await deliverAllWebhooks()
    expect(await billing(player)).toMatchObject({ credits: 2, purchases: [{ refunded: 1400, status: 'paid' }] })
  })
  test('by chargeback removes its unused folders, and a won dispute restores them', async () => {
    const { player, purchases } = await playerWithPackages('triple', 'single')
    const charge = await chargeOf(purchases[0]!)
    await t.control({ disputes: [charge] })
    await deliverAllWebhooks()
    expect(await billing(player)).toMatchObject({ credits: 1, purchases: [{ status: 'paid' }, { status: 'disputed' }] })
    expectRefusal(await refundPackage(purchases[0]!, 'whole', 4200), 409, 'disputed')
    const { data } = await t.stripe.disputes.list({ charge })
    await t.control({ outcomes: { [data[0]!.id]: 'won' } })
    await deliverAllWebhooks()
    expect(await billing(player)).toMatchObject({ credits: 4, purchases: [{ status: 'paid' }, { status: 'paid' }] })
  })
  test('by a chargeback that the bank decides for the payer is marked as lost', async () => {
    const { player, purchases } = await playerWithPackages('single')
    const charge = await chargeOf(purchases[0]!)
    await t.control({ disputes: [charge] })
    await deliverAllWebhooks()
    expect(await billing(player)).toMatchObject({ purchases: [{ status: 'disputed', isDisputeLost: false }] })
    const { data } = await t.stripe.disputes.list({ charge })
    await t.control({ outcomes: { [data[0]!.id]: 'lost' } })
    await deliverAllWebhooks()
    expect(await billing(player)).toMatchObject({ credits: 0, purchases: [{ status: 'disputed', isDisputeLost: true }] })
  })
})

describe('assigning charges the price that the player saw', () => {
  const price = async (player: TestUser, folder: string) => {
    const { total, atMost } = (await player.call('GET', `/api/folders/${folder}/quote`)).body
    return { total, atMost }
  }
  const assign = (player: TestUser, folder: string, seen: object, assignment = randomUUID()) =>
    player.call('POST', `/api/folders/${folder}/assign`, { assignment, instructor: coach.id, seen })
  test('if two tabs use the only credit, the second is refused and gets the new price', async () => {
    const { player } = await playerWithPackages('single')
    const [one, two] = [await createFolderWithVideo(player), await createFolderWithVideo(player)]
    const seen = [await price(player, one.folder), await price(player, two.folder)]
    expect(seen).toEqual([
      { total: 50, atMost: 1000 },
      { total: 50, atMost: 1000 },
    ])
    const ids = [randomUUID(), randomUUID()]
    const answers = await Promise.all([one, two].map(({ folder }, i) => assign(player, folder, seen[i]!, ids[i])))
    const late = answers.find(a => a.status !== 204)!
    expect(answers.map(a => a.status).sort()).toEqual([204, 409])
    expectRefusal(late, 409, 'price-changed')
    const which = answers.indexOf(late)
    const left = [one, two][which]!
    const now = await price(player, left.folder)
    expect(now).toEqual({ total: 1550, atMost: 2500 })
    expectRefusal(await assign(player, left.folder, seen[0]!), 409, 'price-changed')
    expect((await assign(player, left.folder, now, ids[which])).status).toBe(204)
  })
  test('an assignment at an outdated price is refused, whether higher or lower', async () => {
    const player = await t.player()
    await t.saveCardOf(player)
    const { folder } = await createFolderWithVideo(player)
    for (const seen of [
      { total: 1550, atMost: 2501 },
      { total: 1549, atMost: 2500 },
    ])
      expectRefusal(await assign(player, folder, seen), 409, 'price-changed')
    expect((await assign(player, folder, { total: 1550, atMost: 2500 })).status).toBe(204)
  })
  test('the only card cannot be removed while an assignment is in progress', async () => {
    const player = await t.player()
    const card = await t.saveCardOf(player)
    const { folder } = await createFolderWithVideo(player)
    const { reserveForAssignment } = await import('../../src/api/assignment-payment-reservation.ts')
    const seen = await price(player, folder)
    const asked = {
      assignment: randomUUID(),
      folder,
      player: player.id,
      payer: { id: player.id, isGuardian: false },
      instructor: coach.id,
      videos: [{ bytes: 1 }],
      seen,
    }
    await reserveForAssignment(t.deps, asked, { command: randomUUID(), actor: player.id })
    expectRefusal(await player.call('DELETE', `/api/cards/${card.id}`), 409, 'card-in-use')
    t.advanceClock(11 * 60_000)
    expect((await player.call('DELETE', `/api/cards/${card.id}`)).status).toBe(204)
    t.advanceClock(-11 * 60_000)
  })
  test('a player with a failed payment must settle it before assigning', async () => {
    const player = await t.player()
    const card = await t.saveCardOf(player, '4000000000000341')
    const { payment } = await t.createDeliveredFolder(player, coach)
    const { total } = (await player.call('GET', `/api/payments/${payment}`)).body
    const { folder } = await createFolderWithVideo(player)
    const failed = await player.call('POST', `/api/payments/${payment}/pay`, { tip: 0, total, card: card.id })
    expect(failed.body.status).toBe('failed')
    expectRefusal(await assign(player, folder, await price(player, folder)), 409, 'unsettled')
    const other = await t.saveCardOf(player)
    expect((await player.call('POST', `/api/payments/${payment}/pay`, { tip: 0, total, card: other.id })).body.status).toBe('paid')
    expect((await assign(player, folder, await price(player, folder))).status).toBe(204)
  })
})
