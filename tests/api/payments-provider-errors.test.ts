import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { handleCommand } from '../../modules/kernel/decider.ts'
import { paymentDecider } from '../../modules/payments/payment.ts'
import { OutcomeUnknownError, RetryLaterError, StripeRejectedRequestError } from '../../modules/payments/stripe/client.ts'
import { stripeCharges } from '../../modules/payments/stripe/stripe-charges.ts'
import { Problem } from '../../src/api/problem.ts'
import { invalidApiKeyError, type ScriptedAnswers, scriptedStripe } from '../stripe/scripted-stripe.ts'
import { PAYMENT_TEST_TIME, paidPaymentRow, setUpPaymentHandlers, testSystemCommandSource } from './payment-handlers-testbed.ts'

const { ask, context, says } = setUpPaymentHandlers()

describe('an error of the payment provider', () => {
  const setup = (error: Error) => {
    context.gateway.setupPage = says(error)
    return ask('POST /api/cards/setup', { body: { back: '/player/dashboard' } }).catch(e => e)
  }
  test.each([
    ['an unknown object', new StripeRejectedRequestError('none', 'resource_missing'), 404, 'not-found'],
    ['no answer', new OutcomeUnknownError('timeout'), 503, 'payments-away'],
    ['too many requests', new RetryLaterError('busy', 'rate_limit'), 503, 'payments-away'],
  ])('is returned as a problem response: %s', async (_, error, status, code) => {
    const told = await setup(error)
    expect(told).toBeInstanceOf(Problem)
    expect([told.status, told.code, told.headers]).toEqual([status, code, status === 503 ? { 'retry-after': '30' } : {}])
  })
  test('a request that the provider calls malformed is a server error', async () => {
    for (const error of [new StripeRejectedRequestError('wrong', 'parameter_invalid'), new Error('bug')])
      expect(await setup(error)).toBe(error)
  })
})

