import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { derivedId, handleCommand } from '../../modules/kernel/decider.ts'
import { CommandRefused } from '../../modules/kernel/store.ts'
import { purchaseDecider } from '../../modules/payments/package-purchase.ts'
import { creditsAndPointsDecider } from '../../modules/rewards/credits-and-points-decider.ts'
import { PAYMENT_TEST_TIME, setUpPaymentHandlers, testSystemCommandSource } from './payment-handlers-testbed.ts'

const { ask, context, says } = setUpPaymentHandlers()

test.each([
  ['single', 'Single session: 1 feedback session', 1500, '1'],
  ['season', 'Season: 10 feedback sessions', 13_000, '10'],
])('the checkout page sells a package with its name and price: %s', async (type, name, amount, folders) => {
  context.gateway.checkout = says({ url: 'https://pay.test/sale' })
  const command = randomUUID()
  const sold = await ask('POST /api/packages/checkout', { body: { package: type }, by: { command, actor: 'ana' } })
  expect(sold).toEqual({ url: 'https://pay.test/sale' })
  const back = 'http://ours.test/player/payment'
  expect(context.asked).toEqual([
    {
      customer: 'cus_1',
      payer: 'ana',
      item: { name, amount },
      metadata: { package: type, folders },
      returnUrl: back,
      cancelUrl: `${back}?package=${type}`,
      key: derivedId(command, 'cus_1', type),
    },
  ])
})

test('only its buyer sees a package, and it gives no sessions until it is paid', async () => {
  context.gateway.fetchCheckout = says({ payer: 'ben', paid: true, metadata: {} })
  await expect(ask('POST /api/packages/confirm', { body: { session: 'cs_1' } })).rejects.toMatchObject({ status: 404 })
  context.gateway.fetchCheckout = says({ payer: 'ana', paid: false, metadata: {} })
  const early = await ask('POST /api/packages/confirm', { body: { session: 'cs_1' } }).catch(e => e)
  expect([early instanceof CommandRefused, early.code, early.message]).toEqual([
    ...[true, 'not-paid', 'This package has not been paid for yet. Go back to the payment page to finish.'],
  ])
})

test('packages are offered with their names, sessions and prices; credits are counted', async () => {
  expect((await ask('GET /api/packages')).packages).toEqual([
    { type: 'single', label: 'Single session', folders: 1, cents: 1500 },
    { type: 'triple', label: 'Triple', folders: 3, cents: 4200 },
    { type: 'season', label: 'Season', folders: 10, cents: 13_000 },
  ])
  await handleCommand(context.store, creditsAndPointsDecider, 'ana', 'credit', { purchase: 'b1', folders: 3 }, testSystemCommandSource())
  expect((await ask('GET /api/billing')).credits).toBe(3)
})

