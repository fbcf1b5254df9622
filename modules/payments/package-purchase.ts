import { decider } from '../kernel/decider.ts'
import { CommandRefused } from '../kernel/store.ts'
import type { PackageType } from './policy.ts'
import {
  combinedDisputeState,
  type DisputeStates,
  missingDisputeStages,
  missingRefundStages,
  type ProviderRefund,
  type RefundsById,
  reusedRefundIdRefusal,
  sumNonFailedRefundCents,
} from './refund-and-dispute-state.ts'

type OfPlayer = { player: string }
/** Stream `purchase-<id derived from the hosted page's session>`. Cents. */
export type PurchaseEvent =
  | {
      type: 'PackageBought'
      data: OfPlayer & {
        package: PackageType
        folders: number
        amount: number
        session: string
        intent: string
        charge: string
        card?: { brand: string; last4: string }
        /** The guardian who bought the package for a minor; if absent, the player bought it. */
        payer?: string
      }
    }
  /**
   * `folders`: the maximum number of unused folders that the refund revokes. With `whole`, it revokes all unused folders, and also those
   * that become unused again later.
   */
  | { type: 'PackageRefundAsked'; data: OfPlayer & { refund: string; amount: number; folders: number; whole: boolean; reason: string } }
  /** `amount` is lower than requested if a folder has been used since. */
  | { type: 'PackageRefunded'; data: OfPlayer & { refund: string; amount: number } }
  | { type: 'PackageRefundFailed'; data: OfPlayer & { refund: string; amount: number } }
  | { type: 'PackageDisputed'; data: OfPlayer & { dispute: string; amount: number } }
  | { type: 'PackageDisputeClosed'; data: OfPlayer & { dispute: string; outcome: 'won' | 'lost' } }

type Bought = Extract<PurchaseEvent, { type: 'PackageBought' }>['data']
export interface PurchaseState {
  bought: Bought | null
  refunds: RefundsById
  /** Ids of the refunds of everything that was left. */
  whole: string[]
  disputes: DisputeStates
}

/** @throws CommandRefused for a minor: the guardian buys for them */
export function assertPackageBuyerIsAdult(isMinor: boolean) {
  if (isMinor)
    throw new CommandRefused('Players under 18 cannot buy packages. Ask your parent or guardian: they can buy one for you.', 'minor')
}

/** The price of `count` of a package's sessions, in cents. */
export const proratedCents = ({ amount, folders }: Pick<Bought, 'amount' | 'folders'>, count: number) =>
  Math.round((amount * count) / folders)

/** Cents that can be refunded: everything, or the price of the `unused` sessions. Nothing during a dispute or after a lost one. */
export function refundableCents(p: PurchaseState, unused: number): { whole: number; unused: number } {
  const dispute = combinedDisputeState(p.disputes)
  if (!p.bought || dispute === 'open' || dispute === 'lost') return { whole: 0, unused: 0 }
  const unrefundedAmount = p.bought.amount - sumNonFailedRefundCents(p.refunds)
  return { whole: unrefundedAmount, unused: Math.min(unrefundedAmount, proratedCents(p.bought, unused)) }
}

/** Cents of the price that were neither refunded nor lost in a dispute. */
export const unrefundedCents = (p: PurchaseState) =>
  !p.bought || combinedDisputeState(p.disputes) === 'lost' ? 0 : p.bought.amount - sumNonFailedRefundCents(p.refunds)

const settledAs = (p: PurchaseState, refund: string, state: 'done' | 'failed', amount: number): PurchaseState => ({
  ...p,
  refunds: { ...p.refunds, [refund]: { ...p.refunds[refund]!, state, amount } },
})

