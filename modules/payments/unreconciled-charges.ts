import { addDays } from '../dates.ts'
import { derivedId, handleCommand, systemCommandSource } from '../kernel/decider.ts'
import { loadPayment, type PaymentDependencies, performChargeAttempt } from './charge-attempts.ts'
import { paymentDecider, refundedOrPendingCents } from './payment.ts'
import type { ListedCharge } from './stripe/stripe-charges.ts'

/** A charge at Stripe that the log lacks or records differently, for instance after a restore from a backup. Amounts are in cents. */
export interface UnreconciledCharge extends ListedCharge {
  payment: string
  /**
   * `unknown-payment`: the log has no bill for it. `not-recorded`: the log has the bill, but not the charge. `refund-differs`: the log has the
   * charge, but Stripe has refunded a different sum than the log says.
   */
  difference: 'unknown-payment' | 'not-recorded' | 'refund-differs'
  /** The refunds in the log. For a charge that the log lacks it equals `refunded`, so that only the charge counts as a difference. */
  recordedRefund: number
}

/** How many days back charges are compared. A restored log should be younger, because backups of its keys are deleted after 30 days. */
export const RECONCILIATION_DAYS = 90

/**
 * Recent charges at Stripe that the log lacks, or whose refunds it records differently, newest first. `unreconciled-packages.ts` has the
 * packages.
 */
export async function unreconciledCharges({ store, gateway, clock }: PaymentDependencies): Promise<UnreconciledCharge[]> {
  const since = addDays(clock(), -RECONCILIATION_DAYS)
  const unreconciled: UnreconciledCharge[] = []
  for (const charge of await gateway.chargesSince(since)) {
    if (!charge.payment) continue
    const p = await loadPayment(store, charge.payment)
    const isKnown = p.paid?.charge === charge.charge || charge.charge in p.doubled
    const recordedRefund = p.paid?.charge === charge.charge ? refundedOrPendingCents(p) : charge.refunded
    const difference = !p.bill
      ? 'unknown-payment'
      : !isKnown
        ? 'not-recorded'
        : recordedRefund !== charge.refunded
          ? 'refund-differs'
          : undefined
    if (difference) unreconciled.push({ ...charge, payment: charge.payment, difference, recordedRefund })
  }
  return unreconciled
}

/**
 * Records a charge that is missing in the log but whose bill is there, as an attempt. The amount above the bill is the tip.
 * @returns false where that is not possible
 * @throws CommandRefused where the payment is in a state that does not allow it
 */
export async function recordMissingCharge(deps: PaymentDependencies, charge: UnreconciledCharge): Promise<boolean> {
  const { payment: id, attempt, customer, card, amount, at } = charge
  const { bill, attempts } = await loadPayment(deps.store, id)
  if (charge.difference !== 'not-recorded' || !bill || !attempt || !customer || !card || amount < bill.total) return false
  if (!attempts[attempt]) {
    const tried = { id: attempt, customer, card, tip: amount - bill.total, by: 'player' as const, at, total: bill.total }
    await handleCommand(deps.store, paymentDecider, id, 'attempt', tried, systemCommandSource(derivedId(id, 'recordMissed', charge.charge)))
  }
  return (await performChargeAttempt(deps, id, attempt)).status === 'paid'
}