describe('an administrator', () => {
  const session = 'cs_1'
  const id = derivedId('purchase', session)
  const bought = { player: 'ana', package: 'triple', folders: 3, amount: 4200, session, intent: 'pi_1', charge: 'ch_1' } as const
  /** The purchase as the read model has it. */
  const purchaseRow = {
    purchase: id,
    player: 'ana',
    playerName: 'Ana',
    package: 'triple',
    folders: 3,
    amount: 4200,
    bought: PAYMENT_TEST_TIME.toISOString(),
    refunds: {},
    disputes: {},
    card: null,
  }
  const refund = (purchase: string, body: object) => ask('POST /api/admin/purchases/{purchase}/refund', { params: { purchase }, body })

  test('refunds an existing payment', async () => {
    const give = (payment: string) =>
      ask('POST /api/admin/payments/{payment}/refund', { params: { payment }, body: { refund: 'r1', cents: 500, reason: 'Cut off' } })
    await expect(give('p1')).rejects.toMatchObject({ status: 404 })
    const parties = { folder: 'f1', player: 'ana', instructor: 'cal' }
    const events = [
      { type: 'PaymentOpened', data: { ...parties, items: [], total: 1550, share: 1200, opened: '', due: '' } },
      { type: 'PaymentSucceeded', data: { ...parties, attempt: 'a', intent: 'pi', charge: 'ch', amount: 1550, tip: 0, at: '' } },
    ]
    const meta = { command: randomUUID(), name: 'a.b', actor: 'system' }
    await context.store.append(
      'payment-p1',
      -1n,
      events.map(e => ({ id: randomUUID(), ...e, meta })),
    )
    await give('p1')
    expect((await context.store.read('payment-p1')).at(-1)).toMatchObject({
      type: 'RefundAsked',
      data: { refund: 'r1', amount: 500, reason: 'Cut off' },
    })
  })

  test('sees how much of a package was used, and refunds all of it', async () => {
    await expect(refund(id, { refund: 'r1', what: 'unused', cents: 1, reason: 'x' })).rejects.toMatchObject({ status: 404 })
    await handleCommand(context.store, purchaseDecider, id, 'complete', bought, testSystemCommandSource())
    await handleCommand(context.store, creditsAndPointsDecider, 'ana', 'credit', { purchase: id, folders: 3 }, testSystemCommandSource())
    await handleCommand(
      context.store,
      creditsAndPointsDecider,
      'ana',
      'credit',
      { purchase: 'another', folders: 1 },
      testSystemCommandSource(),
    )
    const terms = { credit: true, purchase: id, referral: false, points: 0 }
    for (const assignment of ['a1', 'a2'])
      await handleCommand(
        context.store,
        creditsAndPointsDecider,
        'ana',
        'reserve',
        { assignment, folder: 'f1', player: 'ana', referral: null, terms },
        testSystemCommandSource(),
      )
    context.rows = [purchaseRow]
    const get = (user: object) => ask('GET /api/purchases/{purchase}', { params: { purchase: id }, user })
    const admin = { id: 'max', role: 'admin' }
    expect((await get(admin)).books).toMatchObject({ unused: 1, used: 2, given: 2, shares: 2400, gone: 0, loss: 0 })
    expect((await get({ id: 'ana', role: 'player' })).books).toBeNull()
    await expect(get({ id: 'ben', role: 'player' })).rejects.toMatchObject({ status: 404 })

    expect((await get(admin)).books).toMatchObject({ refundable: { whole: 4200, unused: 1400 } })
    await refund(id, { refund: 'r1', what: 'whole', cents: 4200, reason: 'All of it' })
    expect((await context.store.read(`purchase-${id}`)).at(-1)).toMatchObject({
      type: 'PackageRefundAsked',
      data: { refund: 'r1', whole: true, amount: 4200, reason: 'All of it' },
    })
    await handleCommand(context.store, purchaseDecider, id, 'refunded', { refund: 'r1', amount: 4200 }, testSystemCommandSource())
    await handleCommand(
      context.store,
      creditsAndPointsDecider,
      'ana',
      'revoke',
      { purchase: id, cause: 'r1', folders: 3, whole: true },
      testSystemCommandSource(),
    )
    // The package was refunded in full, so the platform pays for its two delivered sessions.
    expect((await get(admin)).books).toMatchObject({ unused: 0, used: 2, gone: 1, loss: 2400, refundable: { whole: 0, unused: 0 } })
  })

  test('refunds the unused folders of a package for at most the amount shown', async () => {
    await handleCommand(context.store, purchaseDecider, id, 'complete', bought, testSystemCommandSource())
    // The package's folders are added right after its purchase. Until then it has none to refund.
    await expect(refund(id, { refund: 'r1', what: 'unused', cents: 4200, reason: 'Early' })).rejects.toMatchObject({
      code: 'nothing-left',
    })
    context.rows = [purchaseRow]
    const { books } = await ask('GET /api/purchases/{purchase}', { params: { purchase: id }, user: { id: 'max', role: 'admin' } })
    expect(books).toMatchObject({ unused: 0, used: 0, gone: 0 })
    await handleCommand(context.store, creditsAndPointsDecider, 'ana', 'credit', { purchase: id, folders: 3 }, testSystemCommandSource())
    await refund(id, { refund: 'r2', what: 'unused', cents: 4200, reason: 'Unused' })
    expect((await context.store.read(`purchase-${id}`)).at(-1)).toMatchObject({
      type: 'PackageRefundAsked',
      data: { whole: false, amount: 4200 },
    })
    await expect(refund(id, { refund: 'r3', what: 'unused', cents: 4201, reason: 'More' })).rejects.toMatchObject({
      code: 'nothing-left',
    })
  })
})
