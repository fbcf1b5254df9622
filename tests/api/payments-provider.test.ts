import { randomUUID } from 'node:crypto'
import pino from 'pino'
import { beforeEach, describe, expect, test } from 'vitest'
import { derivedId, handle } from '../../modules/kernel/decider.ts'
import { CommandRefused } from '../../modules/kernel/store.ts'
import { memoryStore } from '../../modules/kernel/stores/memory.ts'
import { payment } from '../../modules/payments/payment.ts'
import { payoutAccount } from '../../modules/payments/payout-account.ts'
import { purchase } from '../../modules/payments/purchase.ts'
import { OutcomeUnknown, RejectedRequest, RetryLater } from '../../modules/payments/stripe/client.ts'
import { wallet } from '../../modules/payments/wallet.ts'
import { perks } from '../../modules/rewards/perks.ts'
import { paymentRoutes } from '../../src/api/payments.ts'
import { Problem } from '../../src/api/problem.ts'

/** The handlers of payments with a log in memory: each test says what the provider answers, and what the read models hold. */
let store: ReturnType<typeof memoryStore>
let gateway: Record<string, (...asked: never[]) => unknown>
let rows: object[]
let asked: unknown[]
beforeEach(async () => {
  ;[store, gateway, rows, asked] = [memoryStore(), {}, [], []]
  await handle(store, wallet, 'ana', 'begin', { customer: 'cus_1' }, system())
  await handle(store, wallet, 'ana', 'save', { card: 'pm_1', brand: 'visa', last4: '4242', expMonth: 12, expYear: 2040 }, system())
})

const NOW = new Date('2026-06-01T12:00:00.000Z')
const system = () => ({ command: randomUUID(), actor: 'system' })
const by = () => ({ command: randomUUID(), actor: 'ana' })
const ask = async (call: string, ctx: object = {}, user = 'ana') => {
  const { handler } = paymentRoutes.find(r => `${r.method} ${r.path}` === call)!
  const deps = {
    ...{ store, gateway, clock: () => NOW, config: { origin: 'http://ours.test' }, log: pino({ level: 'silent' }) },
    limits: { take: async () => {} },
    sql: Object.assign(async (query: unknown) => {
      if (String(query).includes('select u.born')) return [{ born: null, guardian: null }]
      if (String(query).includes('as unpaid')) return [{ unpaid: 2400, earned: 3950, transferred: 2450 }]
      if (String(query).includes('as count from')) return [{ count: rows.length }]
      return String(query).includes('as given') ? [{ given: 2, cents: 2400 }] : rows
    }, {}) as unknown,
  }
  const answer: unknown = await handler({
    deps,
    user: { id: user, role: 'player' },
    by: by(),
    params: {},
    query: {},
    body: {},
    ...ctx,
  } as never)
  return (answer && typeof answer === 'object' && 'reply' in answer ? answer.reply : answer) as Record<string, unknown>
}
/** Says this, and keeps what it was asked. */
const says =
  (answer: unknown) =>
  async (...all: unknown[]) => {
    asked.push(...all)
    if (answer instanceof Error) throw answer
    return answer
  }

describe('an error of the payment provider', () => {
  const setup = (error: Error) => {
    gateway.setupPage = says(error)
    return ask('POST /api/cards/setup', { body: { back: '/player/dashboard' } }).catch(e => e)
  }
  test.each([
    ['an unknown object', new RejectedRequest('none', 'resource_missing'), 404, 'not-found'],
    ['no answer', new OutcomeUnknown('timeout'), 503, 'payments-away'],
    ['too many requests', new RetryLater('busy', 'rate_limit'), 503, 'payments-away'],
  ])('is returned as a problem: %s', async (_, error, status, code) => {
    const told = await setup(error)
    expect(told).toBeInstanceOf(Problem)
    expect([told.status, told.code, told.headers]).toEqual([status, code, status === 503 ? { 'retry-after': '30' } : {}])
  })
  test('a request that we got wrong is a server error', async () => {
    for (const error of [new RejectedRequest('wrong', 'parameter_invalid'), new Error('bug')]) expect(await setup(error)).toBe(error)
  })
})

