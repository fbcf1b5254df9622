import { beforeEach, describe, expect, test } from 'vitest'
import { derivedId, handleCommand } from '../../../modules/kernel/decider.ts'
import { paymentDecider } from '../../../modules/payments/payment.ts'
import { chargeOverdueBill, performChargeAttempt, recheckFailedAttempt } from '../../../modules/payments/perform-charge-attempts.ts'
import { OutcomeUnknownError, StripeRejectedRequestError } from '../../../modules/payments/stripe/client.ts'
import { walletDecider } from '../../../modules/payments/wallet.ts'
import { setUpPaymentTestbed, TEST_TIME, testParties } from './payment-testbed.ts'

const HOUR_MS = 3600_000
const by = (command: string) => ({ command, actor: 'ana' })
const bill = { ...testParties, items: [], total: 1550, share: 1200, opened: TEST_TIME, due: TEST_TIME }
const succeeded = (n: number) => ({ outcome: 'succeeded' as const, intent: `pi_${n}`, charge: `ch_${n}`, amount: 1850 })
const failed = (n: number, reason = 'declined') => ({ outcome: 'failed' as const, reason, intent: `pi_${n}` })
const open = (n: number) => ({ outcome: 'open' as const, intent: `pi_${n}` })

const { context } = setUpPaymentTestbed()
const opened = () => handleCommand(context.store, paymentDecider, 'p1', 'open', bill, by('open'))
const attempt = (id: string, tip = 300) => {
  const card = { id: `pm_${id}`, brand: 'visa', last4: '4242' }
  const chosen = { id, customer: 'cus_1', card, tip, by: 'player' as const, at: TEST_TIME, total: 1550 }
  return handleCommand(context.store, paymentDecider, 'p1', 'attempt', chosen, by(id))
}
const unconfirmed = async (id: string, n: number) => {
  await attempt(id)
  await handleCommand(
    context.store,
    paymentDecider,
    'p1',
    'fail',
    { attempt: id, reason: 'authentication-needed', intent: `pi_${n}` },
    by(`${id} failed`),
  )
}
/** The events that the system wrote. */
const storedEvents = async () =>
  (await context.store.read('payment-p1')).flatMap(e =>
    e.meta.actor === 'system' ? [{ type: e.type, ...(e.data as object), command: e.meta.command }] : [],
  )
const charging = (id: string) => {
  const asked = { payment: 'p1', attempt: id, customer: 'cus_1', method: `pm_${id}`, amount: 1850 }
  return ['charge', { ...asked, returnPath: '/player/folder/f1?session=p1&authenticated=1', key: derivedId('p1', 'charge', id) }]
}

