import { concurrencyLimit } from '../concurrency-limit.ts'
import { addDays } from '../dates.ts'
import { derivedId, handleCommand, systemCommandSource } from '../kernel/decider.ts'
import { paymentDecider, refundedOrPendingCents } from './payment.ts'
import { loadPayment, type PaymentDependencies, performChargeAttempt } from './perform-charge-attempts.ts'
import type { ListedCharge } from './stripe/stripe-charges.ts'

/** A charge at Stripe that the log lacks or records differently, for instance after a restore from a backup. Amounts are in cents. */
export interface UnreconciledCharge extends ListedCharge {
  payment: string
  /**
   * `unknown-payment`: the log has no bill for it. `not-recorded`: the log has the bill, but not the charge. `refund-differs`: the log has
   * the charge, but Stripe has refunded a different sum than the log says.
   */
  difference: 'unknown-payment' | 'not-recorded' | 'refund-differs'
  /** The refunds in the log, in cents; `refunded` for a charge that the log lacks, so that only the charge counts as a difference. */
  recordedRefund: number
}

/**
 * How many days back charges are compared. A restored log should be newer, because backups of the encryption keys for its texts are
 * deleted after 30 days.
 */
export const RECONCILIATION_DAYS = 90

/** How many payments or purchases a comparison reads at a time, so that it leaves database connections to requests. */
export const STREAMS_READ_AT_ONCE = 5

/** Compares a charge at Stripe with the log. @returns undefined if the log agrees, or if the charge belongs to no payment of ours */
async function compareWithLog(
  { store }: Pick<PaymentDependencies, 'store'>,
  charge: ListedCharge,
): Promise<UnreconciledCharge | undefined> {
  const { payment } = charge
  if (!payment) return
  const p = await loadPayment(store, payment)
  if (!p.bill) return { ...charge, payment, difference: 'unknown-payment', recordedRefund: charge.refunded }
  if (p.paid?.charge !== charge.charge) {
    if (charge.charge in p.doubled) return
    return { ...charge, payment, difference: 'not-recorded', recordedRefund: charge.refunded }
  }
  const recordedRefund = refundedOrPendingCents(p)
  if (recordedRefund !== charge.refunded) return { ...charge, payment, difference: 'refund-differs', recordedRefund }
}

/**
 * Recent charges at Stripe that the log lacks, or whose refunds it records differently, newest first. `unreconciled-packages.ts` does the
 * same for packages.
 */
export async function unreconciledCharges(deps: PaymentDependencies): Promise<UnreconciledCharge[]> {
  const since = addDays(deps.clock(), -RECONCILIATION_DAYS)
  const charges = await deps.gateway.chargesSince(since)
  const reads = concurrencyLimit(STREAMS_READ_AT_ONCE)
  const differences = await Promise.all(charges.map(charge => reads.run(() => compareWithLog(deps, charge))))
  return differences.filter(difference => difference !== undefined)
}

/**
 * If the log has the bill but not this charge, records the charge as an attempt to pay that bill. The amount above the bill is the tip. If
 * another charge has paid the bill, this one is recorded as a second charge, which is refunded.
 * @returns whether the log now has the charge
 * @throws CommandRefused if the payment is in a state that does not allow it
 */
export async function recordMissingCharge(deps: PaymentDependencies, charge: UnreconciledCharge): Promise<boolean> {
  const { payment: id, attempt, intent, customer, card, amount, at } = charge
  const { bill, attempts, paid } = await loadPayment(deps.store, id)
  if (charge.difference !== 'not-recorded' || !bill || !attempt) return false
  const source = systemCommandSource(derivedId(id, 'recordMissed', charge.charge))
  if (paid) {
    if (!intent || charge.refunded > 0) return false
    await handleCommand(deps.store, paymentDecider, id, 'doubled', { attempt, intent, charge: charge.charge, amount }, source)
    return true
  }
  if (!customer || !card || amount < bill.total) return false
  if (!attempts[attempt]) {
    const tried = { id: attempt, customer, card, tip: amount - bill.total, by: 'player' as const, at, total: bill.total }
    await handleCommand(deps.store, paymentDecider, id, 'attempt', tried, source)
  }
  return (await performChargeAttempt(deps, id, attempt)).status === 'paid'
}

/**
 * If a bill is unpaid according to the log, records charges for it that only Stripe has, as after a restore from a backup that is older
 * than the payment. Call it before the bill is charged automatically, so that nobody pays twice.
 */
export async function recordMissingChargesOfPayment(deps: PaymentDependencies, payment: string): Promise<void> {
  const { bill, paid } = await loadPayment(deps.store, payment)
  if (!bill || paid) return
  for (const charge of await deps.gateway.chargesOfPayment(payment)) {
    const difference = await compareWithLog(deps, charge)
    if (difference) await recordMissingCharge(deps, difference)
  }
}
