import type Stripe from 'stripe'
import type { ProviderRefund } from '../refund-and-dispute-state.ts'
import { stripeIdOf, withGatewayErrors } from './client.ts'

type RefundReason = 'duplicate' | 'fraudulent' | 'requested_by_customer'
export interface Refund {
  id: string
  charge: string
  amount: number
  status: 'succeeded' | 'pending' | 'failed'
}
export interface Dispute {
  id: string
  charge: string
  intent: string | null
  amount: number
  status: 'open' | 'won' | 'lost'
  reason: string
}
/** Refunds that we make, and disputes that banks open. */
export interface RefundAndDisputeGateway {
  /** Refunds `amount` cents of a charge. `refund`: our own id for the refund. */
  refund(o: { refund: string; charge: string; amount: number; reason: RefundReason; key: string }): Promise<Refund>
  /** Finds a refund by our own id or the provider's. */
  findRefund(charge: string, refund: string): Promise<Refund | null>
  /** Every refund of a charge, oldest first. */
  refundsOf(charge: string): Promise<ProviderRefund[]>
  /** The id of the charge that was refunded. */
  chargeOfRefund(refund: string): Promise<string>
  fetchDispute(dispute: string): Promise<Dispute>
}

const refundOf = (r: Stripe.Refund): Refund => ({
  id: r.id,
  charge: stripeIdOf(r.charge)!,
  amount: r.amount,
  status: r.status === 'succeeded' ? 'succeeded' : r.status === 'failed' || r.status === 'canceled' ? 'failed' : 'pending',
})

/**
 * The status of a dispute from our side. A prevented dispute is over before it began: lost if the card network's rapid dispute resolution
 * refunded the charge, won if the bank accepted our response.
 */
function statusOf(d: Stripe.Dispute): Dispute['status'] {
  if (d.status === 'prevented') return d.balance_transactions.reduce((sum, line) => sum + line.amount, 0) < 0 ? 'lost' : 'won'
  if (d.status === 'won' || d.status === 'warning_closed') return 'won'
  return d.status === 'lost' ? 'lost' : 'open'
}

export const stripeRefundsAndDisputes = (stripe: Stripe): RefundAndDisputeGateway => ({
  async refund({ refund, charge, amount, reason, key }) {
    return refundOf(
      await withGatewayErrors(stripe.refunds.create({ charge, amount, reason, metadata: { refund } }, { idempotencyKey: key })),
    )
  },
  async findRefund(charge, refund) {
    const { data } = await withGatewayErrors(stripe.refunds.list({ charge, limit: 100 }))
    const matchingRefund = data.find(r => r.metadata?.refund === refund || r.id === refund)
    return matchingRefund ? refundOf(matchingRefund) : null
  },
  async refundsOf(charge) {
    const { data } = await withGatewayErrors(stripe.refunds.list({ charge, limit: 100 }))
    return data.toReversed().map(r => {
      const { id, amount, status } = refundOf(r)
      return { id, ours: r.metadata?.refund ?? null, amount, status }
    })
  },
  async chargeOfRefund(refund) {
    return stripeIdOf((await withGatewayErrors(stripe.refunds.retrieve(refund))).charge)!
  },
  async fetchDispute(dispute) {
    const d = await withGatewayErrors(stripe.disputes.retrieve(dispute))
    return {
      id: d.id,
      charge: stripeIdOf(d.charge)!,
      intent: stripeIdOf(d.payment_intent),
      amount: d.amount,
      status: statusOf(d),
      reason: d.reason,
    }
  },
})