test('a page to enter a card leads back to where it was asked for', async () => {
  gateway.setupPage = says({ url: 'https://pay.test/setup' })
  expect(await ask('POST /api/cards/setup', { body: { back: '/player/dashboard' } })).toEqual({ url: 'https://pay.test/setup' })
  const back = 'http://ours.test/player/dashboard'
  expect(asked).toEqual([{ customer: 'cus_1', player: 'ana', returnUrl: back, cancelUrl: back, key: expect.any(String) }])
})

test.each([
  ['single', 'Single session: 1 feedback session', 1500, '1'],
  ['season', 'Season: 10 feedback sessions', 13_000, '10'],
])('a package is sold by its name and price: %s', async (type, name, amount, folders) => {
  gateway.checkout = says({ url: 'https://pay.test/sale' })
  const command = randomUUID()
  const sold = await ask('POST /api/packages/checkout', { body: { package: type }, by: { command, actor: 'ana' } })
  expect(sold).toEqual({ url: 'https://pay.test/sale' })
  const back = 'http://ours.test/player/payment'
  expect(asked).toEqual([
    {
      ...{ customer: 'cus_1', player: 'ana', item: { name, amount }, metadata: { package: type, folders }, returnUrl: back },
      ...{ cancelUrl: `${back}?package=${type}`, key: derivedId(command, 'cus_1', type) },
    },
  ])
})

test('a package belongs to its buyer alone, and gives nothing until it is paid', async () => {
  gateway.checkoutDone = says({ player: 'ben', paid: true, metadata: {} })
  await expect(ask('POST /api/packages/confirm', { body: { session: 'cs_1' } })).rejects.toMatchObject({ status: 404 })
  gateway.checkoutDone = says({ player: 'ana', paid: false, metadata: {} })
  const early = await ask('POST /api/packages/confirm', { body: { session: 'cs_1' } }).catch(e => e)
  expect([early instanceof CommandRefused, early.code, early.message]).toEqual([
    ...[true, 'not-paid', 'This package is not paid yet. Go back to the payment page to finish.'],
  ])
})

