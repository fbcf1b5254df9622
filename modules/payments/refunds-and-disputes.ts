/** Money of a charge that goes back to its card, by refund or by the bank: what a payment and a package both keep of it. Pure. */

export interface RefundState {
  /** Cents. */
  amount: number
  /** `asked` until the provider knows whether the money arrived; what is `done` may still come back and be `failed`. */
  state: 'asked' | 'done' | 'failed'
}
/** By our id of it, or the provider's where it was made there. */
export type Refunds = Record<string, RefundState & { reason: string }>
export type Disputes = Record<string, DisputeState>
type DisputeState = 'open' | 'won' | 'lost'

/** Cents that went back by refund, or are on their way. */
export const refundedCents = (refunds: Record<string, RefundState>) =>
  Object.values(refunds).reduce((all, { amount, state }) => all + (state === 'failed' ? 0 : amount), 0)

/** What the bank says in all: one dispute that is lost or open outweighs those that were won. */
export const disputeOf = (disputes: Disputes): DisputeState | null => {
  const all = Object.values(disputes)
  return (['lost', 'open', 'won'] as const).find(state => all.includes(state)) ?? null
}

/** A refund as the provider has it. `ours` is our id of it, null where it was made at the provider's own desk. */
export interface ProviderRefund {
  id: string
  ours: string | null
  amount: number
  status: 'pending' | 'succeeded' | 'failed'
}
export const PROVIDER_REFUND_REASON = 'Refunded at the payment provider'

/** What is new in the refunds of a charge as the provider has them now, oldest first: each with what has to be said of it, in order. */
export function newRefundEvents(refunds: Refunds, charge: string, atProvider: readonly ProviderRefund[]) {
  // Those made at the provider's desk were once noted by their sum, as `<charge>-<sum>`.
  let summed = refundedCents(Object.fromEntries(Object.entries(refunds).filter(([id]) => id.startsWith(`${charge}-`))))
  return atProvider.flatMap(({ id, ours, amount, status }) => {
    const refund = ours !== null && refunds[ours] ? ours : id
    let state = refunds[refund]?.state
    const news: ('asked' | 'done' | 'failed')[] = []
    if (!state) {
      if (status === 'failed') return []
      if (summed >= amount) {
        summed -= amount
        return []
      }
      news.push('asked')
      state = 'asked'
    }
    if (state === 'asked' && status === 'succeeded') news.push('done')
    if (state !== 'failed' && status === 'failed') news.push('failed')
    return news.map(said => ({ refund, amount, reason: refunds[refund]?.reason ?? PROVIDER_REFUND_REASON, said }))
  })
}

/** What has to be said of a dispute, in order. The bank may give right after all where it was lost; what was won stays won. */
export function newDisputeEvents(disputes: Disputes, dispute: string, status: DisputeState): ('opened' | 'closed')[] {
  const known = disputes[dispute]
  if (status === 'open') return known ? [] : ['opened']
  if (!known) return ['opened', 'closed']
  return known === 'open' || (known === 'lost' && status === 'won') ? ['closed'] : []
}
