import { describe, expect, test } from 'vitest'
import { derivedId, handleCommand } from '../../modules/kernel/decider.ts'
import { payoutAccountDecider } from '../../modules/payments/payout-account.ts'
import { walletDecider } from '../../modules/payments/wallet.ts'
import { PAYMENT_TEST_TIME, paidPaymentRow, setUpPaymentHandlers, testSystemCommandSource } from './payment-handlers.ts'

const { ask, context, says } = setUpPaymentHandlers()

test("the page for a card's details returns to the page that opened it", async () => {
  context.gateway.setupPage = says({ url: 'https://pay.test/setup' })
  expect(await ask('POST /api/cards/setup', { body: { back: '/player/dashboard' } })).toEqual({ url: 'https://pay.test/setup' })
  const back = 'http://ours.test/player/dashboard'
  expect(context.asked).toEqual([{ customer: 'cus_1', player: 'ana', returnUrl: back, cancelUrl: back, key: expect.any(String) }])
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

  test('keeps the last card while it is needed; removing a card twice is no error', async () => {
    await confirm({ player: 'ana', method: saved('pm_2') })
    context.rows = [{}]
    await remove('pm_2')
    await expect(remove('pm_1')).rejects.toMatchObject({ code: 'card-in-use' })
    context.rows = []
    await remove('pm_2')
    // A card that is held until a certain time cannot be removed before then.
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

describe('an instructor', () => {
  test('sees the shares earned and those that are not transferred yet', async () => {
    context.rows = [
      paidPaymentRow('a', { transferred: PAYMENT_TEST_TIME.toISOString() }),
      paidPaymentRow('b', { tip: 300 }),
      paidPaymentRow('c', { tip: 50, transferred: PAYMENT_TEST_TIME.toISOString() }),
      paidPaymentRow('d', { status: 'failed', failure: 'declined', paid: null, charged: 0 }),
      paidPaymentRow('e', { status: 'due', paid: null, charged: 0 }),
    ]
    await handleCommand(context.store, payoutAccountDecider, 'cal', 'open', { account: 'acct_1' }, testSystemCommandSource())
    const requirements = ['external_account']
    await handleCommand(
      context.store,
      payoutAccountDecider,
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
      account: { status: 'started', requirements },
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
      payoutAccountDecider,
      'cal',
      'change',
      { ready: true, submitted: true, requirements: [] },
      testSystemCommandSource(),
    )
    expect(await open()).toEqual({ url: 'https://pay.test/in' })
    expect(await context.store.read('payout-cal')).toHaveLength(2)
  })
})
