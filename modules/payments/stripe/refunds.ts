import type Stripe from 'stripe'
import { fromStripe, idOf } from './client.ts'

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
/** Money that goes back: what we give, and what a bank takes. */
export interface Refunds {
  /** `refund` is our id of it, `amount` cents. */
  refund(o: { refund: string; charge: string; amount: number; reason: RefundReason; key: string }): Promise<Refund>
  findRefund(charge: string, refund: string): Promise<Refund | null>
  fetchDispute(dispute: string): Promise<Dispute>
}

const refundOf = (r: Stripe.Refund): Refund => ({
  id: r.id,
  charge: idOf(r.charge)!,
  amount: r.amount,
  status: r.status === 'succeeded' ? 'succeeded' : r.status === 'failed' || r.status === 'canceled' ? 'failed' : 'pending',
})

export const refunds = (stripe: Stripe): Refunds => ({
  async refund({ refund, charge, amount, reason, key }) {
    return refundOf(await fromStripe(stripe.refunds.create({ charge, amount, reason, metadata: { refund } }, { idempotencyKey: key })))
  },
  async findRefund(charge, refund) {
    const { data } = await fromStripe(stripe.refunds.list({ charge, limit: 100 }))
    const found = data.find(r => r.metadata?.refund === refund)
    return found ? refundOf(found) : null
  },
  async fetchDispute(dispute) {
    const d = await fromStripe(stripe.disputes.retrieve(dispute))
    const status = d.status === 'won' || d.status === 'warning_closed' ? 'won' : d.status === 'lost' ? 'lost' : 'open'
    return { id: d.id, charge: idOf(d.charge)!, intent: idOf(d.payment_intent), amount: d.amount, status, reason: d.reason }
  },
})