describe('a payment', () => {
  const bill = {
    ...{ folder: 'f1', player: 'ana', instructor: 'cal', items: [], total: 1550, share: 1200 },
    ...{ opened: NOW.toISOString(), due: '2026-06-08T12:00:00.000Z' },
  }
  beforeEach(() => handle(store, payment, 'p1', 'open', bill, system()))
  const pay = (command: string = randomUUID(), body: object = {}) =>
    ask('POST /api/payments/{payment}/pay', {
      params: { payment: 'p1' },
      body: { tip: 0, total: 1550, ...body },
      by: { command, actor: 'ana' },
    })
  const types = async () => (await store.read('payment-p1')).map(e => e.type)
  const processing = { status: 'processing', failure: null, url: null }
  const page = { outcome: 'page', url: 'https://bank.test', intent: 'pi_1' }
  const sure = { outcome: 'failed', reason: 'authentication-needed', intent: 'pi_1' }

  test("that is charged becomes paid, with the player's tip", async () => {
    gateway.charge = says({ outcome: 'succeeded', intent: 'pi_1', charge: 'ch_1', amount: 1850 })
    const id = randomUUID()
    expect(await pay(id, { tip: 300 })).toEqual({ status: 'paid', failure: null, url: null })
    expect(asked).toMatchObject([{ payment: 'p1', attempt: id, customer: 'cus_1', method: 'pm_1', amount: 1850 }])
    expect((await store.read('payment-p1'))[1]!.data).toMatchObject({ by: 'player', at: NOW.toISOString(), tip: 300 })
    // The same again is the same answer, and asks nobody.
    gateway = {}
    expect(await pay(id, { tip: 300 })).toEqual({ status: 'paid', failure: null, url: null })
  })

  test.each([
    ['does not answer', new OutcomeUnknown('timeout')],
    ['is busy', new RetryLater('busy', 'rate_limit')],
  ])('stays pending if the provider %s, and the next attempt looks it up first', async (_, error) => {
    gateway.charge = says(error)
    const first = randomUUID()
    expect(await pay(first)).toEqual(processing)
    const failed = { outcome: 'failed', reason: 'declined', intent: 'pi_0' }
    gateway = { findCharge: says(failed), charge: says({ outcome: 'succeeded', intent: 'pi_1', charge: 'ch_1', amount: 1550 }) }
    asked = []
    // Its own answer is looked for again, not given up for another.
    expect((await pay(first)).status).toBe('failed')
    expect(asked).toEqual(['p1', first])
    expect((await pay()).status).toBe('paid')
    expect(await types()).toEqual(['PaymentOpened', 'PaymentAttempted', 'PaymentFailed', 'PaymentAttempted', 'PaymentSucceeded'])
  })

  test('with an unknown outcome is looked up before another attempt begins', async () => {
    gateway.charge = says(new OutcomeUnknown('timeout'))
    const first = randomUUID()
    await pay(first)
    gateway = { findCharge: says({ outcome: 'succeeded', intent: 'pi_1', charge: 'ch_1', amount: 1550 }) }
    asked = []
    await expect(pay()).rejects.toMatchObject({ code: 'already-paid' })
    expect(asked).toEqual(['p1', first])
  })

  test('that fails because of our request does not stay pending', async () => {
    gateway.charge = says(new Error('bug'))
    await expect(pay()).rejects.toThrow('bug')
  })

  test("that needs authentication leads to the bank's page and back to the session", async () => {
    gateway = { charge: says(sure), authenticatePage: says(page) }
    const answer = await pay()
    expect(answer).toMatchObject({ status: 'failed', failure: { reason: 'authentication-needed' }, url: 'https://bank.test' })
    expect(asked[1]).toMatchObject({
      ...{ intent: 'pi_1', method: 'pm_1' },
      returnUrl: 'http://ours.test/player/folder/f1?session=p1&authenticated=1',
    })
  })

  test.each([
    [
      'the bank has confirmed it meanwhile',
      { outcome: 'succeeded', intent: 'pi_1', charge: 'ch_1', amount: 1550, url: 'https://bank.test' },
    ],
    ["the bank's page is unavailable", new OutcomeUnknown('timeout')],
  ])('leads to no page if %s', async (_, answer) => {
    gateway = { charge: says(sure), authenticatePage: says(answer) }
    expect(await pay()).toMatchObject({ status: 'failed', url: null })
  })

  test('that was declined leads to no page', async () => {
    gateway.charge = says({ outcome: 'failed', reason: 'declined', intent: 'pi_1' })
    gateway.authenticatePage = says(page)
    expect(await pay()).toMatchObject({ status: 'failed', failure: { reason: 'declined' }, url: null })
    expect(asked).toHaveLength(1)
  })

  test('cannot be seen by anybody else', async () => {
    const call = ask('POST /api/payments/{payment}/pay', { params: { payment: 'p1' }, body: { tip: 0, total: 1550 } }, 'ben')
    await expect(call).rejects.toMatchObject({ status: 404 })
  })
})

/** As the read model has a payment that is paid. */
const row = (id: string, more: object) => ({
  ...{ payment: id, folder: 'f1', folderName: null, player: 'ana', playerName: null, instructor: 'cal', instructorName: null },
  ...{ status: 'paid', items: [], total: 1550, share: 1200, tip: 0, charged: 1550, refunded: 0, dispute: null, refunding: [] },
  ...{ card: { brand: 'visa', last4: '4242' }, failure: null, opened: NOW.toISOString(), due: NOW.toISOString() },
  ...{ paid: NOW.toISOString(), transferred: null, ...more },
})

