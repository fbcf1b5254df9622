import { expect, test } from 'vitest'
import { handleCommand } from '../../../modules/kernel/decider.ts'
import type { EventStore } from '../../../modules/kernel/store.ts'
import { memoryStore } from '../../../modules/kernel/stores/memory.ts'
import { paymentErrandHandlers } from '../../../modules/payments/errand-handlers.ts'
import { recordMissingCharge, unreconciledCharges } from '../../../modules/payments/find-and-record-missing-charges.ts'
import { paymentDecider } from '../../../modules/payments/payment.ts'
import type { PaymentDependencies } from '../../../modules/payments/perform-charge-attempts.ts'
import type { ListedCharge } from '../../../modules/payments/stripe/stripe-charges.ts'
import { walletDecider } from '../../../modules/payments/wallet.ts'

const at = '2026-03-08T12:00:00.000Z'
const by = (command: string) => ({ command, actor: 'system' })
const card = { id: 'pm_1', brand: 'visa', last4: '4242' }
/** A charge at Stripe for an attempt that the restored log lacks. */
const charged = (attempt: string, amount = 2000): ListedCharge => ({
  ...{ charge: `ch_${attempt}`, intent: `pi_${attempt}`, payment: 'p1', attempt, customer: 'cus_1' },
  ...{ card, amount, refunded: 0, at },
})

/** Creates a bill of $20 that is due, a saved card, and the charges that Stripe has for the bill. */
async function restoredBill(atStripe: ListedCharge[]) {
  const store = memoryStore()
  await handleCommand(store, walletDecider, 'ana', 'begin', { customer: 'cus_1' }, by('begin'))
  const saved = { card: 'pm_1', brand: 'visa', last4: '4242', expMonth: 1, expYear: 2040 }
  await handleCommand(store, walletDecider, 'ana', 'save', saved, by('save'))
  const bill = { folder: 'f1', player: 'ana', instructor: 'casey', items: [], total: 2000, share: 1200, opened: at, due: at }
  await handleCommand(store, paymentDecider, 'p1', 'open', bill, by('open'))
  const succeeded = (c: ListedCharge) => ({ outcome: 'succeeded', intent: c.intent!, charge: c.charge, amount: c.amount })
  const gateway = {
    chargesOfPayment: async () => atStripe,
    chargesSince: async () => atStripe,
    findCharge: async (_: string, attempt: string) => atStripe.filter(c => c.attempt === attempt).map(succeeded)[0] ?? null,
    charge: async ({ attempt, amount }: { attempt: string; amount: number }) => {
      atStripe.unshift(charged(attempt, amount))
      return succeeded(atStripe[0]!)
    },
  }
  const deps = { store, gateway, clock: () => new Date(at) } as unknown as PaymentDependencies
  const { 'payment.collect': collect } = paymentErrandHandlers(deps, { payerOf: async (player: string) => player } as never)
  const events = async () => (await store.read('payment-p1')).map(e => e.type)
  return { deps, collect, events }
}

test('an overdue bill is charged once', async () => {
  const atStripe: ListedCharge[] = []
  const { collect, events } = await restoredBill(atStripe)
  await collect({ payment: 'p1' })
  await collect({ payment: 'p1' })
  expect(atStripe).toHaveLength(1)
  expect(await events()).toEqual(['PaymentOpened', 'PaymentAttempted', 'PaymentSucceeded'])
})

test('a bill that was paid after the restored moment is not charged again', async () => {
  const atStripe = [charged('paid-later', 2300)]
  const { deps, collect, events } = await restoredBill(atStripe)
  await collect({ payment: 'p1' })
  expect(atStripe).toHaveLength(1)
  expect(await events()).toEqual(['PaymentOpened', 'PaymentAttempted', 'PaymentSucceeded'])
  expect((await deps.store.read('payment-p1')).at(-1)!.data).toMatchObject({ charge: 'ch_paid-later', amount: 2300, tip: 300 })
})

test('a second charge for a bill is recorded for a refund, unless already refunded', async () => {
  const atStripe: ListedCharge[] = []
  const { deps, collect, events } = await restoredBill(atStripe)
  await collect({ payment: 'p1' })
  atStripe.push(charged('paid-later'), { ...charged('returned'), refunded: 2000 })
  const missing = await unreconciledCharges(deps)
  expect(missing.map(c => [c.charge, c.difference])).toEqual([
    ['ch_paid-later', 'not-recorded'],
    ['ch_returned', 'not-recorded'],
  ])
  expect(await Promise.all(missing.map(charge => recordMissingCharge(deps, charge)))).toEqual([true, false])
  expect((await events()).at(-1)).toBe('ChargeDoubled')
  expect((await unreconciledCharges(deps)).map(c => c.charge)).toEqual(['ch_returned'])
})

test('the payments of many charges are looked up several at a time, in order', async () => {
  const { deps } = await restoredBill(Array.from({ length: 25 }, (_, n) => ({ ...charged(`${n}`), payment: `other-${n}` })))
  let waiting = 0
  const { promise: severalWait, resolve } = Promise.withResolvers<void>()
  const read: EventStore['read'] = async stream => {
    if (++waiting > 1) resolve()
    await severalWait
    return deps.store.read(stream)
  }
  const found = await unreconciledCharges({ ...deps, store: { ...deps.store, read } })
  expect(found.map(c => c.payment)).toEqual(Array.from({ length: 25 }, (_, n) => `other-${n}`))
})
