import { describe, expect, test } from 'vitest'
import { derivedId, handleCommand } from '../../modules/kernel/decider.ts'
import { paymentDecider } from '../../modules/payments/payment.ts'
import { payoutAccountAndDebtDecider } from '../../modules/payments/payout-account-and-debt-decider.ts'
import { walletDecider } from '../../modules/payments/wallet.ts'
import { PAYMENT_TEST_TIME, paidPaymentRow, setUpPaymentHandlers, testSystemCommandSource } from './payment-handlers-testbed.ts'

const { ask, context, says } = setUpPaymentHandlers()

test("the page for a card's details returns to the page that opened it", async () => {
  context.gateway.setupPage = says({ url: 'https://pay.test/setup' })
  expect(await ask('POST /api/cards/setup', { body: { back: '/player/dashboard' } })).toEqual({ url: 'https://pay.test/setup' })
  const back = 'http://ours.test/player/dashboard'
  expect(context.asked).toEqual([{ customer: 'cus_1', payer: 'ana', returnUrl: back, cancelUrl: back, key: expect.any(String) }])
})

describe('a wallet', () => {
  const saved = (card: string) => ({ method: card, brand: 'mastercard', last4: '4444', expMonth: 1, expYear: 2041 })
  const confirm = (done: object | null) => {
    context.gateway.fetchSetupCard = says(done)
    return ask('POST /api/cards/confirm', { body: { session: 'cs_1' } })
  }
  const cards = async () => ((await ask('GET /api/billing')).cards as { id: string; preferred: boolean }[]).map(c => [c.id, c.preferred])
  const remove = (card: string) => ask('DELETE /api/cards/{card}', { params: { card } })
  const prefer = (card: string) => ask('POST /api/cards/{card}/prefer', { params: { card } })

  test("lists the player's cards with the last saved one first and preferred", async () => {
    expect(await confirm(null)).toEqual({ card: null })
    await expect(confirm({ payer: 'ben', method: saved('pm_2') })).rejects.toMatchObject({ status: 404 })
    const { card } = await confirm({ payer: 'ana', method: saved('pm_2') })
    expect(card).toEqual({ id: 'pm_2', brand: 'mastercard', last4: '4444', expMonth: 1, expYear: 2041, preferred: true })
    expect(await cards()).toEqual([
      ['pm_2', true],
      ['pm_1', false],
    ])
    await prefer('pm_1')
    expect((await cards()).map(([, preferred]) => preferred)).toEqual([false, true])
    for (const strange of ['pm_9', 'pm_0']) {
      await expect(prefer(strange)).rejects.toMatchObject({ status: 404 })
      await expect(remove(strange)).rejects.toMatchObject({ status: 404 })
    }
  })

  test('keeps the last card while it is needed; removing a card twice is no error', async () => {
    await confirm({ payer: 'ana', method: saved('pm_2') })
    context.rows = [{}]
    await remove('pm_2')
    await expect(remove('pm_1')).rejects.toMatchObject({ code: 'card-in-use' })
    context.rows = []
    await remove('pm_2')
    // The last card cannot be removed before a hold ends.
    const hold = (until: string) =>
      handleCommand(context.store, walletDecider, 'ana', 'hold', { assignment: until, until }, testSystemCommandSource())
    await hold('2026-06-01T12:00:00.001Z')
    await expect(remove('pm_1')).rejects.toMatchObject({ code: 'card-in-use' })
    await handleCommand(
      context.store,
      walletDecider,
      'ana',
      'release',
      { assignment: '2026-06-01T12:00:00.001Z' },
      testSystemCommandSource(),
    )
    await hold('2026-06-01T12:00:00.000Z')
    await remove('pm_1')
    expect(await cards()).toEqual([])
  })
})

describe('a minor', () => {
  test.each([{ guardian: 'maria' }, { guardian: null }])('can neither save a card, pay nor buy a package: %j', async minor => {
    const bill = { folder: 'f1', player: 'ana', instructor: 'cal', items: [], total: 1550, share: 1200 }
    const times = { opened: PAYMENT_TEST_TIME.toISOString(), due: '2026-06-08T12:00:00.000Z' }
    await handleCommand(context.store, paymentDecider, 'p1', 'open', { ...bill, ...times }, testSystemCommandSource())
    context.minor = minor
    await expect(ask('POST /api/cards/setup', { body: { back: '/player/dashboard' } })).rejects.toMatchObject({
      code: 'guardian-pays',
      message: 'Ask your parent or guardian. Sessions are charged to their card.',
    })
    const pay = { params: { payment: 'p1' }, body: { tip: 0, total: 1550 } }
    await expect(ask('POST /api/payments/{payment}/pay', pay)).rejects.toMatchObject({
      code: 'guardian-pays',
      message: 'Your parent or guardian pays for this session. They have the bill.',
    })
    await expect(ask('POST /api/packages/checkout', { body: { package: 'single' } })).rejects.toMatchObject({ code: 'minor' })
    expect(context.asked).toEqual([])
  })

  test('sees open payments, and whether our letters reach the guardian who pays', async () => {
    const undeliverable = async () => (await ask('GET /api/billing/open')).guardianUndeliverable
    context.letterFate = 'bounced'
    expect(await ask('GET /api/billing/open')).toEqual({ payments: [], guardianUndeliverable: false })
    context.minor = { guardian: null }
    expect(await undeliverable()).toBe(false)
    context.minor = { guardian: 'maria' }
    expect(await undeliverable()).toBe(true)
    context.letterFate = 'delivered'
    expect(await undeliverable()).toBe(false)
  })
})