/** A paid package of sessions. The buyer's return from the hosted page and the webhook both record it; the second time changes nothing. */
export const purchaseDecider = decider<PurchaseState, PurchaseEvent>()({
  stream: 'purchase',
  initial: { bought: null, refunds: {}, whole: [], disputes: {} },
  evolve: {
    PackageBought: (p, bought) => ({ ...p, bought }),
    PackageRefundAsked: (p, { refund, amount, reason, whole }) => ({
      ...p,
      refunds: { ...p.refunds, [refund]: { amount, reason, state: 'asked' } },
      whole: whole ? [...p.whole, refund] : p.whole,
    }),
    PackageRefunded: (p, { refund, amount }) => settledAs(p, refund, 'done', amount),
    PackageRefundFailed: (p, { refund, amount }) => settledAs(p, refund, 'failed', amount),
    PackageDisputed: (p, { dispute }) => ({ ...p, disputes: { ...p.disputes, [dispute]: 'open' } }),
    PackageDisputeClosed: (p, { dispute, outcome }) => ({ ...p, disputes: { ...p.disputes, [dispute]: outcome } }),
  },
  decide: {
    complete: (p, data: Bought) => (p.bought ? [] : { type: 'PackageBought', data }),

    /** An administrator refunds everything, or the price of the `unused` sessions. `cents` is the amount that the administrator saw. */
    refund: (p, c: { refund: string; whole: boolean; unused: number; cents: number; reason: string }) => {
      const requestedRefund = p.refunds[c.refund]
      const isRepeat = requestedRefund?.amount === c.cents && requestedRefund.reason === c.reason && p.whole.includes(c.refund) === c.whole
      if (isRepeat) return []
      if (requestedRefund) throw reusedRefundIdRefusal(requestedRefund)
      const dispute = combinedDisputeState(p.disputes)
      if (dispute === 'open')
        throw new CommandRefused('The bank is reviewing a dispute about this package, so it cannot be refunded.', 'disputed')
      if (dispute === 'lost') throw new CommandRefused('The bank has already returned this payment.', 'disputed')
      const amount = refundableCents(p, c.unused)[c.whole ? 'whole' : 'unused']
      if (amount === 0) throw new CommandRefused('There is nothing left to refund.', 'nothing-left')
      if (amount !== c.cents) throw new CommandRefused('The amount that can be refunded has changed. Check it again.', 'changed')
      const { player, folders } = p.bought!
      const { refund, whole, reason } = c
      return { type: 'PackageRefundAsked', data: { player, refund, amount, folders: whole ? folders : c.unused, whole, reason } }
    },
    refunded: (p, { refund, amount }: { refund: string; amount: number }) =>
      p.refunds[refund]?.state === 'asked' ? { type: 'PackageRefunded', data: { player: p.bought!.player, refund, amount } } : [],
    refundFailed: (p, { refund }: { refund: string }) => {
      const requestedRefund = p.refunds[refund]
      return requestedRefund && requestedRefund.state !== 'failed'
        ? { type: 'PackageRefundFailed', data: { player: p.bought!.player, refund, amount: requestedRefund.amount } }
        : []
    },
    /**
     * Brings the refunds up to date with the provider's, which come oldest first. A refund made in the provider's dashboard revokes as many
     * folders as it pays for.
     */
    reconcile: (p, c: { charge: string; refunds: readonly ProviderRefund[] }): PurchaseEvent[] => {
      if (p.bought?.charge !== c.charge) return []
      const { player, amount: price, folders: all } = p.bought
      let alreadyRefundedCents = sumNonFailedRefundCents(p.refunds)
      return missingRefundStages(p.refunds, c.charge, c.refunds).map(({ stage, refund, amount, reason }) => {
        if (stage === 'done') return { type: 'PackageRefunded', data: { player, refund, amount } }
        if (stage === 'failed') return { type: 'PackageRefundFailed', data: { player, refund, amount } }
        alreadyRefundedCents += amount
        const whole = alreadyRefundedCents >= price
        const folders = whole ? all : Math.round((amount * all) / price)
        return { type: 'PackageRefundAsked', data: { player, refund, amount, folders, whole, reason } }
      })
    },
    dispute: (p, c: { dispute: string; amount: number; status: 'open' | 'won' | 'lost' }): PurchaseEvent[] => {
      if (!p.bought) return []
      const { player } = p.bought
      return missingDisputeStages(p.disputes, c.dispute, c.status).map(stage =>
        stage === 'opened'
          ? { type: 'PackageDisputed', data: { player, dispute: c.dispute, amount: c.amount } }
          : { type: 'PackageDisputeClosed', data: { player, dispute: c.dispute, outcome: c.status as 'won' | 'lost' } },
      )
    },
  },
})