describe('an instructor', () => {
  test('sees the shares earned and those that are not transferred yet', async () => {
    rows = [
      row('a', { transferred: NOW.toISOString() }),
      row('b', { tip: 300 }),
      row('c', { tip: 50, transferred: NOW.toISOString() }),
      row('d', { status: 'failed', failure: 'declined', paid: null, charged: 0 }),
      row('e', { status: 'due', paid: null, charged: 0 }),
    ]
    await handle(store, payoutAccount, 'cal', 'open', { account: 'acct_1' }, system())
    const requirements = ['external_account']
    await handle(store, payoutAccount, 'cal', 'change', { ready: false, submitted: true, requirements }, system())
    const earned = await ask('GET /api/earnings', {}, 'cal')
    expect(earned).toMatchObject({
      unpaid: 2400,
      earned: 3950,
      transferred: 2450,
      waiting: 1500,
      account: { status: 'started', requirements },
    })
    // How the player pays is no business of theirs.
    for (const each of earned.payments as object[]) expect(each).toMatchObject({ card: null, failure: null })
  })

  test('opens one payout account, continues its setup, and sees when it is ready', async () => {
    rows = [{ id: 'cal', role: 'instructor', email: 'Cal@example.com', username: 'cal@example.com', born: null }]
    gateway = { payoutAccount: says('acct_1'), onboardingLink: says('https://pay.test/on'), dashboardLink: says('https://pay.test/in') }
    const open = () => ask('POST /api/payouts/account', {}, 'cal')
    const back = 'http://ours.test/instructor/payments'
    const leads = ['acct_1', { returnUrl: `${back}?back=1`, refreshUrl: `${back}?refresh=1` }]
    expect(await open()).toEqual({ url: 'https://pay.test/on' })
    const id = derivedId('cal', 'payout account')
    expect(asked).toEqual(['cal', 'Cal@example.com', id, ...leads])
    expect((await store.read('payout-cal')).map(e => [e.type, e.meta.command, e.meta.actor])).toEqual([['PayoutAccountOpened', id, 'cal']])
    asked = []
    expect(await open()).toEqual({ url: 'https://pay.test/on' })
    expect(asked).toEqual(leads)
    await handle(store, payoutAccount, 'cal', 'change', { ready: true, submitted: true, requirements: [] }, system())
    expect(await open()).toEqual({ url: 'https://pay.test/in' })
    expect(await store.read('payout-cal')).toHaveLength(2)
  })
})