describe('a payment', () => {
  const bill = {
    folder: 'f1',
    player: 'ana',
    instructor: 'cal',
    items: [],
    total: 1550,
    share: 1200,
    opened: PAYMENT_TEST_TIME.toISOString(),
    due: '2026-06-08T12:00:00.000Z',
  }
  beforeEach(() => handleCommand(context.store, paymentDecider, 'p1', 'open', bill, testSystemCommandSource()))
  const pay = (command: string = randomUUID(), body: object = {}) =>
    ask('POST /api/payments/{payment}/pay', {
      params: { payment: 'p1' },
      body: { tip: 0, total: 1550, ...body },
      by: { command, actor: 'ana' },
    })
  const types = async () => (await context.store.read('payment-p1')).map(e => e.type)
  const processing = { status: 'processing', failure: null, url: null }
  const page = { outcome: 'page', url: 'https://bank.test', intent: 'pi_1' }
  const sure = { outcome: 'failed', reason: 'authentication-needed', intent: 'pi_1' }

  test("that is charged becomes paid, with the player's tip", async () => {
    context.gateway.charge = says({ outcome: 'succeeded', intent: 'pi_1', charge: 'ch_1', amount: 1850 })
    const id = randomUUID()
    expect(await pay(id, { tip: 300 })).toEqual({ status: 'paid', failure: null, url: null })
    expect(context.asked).toMatchObject([{ payment: 'p1', attempt: id, customer: 'cus_1', method: 'pm_1', amount: 1850 }])
    expect((await context.store.read('payment-p1'))[1]!.data).toMatchObject({ by: 'player', at: PAYMENT_TEST_TIME.toISOString(), tip: 300 })
    // Repeating the attempt returns the same result without a call to the provider.
    context.gateway = {}
    expect(await pay(id, { tip: 300 })).toEqual({ status: 'paid', failure: null, url: null })
  })

  test.each([
    ['does not answer', new OutcomeUnknownError('timeout')],
    ['is busy', new RetryLaterError('busy', 'rate_limit')],
  ])('stays pending if the provider %s, and the next attempt looks it up first', async (_, error) => {
    context.gateway.charge = says(error)
    const first = randomUUID()
    expect(await pay(first)).toEqual(processing)
    const failed = { outcome: 'failed', reason: 'declined', intent: 'pi_0' }
    context.gateway = { findCharge: says(failed), charge: says({ outcome: 'succeeded', intent: 'pi_1', charge: 'ch_1', amount: 1550 }) }
    context.asked = []
    // The server asks the provider what became of the first attempt, and charges nothing.
    expect((await pay(first)).status).toBe('failed')
    expect(context.asked).toEqual(['p1', first])
    expect((await pay()).status).toBe('paid')
    expect(await types()).toEqual(['PaymentOpened', 'PaymentAttempted', 'PaymentFailed', 'PaymentAttempted', 'PaymentSucceeded'])
  })

  test('stays pending while Stripe refuses our key, and is charged later', async () => {
    const answers: ScriptedAnswers = { 'paymentIntents.create': [invalidApiKeyError], 'paymentMethods.retrieve': [invalidApiKeyError] }
    context.gateway = {
      ...stripeCharges(
        scriptedStripe(
          () => answers,
          () => {},
        ),
        'http://ours.test',
      ),
    }
    const id = randomUUID()
    expect(await pay(id)).toEqual(processing)
    answers['charges.list'] = [invalidApiKeyError, { data: [] }]
    expect(await pay(id)).toEqual(processing)
    answers['paymentIntents.create'] = [{ id: 'pi_1', status: 'succeeded', latest_charge: 'ch_1', amount_received: 1550 }]
    expect((await pay(id)).status).toBe('paid')
    expect(await types()).toEqual(['PaymentOpened', 'PaymentAttempted', 'PaymentSucceeded'])
  })

  test('with an unknown outcome is looked up before another attempt begins', async () => {
    context.gateway.charge = says(new OutcomeUnknownError('timeout'))
    const first = randomUUID()
    await pay(first)
    context.gateway = { findCharge: says({ outcome: 'succeeded', intent: 'pi_1', charge: 'ch_1', amount: 1550 }) }
    context.asked = []
    await expect(pay()).rejects.toMatchObject({ code: 'already-paid' })
    expect(context.asked).toEqual(['p1', first])
  })

  test('is pending for a repeat of its first attempt while a later one is undecided', async () => {
    context.gateway.charge = says({ outcome: 'failed', reason: 'declined', intent: 'pi_0' })
    const first = randomUUID()
    expect((await pay(first)).status).toBe('failed')
    context.gateway.charge = says(new OutcomeUnknownError('timeout'))
    expect(await pay()).toEqual(processing)
    context.gateway.findCharge = says(new OutcomeUnknownError('timeout'))
    expect(await pay(first)).toEqual(processing)
  })

  test('whose charge fails with an unexpected error passes that error on', async () => {
    context.gateway.charge = says(new Error('bug'))
    await expect(pay()).rejects.toThrow('bug')
  })

  test("that needs authentication leads to the bank's page and then back to the session", async () => {
    context.gateway = { charge: says(sure), authenticatePage: says(page) }
    const answer = await pay()
    expect(answer).toMatchObject({ status: 'failed', failure: { reason: 'authentication-needed' }, url: 'https://bank.test' })
    expect(context.asked[1]).toMatchObject({
      intent: 'pi_1',
      method: 'pm_1',
      returnUrl: 'http://ours.test/player/folder/f1?session=p1&authenticated=1',
    })
  })

  test.each([
    [
      'the bank has confirmed it meanwhile',
      { outcome: 'succeeded', intent: 'pi_1', charge: 'ch_1', amount: 1550, url: 'https://bank.test' },
    ],
    ["the bank's page is unavailable", new OutcomeUnknownError('timeout')],
  ])("has no link to the bank's page if %s", async (_, answer) => {
    context.gateway = { charge: says(sure), authenticatePage: says(answer) }
    expect(await pay()).toMatchObject({ status: 'failed', url: null })
  })

  test("that was declined has no link to the bank's page", async () => {
    context.gateway.charge = says({ outcome: 'failed', reason: 'declined', intent: 'pi_1' })
    context.gateway.authenticatePage = says(page)
    expect(await pay()).toMatchObject({ status: 'failed', failure: { reason: 'declined' }, url: null })
    expect(context.asked).toHaveLength(1)
  })

  test('cannot be paid by another player', async () => {
    const call = ask('POST /api/payments/{payment}/pay', { params: { payment: 'p1' }, body: { tip: 0, total: 1550 } }, 'ben')
    await expect(call).rejects.toMatchObject({ status: 404 })
  })
})

test('the instructor sees a payment without its card, and strangers see nothing', async () => {
  context.rows = [paidPaymentRow('p1', {})]
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
  context.rows = []
  await expect(get('ana', 'player')).rejects.toMatchObject({ status: 404 })
})
