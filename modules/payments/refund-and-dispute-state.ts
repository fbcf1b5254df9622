import { formatCents } from '../format-cents-and-counts.ts'
import { CommandRefused } from '../kernel/store.ts'

/** Pure functions for a charge's refunds and disputes, used both for payments and for packages. */

export interface RefundAmountAndState {
  /** Cents. */
  amount: number
  /** `asked` until the provider reports the outcome. Even a `done` refund may bounce and become `failed`. */
  state: 'asked' | 'done' | 'failed'
}
/** Refunds by our id, or by the provider's id if the refund was made in its dashboard. */
export type RefundsById = Record<string, RefundAmountAndState & { reason: string }>
/** The refusal of a request whose refund id belongs to an earlier refund that differs from it: it is no repeat, and must not look done. */
export const reusedRefundIdRefusal = ({ amount }: RefundAmountAndState) =>
  new CommandRefused(`This request already refunded ${formatCents(amount)}. Reload the page to see it.`, 'refund-asked')

export type DisputeStates = Record<string, DisputeState>
type DisputeState = 'open' | 'won' | 'lost'

/** Cents that were refunded or are being refunded. */
export const sumNonFailedRefundCents = (refunds: Record<string, RefundAmountAndState>) =>
  Object.values(refunds).reduce((all, { amount, state }) => all + (state === 'failed' ? 0 : amount), 0)

/** The combined status of all disputes: lost if any is lost, otherwise open if any is open. Null if there are none. */
export const combinedDisputeState = (disputes: DisputeStates): DisputeState | null => {
  const all = Object.values(disputes)
  return (['lost', 'open', 'won'] as const).find(state => all.includes(state)) ?? null
}

/** A refund in the provider's records. `ours` is our id for it; null if it was made in the provider's dashboard. */
export interface ProviderRefund {
  id: string
  ours: string | null
  amount: number
  status: 'pending' | 'succeeded' | 'failed'
}
export const PROVIDER_REFUND_REASON = 'Refunded at the payment provider'

/** The stages that our records of a charge's refunds lack compared with the provider's, oldest refund first. */
export function missingRefundStages(refunds: RefundsById, charge: string, atProvider: readonly ProviderRefund[]) {
  // Earlier versions recorded refunds made in the provider's dashboard as a sum, with the id `<charge>-<total refunded so far>`.
  let summed = sumNonFailedRefundCents(Object.fromEntries(Object.entries(refunds).filter(([id]) => id.startsWith(`${charge}-`))))
  return atProvider.flatMap(({ id, ours, amount, status }) => {
    const refund = ours !== null && refunds[ours] ? ours : id
    let state = refunds[refund]?.state
    const missing: ('asked' | 'done' | 'failed')[] = []
    if (!state) {
      if (status === 'failed') return []
      if (summed >= amount) {
        summed -= amount
        return []
      }
      missing.push('asked')
      state = 'asked'
    }
    if (state === 'asked' && status === 'succeeded') missing.push('done')
    if (state !== 'failed' && status === 'failed') missing.push('failed')
    return missing.map(stage => ({ refund, amount, reason: refunds[refund]?.reason ?? PROVIDER_REFUND_REASON, stage }))
  })
}

/** The stages that our record of a dispute lacks if its status is `status`. A lost dispute may still be won later; a won one stays won. */
export function missingDisputeStages(disputes: DisputeStates, dispute: string, status: DisputeState): ('opened' | 'closed')[] {
  const known = disputes[dispute]
  if (status === 'open') return known ? [] : ['opened']
  if (!known) return ['opened', 'closed']
  return known === 'open' || (known === 'lost' && status === 'won') ? ['closed'] : []
}