describe('a wallet', () => {
  const saved = (card: string) => ({ method: card, brand: 'mastercard', last4: '4444', expMonth: 1, expYear: 2041 })
  const confirm = (done: object | null) => {
    gateway.setupDone = says(done)
    return ask('POST /api/cards/confirm', { body: { session: 'cs_1' } })
  }
  const cards = async () => ((await ask('GET /api/billing')).cards as { id: string; preferred: boolean }[]).map(c => [c.id, c.preferred])
  const remove = (card: string) => ask('DELETE /api/cards/{card}', { params: { card } })
  const prefer = (card: string) => ask('POST /api/cards/{card}/prefer', { params: { card } })

  test("lists the player's cards with the last saved one first and preferred", async () => {
    expect(await confirm(null)).toEqual({ card: null })
    await expect(confirm({ player: 'ben', method: saved('pm_2') })).rejects.toMatchObject({ status: 404 })
    const { card } = await confirm({ player: 'ana', method: saved('pm_2') })
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

  test('keeps the last card while it is needed; a card may be removed twice', async () => {
    await confirm({ player: 'ana', method: saved('pm_2') })
    rows = [{}]
    await remove('pm_2')
    await expect(remove('pm_1')).rejects.toMatchObject({ code: 'card-in-use' })
    rows = []
    await remove('pm_2')
    // One that is held until a moment stays until then.
    const hold = (until: string) => handle(store, wallet, 'ana', 'hold', { assignment: until, until }, system())
    await hold('2026-06-01T12:00:00.001Z')
    await expect(remove('pm_1')).rejects.toMatchObject({ code: 'card-in-use' })
    await handle(store, wallet, 'ana', 'release', { assignment: '2026-06-01T12:00:00.001Z' }, system())
    await hold('2026-06-01T12:00:00.000Z')
    await remove('pm_1')
    expect(await cards()).toEqual([])
  })
})

test('a payment is shown without the card to its instructor, and to no stranger', async () => {
  rows = [row('p1', {})]
  const get = (id: string, role: string) => ask('GET /api/payments/{payment}', { params: { payment: 'p1' }, user: { id, role } })
  const card = { brand: 'visa', last4: '4242' }
  expect([(await get('ana', 'player')).card, (await get('max', 'admin')).card, (await get('cal', 'instructor')).card]).toEqual([
    card,
    card,
    null,
  ])
  for (const [id, role] of [
    ['ben', 'player'],
    ['dee', 'instructor'],
  ] as const)
    await expect(get(id, role)).rejects.toMatchObject({ status: 404 })
  rows = []
  await expect(get('ana', 'player')).rejects.toMatchObject({ status: 404 })
})

describe('an administrator', () => {
  const session = 'cs_1'
  const id = derivedId('purchase', session)
  const bought = { player: 'ana', package: 'triple', folders: 3, amount: 4200, session, intent: 'pi_1', charge: 'ch_1' } as const
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
    await store.append(
      'payment-p1',
      -1n,
      events.map(e => ({ id: randomUUID(), ...e, meta })),
    )
    await give('p1')
    expect((await store.read('payment-p1')).at(-1)).toMatchObject({
      type: 'RefundAsked',
      data: { refund: 'r1', amount: 500, reason: 'Cut off' },
    })
  })

  test('sees the state of a package, and refunds its unused folders or all of it', async () => {
    await expect(refund(id, { refund: 'r1', what: 'unused', cents: 1, reason: 'x' })).rejects.toMatchObject({ status: 404 })
    await handle(store, purchase, id, 'complete', bought, system())
    await handle(store, perks, 'ana', 'credit', { purchase: id, folders: 3 }, system())
    await handle(store, perks, 'ana', 'credit', { purchase: 'another', folders: 1 }, system())
    const terms = { credit: true, purchase: id, referral: false, points: 0 }
    for (const assignment of ['a1', 'a2'])
      await handle(store, perks, 'ana', 'reserve', { assignment, folder: 'f1', player: 'ana', referrer: null, terms }, system())
    rows = [
      {
        purchase: id,
        player: 'ana',
        playerName: 'Ana',
        package: 'triple',
        folders: 3,
        amount: 4200,
        bought: NOW.toISOString(),
        refunds: {},
        disputes: {},
        card: null,
      },
    ]
    const get = (user: object) => ask('GET /api/purchases/{purchase}', { params: { purchase: id }, user })
    const admin = { id: 'max', role: 'admin' }
    expect((await get(admin)).books).toMatchObject({ unused: 1, used: 2, given: 2, shares: 2400, gone: 0, loss: 0 })
    expect((await get({ id: 'ana', role: 'player' })).books).toBeNull()
    await expect(get({ id: 'ben', role: 'player' })).rejects.toMatchObject({ status: 404 })

    expect((await get(admin)).books).toMatchObject({ refundable: { whole: 4200, unused: 1400 } })
    await refund(id, { refund: 'r1', what: 'whole', cents: 4200, reason: 'All of it' })
    expect((await store.read(`purchase-${id}`)).at(-1)).toMatchObject({
      type: 'PackageRefundAsked',
      data: { refund: 'r1', whole: true, amount: 4200, reason: 'All of it' },
    })
    await handle(store, purchase, id, 'refunded', { refund: 'r1', amount: 4200 }, system())
    await handle(store, perks, 'ana', 'revoke', { purchase: id, cause: 'r1', folders: 3, whole: true }, system())
    // Two sessions were given for nothing.
    expect((await get(admin)).books).toMatchObject({ unused: 0, used: 2, gone: 1, loss: 2400, refundable: { whole: 0, unused: 0 } })
  })

  test('refunds the unused folders of a package, at the amount shown at most', async () => {
    await handle(store, purchase, id, 'complete', bought, system())
    await handle(store, perks, 'ana', 'credit', { purchase: id, folders: 3 }, system())
    await refund(id, { refund: 'r2', what: 'unused', cents: 4200, reason: 'Unused' })
    expect((await store.read(`purchase-${id}`)).at(-1)).toMatchObject({ type: 'PackageRefundAsked', data: { whole: false, amount: 4200 } })
    await expect(refund(id, { refund: 'r3', what: 'unused', cents: 4201, reason: 'More' })).rejects.toMatchObject({
      code: expect.any(String),
    })
  })
})

test('packages are offered with their names, sessions and prices; credits are counted', async () => {
  expect((await ask('GET /api/packages')).packages).toEqual([
    { type: 'single', label: 'Single session', folders: 1, cents: 1500 },
    { type: 'triple', label: 'Triple', folders: 3, cents: 4200 },
    { type: 'season', label: 'Season', folders: 10, cents: 13_000 },
  ])
  await handle(store, perks, 'ana', 'credit', { purchase: 'b1', folders: 3 }, system())
  expect((await ask('GET /api/billing')).credits).toBe(3)
})