describe('an administrator', () => {
  const waive = (body: object) => ask('POST /api/admin/instructors/{instructor}/debt-waivers', { params: { instructor: 'cal' }, body })
  const events = async () => (await context.store.read('payout-cal')).map(({ type, data }) => ({ type, data }))

  test("waives an instructor's debt, but not that of somebody without payouts", async () => {
    const waiver = { waiver: 'w1', cents: 300, reason: 'Our mistake' }
    await expect(waive(waiver)).rejects.toMatchObject({ status: 404 })
    const settle = { payment: 'p1', nth: 0, cents: 500 }
    await handleCommand(context.store, payoutAccountAndDebtDecider, 'cal', 'settle', settle, testSystemCommandSource())
    await waive(waiver)
    const waived = { waiver: 'w1', amount: 300, reason: 'Our mistake', at: PAYMENT_TEST_TIME.toISOString() }
    expect((await events()).at(-1)).toEqual({ type: 'DebtWaived', data: waived })
    await handleCommand(context.store, payoutAccountAndDebtDecider, 'cal', 'open', { account: 'acct_1' }, testSystemCommandSource())
    await waive({ ...waiver, waiver: 'w2', cents: 200 })
    expect(await ask('GET /api/earnings', {}, 'cal')).toMatchObject({ debt: 0, waivers: [{ amount: 300 }, { amount: 200 }] })
  })

  test('cannot waive more than the instructor owes', async () => {
    await handleCommand(context.store, payoutAccountAndDebtDecider, 'cal', 'open', { account: 'acct_1' }, testSystemCommandSource())
    await expect(waive({ waiver: 'w1', cents: 1, reason: 'x' })).rejects.toMatchObject({ code: 'debt-changed' })
  })

  test("sees the provider's charges and packages that our log lacks", async () => {
    const charge = { charge: 'ch_9', payment: 'p9', amount: 1550, refunded: 0, at: PAYMENT_TEST_TIME.toISOString() }
    const secret = { attempt: 'a', customer: 'cus_1', card: { id: 'pm_1', brand: 'visa', last4: '4242' } }
    const sale = { session: 'cs_9', charge: 'ch_8', payer: 'ben', amount: 1500, refunded: 0, at: PAYMENT_TEST_TIME.toISOString() }
    context.gateway = {
      chargesSince: says([{ ...charge, ...secret }]),
      salesSince: says([{ ...sale, metadata: { package: 'single' } }]),
    }
    const found = await ask('GET /api/admin/unreconciled-charges')
    expect(found.charges).toEqual([{ ...charge, difference: 'unknown-payment', recordedRefund: 0 }])
    expect(found.packages).toMatchObject([{ session: 'cs_9', player: 'ben', difference: 'unknown-player' }])
  })
})

describe('an instructor', () => {
  test('sees the shares earned and those that are not transferred yet', async () => {
    context.rows = [
      paidPaymentRow('a', { transferred: PAYMENT_TEST_TIME.toISOString() }),
      paidPaymentRow('b', { tip: 300 }),
      paidPaymentRow('c', { tip: 50, transferred: PAYMENT_TEST_TIME.toISOString() }),
      paidPaymentRow('d', { status: 'failed', failure: 'declined', paid: null, charged: 0 }),
      paidPaymentRow('e', { status: 'due', paid: null, charged: 0 }),
    ]
    await handleCommand(context.store, payoutAccountAndDebtDecider, 'cal', 'open', { account: 'acct_1' }, testSystemCommandSource())
    const requirements = ['external_account']
    await handleCommand(
      context.store,
      payoutAccountAndDebtDecider,
      'cal',
      'change',
      { ready: false, submitted: true, requirements },
      testSystemCommandSource(),
    )
    const earned = await ask('GET /api/earnings', {}, 'cal')
    expect(earned).toMatchObject({
      unpaid: 2400,
      earned: 3950,
      transferred: 2450,
      waiting: 1500,
      total: 5,
      next: null,
      account: { status: 'started', requirements, submitted: true },
    })
    // The instructor does not see how the player pays.
    for (const each of earned.payments as object[]) expect(each).toMatchObject({ card: null, failure: null })
  })

  test('opens one payout account, continues its setup, and sees when it is ready', async () => {
    context.rows = [{ id: 'cal', role: 'instructor', email: 'Cal@example.com', username: 'cal@example.com', born: null }]
    context.gateway = {
      payoutAccount: says('acct_1'),
      onboardingLink: says('https://pay.test/on'),
      dashboardLink: says('https://pay.test/in'),
    }
    const open = () => ask('POST /api/payouts/account', {}, 'cal')
    const back = 'http://ours.test/instructor/payments'
    const leads = ['acct_1', { returnUrl: `${back}?back=1`, refreshUrl: `${back}?refresh=1` }]
    expect(await open()).toEqual({ url: 'https://pay.test/on' })
    const id = derivedId('cal', 'payout account')
    expect(context.asked).toEqual(['cal', 'Cal@example.com', id, ...leads])
    expect((await context.store.read('payout-cal')).map(e => [e.type, e.meta.command, e.meta.actor])).toEqual([
      ['PayoutAccountOpened', id, 'cal'],
    ])
    context.asked = []
    expect(await open()).toEqual({ url: 'https://pay.test/on' })
    expect(context.asked).toEqual(leads)
    await handleCommand(
      context.store,
      payoutAccountAndDebtDecider,
      'cal',
      'change',
      { ready: true, submitted: true, requirements: [] },
      testSystemCommandSource(),
    )
    expect(await open()).toEqual({ url: 'https://pay.test/in' })
    expect(await context.store.read('payout-cal')).toHaveLength(2)
    context.gateway.accountStatus = says({ takesTransfers: false, requirements: ['external_account'] })
    expect(await ask('POST /api/payouts/refresh', {}, 'cal')).toEqual({ status: 'started' })
  })
})
