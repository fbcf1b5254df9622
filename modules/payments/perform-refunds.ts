import { PermanentErrandError } from '../jobs/outbox.ts'
import { derivedId, handleCommand, systemCommandSource } from '../kernel/decider.ts'
import { paymentDecider } from './payment.ts'
import { loadPayment, type PaymentDependencies } from './perform-charge-attempts.ts'
import { RetryLaterError, StripeRejectedRequestError } from './stripe/client.ts'
import type { Refund } from './stripe/stripe-refunds-and-disputes.ts'

/** Performs an administrator's refund. While it is pending it stays `asked`; a webhook reports the outcome. */
export async function performRequestedRefund({ store, gateway }: PaymentDependencies, id: string, ours: string): Promise<void> {
  const p = await loadPayment(store, id)
  const requestedRefund = p.refunds[ours]
  if (requestedRefund?.state !== 'asked') return
  const { status } = await refundChargeOnce(gateway, p.paid!.charge, ours, requestedRefund.amount, 'requested_by_customer')
  const command = status === 'failed' ? 'refundFailed' : status === 'succeeded' ? 'refunded' : null
  if (command) await handleCommand(store, paymentDecider, id, command, { refund: ours }, systemCommandSource(derivedId(id, command, ours)))
}

/** Records the outcome of all refunds of a payment's charge, including those made in the provider's dashboard. */
export async function reconcileRefunds({ store, gateway }: PaymentDependencies, id: string, charge: string): Promise<void> {
  const refunds = await gateway.refundsOf(charge)
  // The same state may be read before and after a different one, so each command gets a new id.
  await handleCommand(store, paymentDecider, id, 'reconcile', { charge, refunds }, systemCommandSource())
}

/**
 * Refunds a second charge for the same payment.
 * @throws PermanentErrandError if the refund is refused, so that an administrator has to act; RetryLaterError while it is pending
 */
export async function refundDuplicateCharge(
  { store, gateway }: PaymentDependencies,
  id: string,
  charge: string,
  amount: number,
): Promise<void> {
  if ((await loadPayment(store, id)).doubled[charge] !== 'kept') return
  const { status } = await refundChargeOnce(gateway, charge, derivedId(id, 'doubled', charge), amount, 'duplicate')
  if (status === 'failed') throw new PermanentErrandError(`The refund of the second charge ${charge} was refused.`)
  if (status === 'pending') throw new RetryLaterError(`The refund of the second charge ${charge} is pending.`, 'pending')
  await handleCommand(store, paymentDecider, id, 'returned', { charge }, systemCommandSource(derivedId(id, 'returned', charge)))
}

/** Refunds a charge, unless our refund `ours` of it exists already. The status is `failed` if the provider refuses, or if `amount` is 0. */
export async function refundChargeOnce(
  gateway: PaymentDependencies['gateway'],
  charge: string,
  ours: string,
  amount: number,
  reason: 'duplicate' | 'requested_by_customer',
): Promise<Pick<Refund, 'status' | 'amount'>> {
  const existingRefund = await gateway.findRefund(charge, ours)
  if (existingRefund) return existingRefund
  if (amount === 0) return { status: 'failed', amount }
  try {
    return await gateway.refund({ refund: ours, charge, amount, reason, key: derivedId(charge, 'refund', ours) })
  } catch (error) {
    if (error instanceof StripeRejectedRequestError) return { status: 'failed', amount }
    throw error
  }
}