describe('an attempt is completed', () => {
  beforeEach(opened)
  test('by one charge under its own key, without a lookup first', async () => {
    await attempt('a1')
    context.answers = { charge: [succeeded(1)] }
    context.now += 5000
    expect(await performChargeAttempt(context.deps, 'p1', 'a1', false)).toMatchObject({
      status: 'paid',
      paid: { charge: 'ch_1', amount: 1850, tip: 300 },
    })
    expect(context.calls).toEqual([charging('a1')])
    const said = { attempt: 'a1', intent: 'pi_1', charge: 'ch_1', amount: 1850, tip: 300, at: '2026-03-01T12:00:05.000Z' }
    expect(await storedEvents()).toEqual([
      { type: 'PaymentSucceeded', ...testParties, ...said, command: derivedId('p1', 'succeed', 'ch_1') },
    ])
  })
  test('by a lookup first if it may have been tried before', async () => {
    await attempt('a1')
    context.answers = { findCharge: [succeeded(1)] }
    expect((await performChargeAttempt(context.deps, 'p1', 'a1')).status).toBe('paid')
    expect(context.calls).toEqual([['findCharge', 'p1', 'a1']])
  })
  test('by a charge if the lookup finds nothing', async () => {
    await attempt('a1')
    context.answers = { findCharge: [null], charge: [failed(1)] }
    expect(await performChargeAttempt(context.deps, 'p1', 'a1')).toMatchObject({ status: 'failed', failure: 'declined', open: {} })
    expect(context.calls).toEqual([['findCharge', 'p1', 'a1'], charging('a1')])
    const said = { attempt: 'a1', reason: 'declined', intent: 'pi_1', by: 'player' }
    expect(await storedEvents()).toEqual([{ type: 'PaymentFailed', ...testParties, ...said, command: derivedId('p1', 'fail', 'a1') }])
  })
  test('later if the provider has not decided yet', async () => {
    await attempt('a1')
    context.answers = { findCharge: [open(1)] }
    context.now += 23 * HOUR_MS
    await expect(performChargeAttempt(context.deps, 'p1', 'a1')).rejects.toThrow(new OutcomeUnknownError('pi_1 is not decided yet.'))
    expect([context.calls.length, await storedEvents()]).toEqual([1, []])
  })
  test('as failed after 23 hours, without a charge, if its intent is still open', async () => {
    await attempt('a1')
    context.now += 23 * HOUR_MS + 1
    context.answers = { findCharge: [open(1)], abandon: [failed(1, 'expired-card')] }
    expect(await performChargeAttempt(context.deps, 'p1', 'a1', false)).toMatchObject({ status: 'failed', failure: 'expired-card' })
    expect(context.calls).toEqual([
      ['findCharge', 'p1', 'a1'],
      ['abandon', 'pi_1', derivedId('p1', 'abandon', 'pi_1')],
    ])
  })
  test('as failed after 23 hours if no intent is found, and before that by a charge', async () => {
    await attempt('a1')
    context.answers = { findCharge: [null], charge: [new OutcomeUnknownError('nobody answered')] }
    context.now += 23 * HOUR_MS
    await expect(performChargeAttempt(context.deps, 'p1', 'a1')).rejects.toThrow(OutcomeUnknownError)
    expect(await storedEvents()).toEqual([])
    context.now++
    expect(await performChargeAttempt(context.deps, 'p1', 'a1')).toMatchObject({ status: 'failed', failure: 'processing-error' })
    expect(context.calls.map(([call]) => call)).toEqual(['findCharge', 'charge', 'findCharge'])
  })
  test('as failed if the provider rejects our request', async () => {
    await attempt('a1')
    context.answers = { charge: [new StripeRejectedRequestError('No such customer', 'resource_missing')] }
    expect(await performChargeAttempt(context.deps, 'p1', 'a1', false)).toMatchObject({
      status: 'failed',
      failure: 'processing-error',
      open: {},
    })
  })
  test('without a charge if it is paid, failed, superseded or unknown', async () => {
    expect((await performChargeAttempt(context.deps, 'p1', 'a1')).status).toBe('due')
    await attempt('a1')
    expect((await performChargeAttempt(context.deps, 'p1', 'a9')).status).toBe('processing')
    await handleCommand(context.store, paymentDecider, 'p1', 'fail', { attempt: 'a1', reason: 'declined' }, by('failed'))
    expect((await performChargeAttempt(context.deps, 'p1', 'a1')).status).toBe('failed')
    await attempt('a2')
    expect((await performChargeAttempt(context.deps, 'p1', 'a1')).status).toBe('processing')
    await handleCommand(context.store, paymentDecider, 'p1', 'succeed', { ...succeeded(2), attempt: 'a2', at: TEST_TIME }, by('paid'))
    expect((await performChargeAttempt(context.deps, 'p1', 'a2')).status).toBe('paid')
    expect([context.calls, await storedEvents()]).toEqual([[], []])
  })
  test('after other attempts that might still succeed have been abandoned', async () => {
    await unconfirmed('a1', 1)
    await unconfirmed('a2', 2)
    await attempt('a3')
    context.answers = { abandon: [failed(1), failed(2)], charge: [succeeded(3)] }
    expect((await performChargeAttempt(context.deps, 'p1', 'a3', false)).paid).toMatchObject({ attempt: 'a3' })
    expect(context.calls).toEqual([...[1, 2].map(n => ['abandon', `pi_${n}`, derivedId('p1', 'abandon', `pi_${n}`)]), charging('a3')])
    expect(await storedEvents()).toMatchObject([
      { type: 'AttemptAbandoned', attempt: 'a1', command: derivedId('p1', 'abandoned', 'a1') },
      { type: 'AttemptAbandoned', attempt: 'a2', command: derivedId('p1', 'abandoned', 'a2') },
      { type: 'PaymentSucceeded', attempt: 'a3' },
    ])
  })
  test('as paid by an earlier attempt that has succeeded in the meantime', async () => {
    await unconfirmed('a1', 1)
    await unconfirmed('a2', 2)
    await attempt('a3')
    context.answers = { abandon: [failed(1), succeeded(2)] }
    expect(await performChargeAttempt(context.deps, 'p1', 'a3', false)).toMatchObject({
      status: 'paid',
      paid: { attempt: 'a2', charge: 'ch_2' },
      open: {},
    })
    expect(context.calls.map(([call]) => call)).toEqual(['abandon', 'abandon'])
  })
})

describe('the automatic charge after seven days', () => {
  const card = (id: string) => ({ card: id, brand: 'visa', last4: '4242', expMonth: 1, expYear: 2040 })
  const id = derivedId('p1', 'collect')
  const withCard = async () => {
    await handleCommand(context.store, walletDecider, 'ana', 'begin', { customer: 'cus_1' }, by('begin'))
    for (const one of ['pm_1', 'pm_2']) await handleCommand(context.store, walletDecider, 'ana', 'save', card(one), by(one))
    await handleCommand(context.store, walletDecider, 'ana', 'prefer', { card: 'pm_1' }, by('prefer'))
  }
  test('does nothing without a bill, without a card, or if the bill was paid', async () => {
    await chargeOverdueBill(context.deps, 'p1', async player => player)
    await opened()
    await chargeOverdueBill(context.deps, 'p1', async player => player)
    await handleCommand(context.store, walletDecider, 'ana', 'begin', { customer: 'cus_1' }, by('begin'))
    await chargeOverdueBill(context.deps, 'p1', async player => player)
    await withCard()
    await attempt('a1')
    await handleCommand(context.store, paymentDecider, 'p1', 'succeed', { ...succeeded(1), attempt: 'a1', at: TEST_TIME }, by('paid'))
    await chargeOverdueBill(context.deps, 'p1', async player => player)
    expect([context.calls, await storedEvents()]).toEqual([[], []])
  })
  test('uses the preferred card, and adds no tip', async () => {
    await opened()
    await withCard()
    context.answers = { findCharge: [null], charge: [succeeded(1)] }
    context.now += 7 * 24 * HOUR_MS
    await chargeOverdueBill(context.deps, 'p1', async player => player)
    expect(context.calls.at(-1)).toMatchObject(['charge', { attempt: id, method: 'pm_1', customer: 'cus_1', amount: 1550 }])
    const attempted = { attempt: id, tip: 0, amount: 1550, by: 'schedule', at: '2026-03-08T12:00:00.000Z', command: id }
    expect(await storedEvents()).toMatchObject([{ type: 'PaymentAttempted', ...attempted }, { type: 'PaymentSucceeded' }])
  })
  test('completes an attempt of unknown outcome first', async () => {
    await opened()
    await withCard()
    await attempt('a1')
    context.answers = { findCharge: [failed(1), null], charge: [succeeded(2)] }
    await chargeOverdueBill(context.deps, 'p1', async player => player)
    expect((await storedEvents()).map(({ type }) => type)).toEqual(['PaymentFailed', 'PaymentAttempted', 'PaymentSucceeded'])
    expect(context.calls[0]).toEqual(['findCharge', 'p1', 'a1'])
  })
})

describe('an attempt that needs authentication', () => {
  beforeEach(opened)
  test("succeeds if the player has paid on the bank's page", async () => {
    await unconfirmed('a1', 1)
    context.answers = { outcomeOfIntent: [open(1), succeeded(1)] }
    await recheckFailedAttempt(context.deps, 'p1', 'a1', 'pi_1')
    expect(await storedEvents()).toEqual([])
    await recheckFailedAttempt(context.deps, 'p1', 'a1', 'pi_1')
    expect(await storedEvents()).toMatchObject([{ type: 'PaymentSucceeded', attempt: 'a1', charge: 'ch_1', tip: 300 }])
    await recheckFailedAttempt(context.deps, 'p1', 'a1', 'pi_1')
    expect(context.calls).toEqual([
      ['outcomeOfIntent', 'pi_1'],
      ['outcomeOfIntent', 'pi_1'],
    ])
  })
})
