import { decider } from '../kernel/decider.ts'
import { CommandRefused } from '../kernel/store.ts'
import type { PaymentFailureReason } from './contract.ts'
import type { PriceItem } from './pricing.ts'
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

/** The card that an attempt was made with: enough for its owner to recognize it. */
export interface UsedCard {
  id: string
  brand: string
  last4: string
}
/** The people and the folder of a payment. Other processes read them in its events. */
interface Parties {
  folder: string
  player: string
  instructor: string
}

/** Stream `payment-<assignment>`. Cents; times ISO 8601. Events contain the provider's ids, but no names and no full card numbers. */
export type PaymentEvent =
  /** The payment's id is the assignment's, which a client chose. This event binds it to one folder, so that no other folder can use it. */
  | { type: 'PaymentAgreed'; data: Parties }
  /** `purchase`: the package whose credit covers the base price. `payer`: the minor's guardian; if absent, the player pays. */
  | {
      type: 'PaymentOpened'
      data: Parties & { items: PriceItem[]; total: number; share: number; opened: string; due: string; purchase?: string; payer?: string }
    }
  | {
      type: 'PaymentAttempted'
      data: { attempt: string; customer: string; card: UsedCard; amount: number; tip: number; by: AttemptTrigger; at: string }
    }
  | { type: 'PaymentFailed'; data: Parties & { attempt: string; reason: PaymentFailureReason; intent: string | null; by: AttemptTrigger } }
  /** The attempt's intent was canceled, so another card may be charged. */
  | { type: 'AttemptAbandoned'; data: { attempt: string } }
  | {
      type: 'PaymentSucceeded'
      data: Parties & { attempt: string; intent: string; charge: string; amount: number; tip: number; at: string }
    }
  /** A second charge for a paid bill, which is refunded immediately. */
  | { type: 'ChargeDoubled'; data: { attempt: string; intent: string; charge: string; amount: number } }
  | { type: 'DoubledChargeReturned'; data: { charge: string } }
  /** `netted`: the rest of the share, which the platform keeps to reduce the instructor's debt. */
  | { type: 'TransferMade'; data: { transfer: string; account: string; amount: number; at: string; netted?: number } }
  | { type: 'TransferReversed'; data: { transfer: string; reversal: string; amount: number } }
  /** The transfer should be reversed, but the instructor's account does not cover `amount` of it, so the instructor owes that. */
  | { type: 'TransferOwed'; data: { transfer: string; amount: number; at: string } }
  /**
   * The provider refused a transfer or a reversal. It repeats the refusal for a day if the same idempotency key is used.
   * `source`: the charge that the share was to be paid from; null if the refusal says nothing about it. `shortfall`: how many cents the
   * instructor's account lacked when a transfer was to be reversed.
   */
  | { type: 'ShareRefused'; data: { of: 'transfer' | 'reversal'; source: string | null; code: string; at: string; shortfall?: number } }
  | { type: 'RefundAsked'; data: { refund: string; amount: number; reason: string } }
  | { type: 'PaymentRefunded'; data: Parties & { refund: string; amount: number; reason: string } }
  | { type: 'RefundFailed'; data: { refund: string; amount: number } }
  /** Nothing is transferred while the bank decides. */
  | { type: 'ChargebackOpened'; data: { dispute: string; amount: number } }
  | { type: 'ChargebackClosed'; data: { dispute: string; outcome: 'won' | 'lost' } }

/** What triggered the attempt: the player, the paying guardian, or the schedule after seven days. */
export type AttemptTrigger = 'player' | 'guardian' | 'schedule'

export interface PaymentAttempt {
  id: string
  customer: string
  card: UsedCard
  amount: number
  tip: number
  by: AttemptTrigger
  at: string
}
interface Paid {
  attempt: string
  intent: string
  charge: string
  amount: number
  tip: number
  at: string
}
interface Bill extends Parties {
  items: PriceItem[]
  total: number
  share: number
  opened: string
  due: string
  purchase?: string
  payer?: string
}

interface Transfer {
  id: string
  account: string
  amount: number
  /** Cents of the share that were kept to reduce the instructor's debt. */
  netted: number
  /** Whether this transfer no longer counts as paid to the instructor: it was reversed, or became a debt. */
  reversed: boolean
  /** Cents that could not be reversed, so that the instructor owes them. */
  owed: number
}

export interface PaymentState {
  /** The status of the charge; refunds and chargebacks are separate, below. */
  status: 'none' | 'due' | 'processing' | 'failed' | 'paid'
  agreed: Parties | null
  bill: Bill | null
  /** Every attempt by its id; the last one is `last`. */
  attempts: Record<string, PaymentAttempt>
  last: PaymentAttempt | null
  failure: PaymentFailureReason | null
  /** Intents, by attempt, that failed because authentication was missing. The payer may still complete them on the bank's page. */
  open: Record<string, string>
  paid: Paid | null
  doubled: Record<string, 'kept' | 'returned'>
  refunds: RefundsById
  /** All transfers in order; all before the last one are reversed. */
  transfers: Transfer[]
  /** How often the transfer of the share or its reversal was refused. */
  refusals: number
  /** Ids of the charges from which the provider refused to pay a transfer. The next transfer uses another source. */
  drained: string[]
  /** How many cents the account lacked when the whole current transfer was to be reversed; null unless that failed for lack of money. */
  shortfall: number | null
  disputes: DisputeStates
}

const initial: PaymentState = {
  status: 'none',
  agreed: null,
  bill: null,
  attempts: {},
  last: null,
  failure: null,
  open: {},
  paid: null,
  doubled: {},
  refunds: {},
  transfers: [],
  refusals: 0,
  drained: [],
  shortfall: null,
  disputes: {},
}

/** Cents that were refunded to the payer or are being refunded. */
export const refundedOrPendingCents = (p: PaymentState) => sumNonFailedRefundCents(p.refunds)
/** The transfer that still counts as paid to the instructor, or undefined. `reversed` is also true for one that became a debt. */
export const currentTransfer = (p: PaymentState) => p.transfers.find(t => !t.reversed)

/** The bill's share plus the tip, in cents, before refunds. */
export const shareCentsBeforeRefundsOf = (p: PaymentState) => (p.bill?.share ?? 0) + (p.paid?.tip ?? 0)

/** Cents that the instructor should have now: nothing after a full refund or a lost dispute, and nothing new during a dispute. */
export function currentShareCentsOf(p: PaymentState): number {
  const dispute = combinedDisputeState(p.disputes)
  if (!p.paid || !p.bill || refundedOrPendingCents(p) >= p.paid.amount || dispute === 'lost') return 0
  if (dispute === 'open') {
    const has = currentTransfer(p)
    return has ? has.amount + has.netted : 0
  }
  return shareCentsBeforeRefundsOf(p)
}

const without = <T>(of: Record<string, T>, key: string) => Object.fromEntries(Object.entries(of).filter(([k]) => k !== key))
const parties = ({ folder, player, instructor }: Bill): Parties => ({ folder, player, instructor })
const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`

function billOf(p: PaymentState): Bill {
  if (!p.bill) throw new CommandRefused('There is nothing to pay here.', 'not-open')
  return p.bill
}

export const paymentDecider = decider<PaymentState, PaymentEvent>()({
  stream: 'payment',
  initial,
  evolve: {
    PaymentAgreed: (p, agreed) => ({ ...p, agreed }),
    PaymentOpened: (p, bill) => ({ ...p, status: 'due', bill }),
    PaymentAttempted: (p, { attempt: id, ...rest }) => {
      const last = { id, ...rest }
      return { ...p, status: 'processing', last, attempts: { ...p.attempts, [id]: last }, failure: null }
    },
    PaymentFailed: (p, { attempt, reason, intent }) => ({
      ...p,
      status: 'failed',
      failure: reason,
      open: reason === 'authentication-needed' && intent ? { ...p.open, [attempt]: intent } : p.open,
    }),
    AttemptAbandoned: (p, { attempt }) => ({ ...p, open: without(p.open, attempt) }),
    PaymentSucceeded: (p, { attempt, intent, charge, amount, tip, at }) => ({
      ...p,
      status: 'paid',
      failure: null,
      open: without(p.open, attempt),
      paid: { attempt, intent, charge, amount, tip, at },
    }),
    ChargeDoubled: (p, { charge }) => ({ ...p, doubled: { ...p.doubled, [charge]: 'kept' } }),
    DoubledChargeReturned: (p, { charge }) => ({ ...p, doubled: { ...p.doubled, [charge]: 'returned' } }),
    TransferMade: (p, { transfer: id, account, amount, netted = 0 }) => ({
      ...p,
      transfers: [...p.transfers, { id, account, amount, netted, reversed: false, owed: 0 }],
      shortfall: null,
    }),
    TransferReversed: (p, { transfer }) => ({
      ...p,
      transfers: p.transfers.map(t => (t.id === transfer ? { ...t, reversed: true } : t)),
    }),
    TransferOwed: (p, { transfer, amount }) => ({
      ...p,
      transfers: p.transfers.map(t => (t.id === transfer ? { ...t, reversed: true, owed: amount } : t)),
    }),
    ShareRefused: (p, { source, shortfall = p.shortfall }) => ({
      ...p,
      refusals: p.refusals + 1,
      drained: source ? [...p.drained, source] : p.drained,
      shortfall,
    }),
    RefundAsked: (p, { refund, amount, reason }) => ({ ...p, refunds: { ...p.refunds, [refund]: { amount, reason, state: 'asked' } } }),
    PaymentRefunded: (p, { refund, amount, reason }) => ({ ...p, refunds: { ...p.refunds, [refund]: { amount, reason, state: 'done' } } }),
    RefundFailed: (p, { refund }) => ({ ...p, refunds: { ...p.refunds, [refund]: { ...p.refunds[refund]!, state: 'failed' } } }),
    ChargebackOpened: (p, { dispute }) => ({ ...p, disputes: { ...p.disputes, [dispute]: 'open' } }),
    ChargebackClosed: (p, { dispute, outcome }) => ({ ...p, disputes: { ...p.disputes, [dispute]: outcome } }),
  },
  decide: {
    /** Binds the payment's id to a folder, before the folder is assigned. */
    agree: (p, c: Parties) => {
      if (!p.agreed && !p.bill) return { type: 'PaymentAgreed', data: c }
      const { folder, player, instructor } = (p.agreed ?? p.bill)!
      if (c.folder === folder && c.player === player && c.instructor === instructor) return []
      throw new CommandRefused('This was already assigned. Reload the page and try again.', 'assigned-before')
    },
    /** Opens the bill with the final price when feedback is delivered. */
    open: (p, bill: Bill) => (p.bill ? [] : { type: 'PaymentOpened', data: bill }),

    /** Starts an attempt: fixes the amount and the card. `total` is the price that the payer saw. */
    attempt: (p, c: Omit<PaymentAttempt, 'amount'> & { total: number }) => {
      const bill = billOf(p)
      if (p.attempts[c.id]) return []
      if (p.status === 'paid') throw new CommandRefused('This is already paid.', 'already-paid')
      if (p.status === 'processing') throw new CommandRefused('A payment is already under way. Give it a moment.', 'in-progress')
      if (c.total !== bill.total) {
        throw new CommandRefused(`The price is now ${dollars(bill.total)}. Review it before you pay.`, 'price-changed', 'total')
      }
      const { id, customer, card, tip, by, at } = c
      return { type: 'PaymentAttempted', data: { attempt: id, customer, card, amount: bill.total + tip, tip, by, at } }
    },
    abandoned: (p, { attempt }: { attempt: string }) => (p.open[attempt] ? { type: 'AttemptAbandoned', data: { attempt } } : []),
    /**
     * Records that the provider charged the card for an attempt. If another charge has already paid the bill, this one is recorded as a
     * second charge, to be refunded.
     */
    succeed: (p, c: { attempt: string; intent: string; charge: string; amount: number; at: string }) => {
      const bill = billOf(p)
      const attempt = p.attempts[c.attempt]
      if (!attempt) throw new CommandRefused('We could not find that attempt to pay.', 'unknown-attempt')
      const { attempt: id, intent, charge, amount, at } = c
      if (!p.paid)
        return { type: 'PaymentSucceeded', data: { ...parties(bill), attempt: id, intent, charge, amount, tip: attempt.tip, at } }
      if (p.paid.charge === charge || p.doubled[charge]) return []
      return { type: 'ChargeDoubled', data: { attempt: id, intent, charge, amount } }
    },
    /** Records a charge that the provider has and the log lacks, for a bill that another charge has paid. It is then refunded. */
    doubled: (p, c: { attempt: string; intent: string; charge: string; amount: number }) =>
      p.paid && p.paid.charge !== c.charge && !p.doubled[c.charge] ? { type: 'ChargeDoubled', data: c } : [],
    /** Records that an attempt failed. Records nothing if it is not the current one, or if its outcome is known already. */
    fail: (p, c: { attempt: string; reason: PaymentFailureReason; intent?: string }) =>
      p.status === 'processing' && p.last?.id === c.attempt
        ? {
            type: 'PaymentFailed',
            data: { ...parties(billOf(p)), attempt: c.attempt, reason: c.reason, intent: c.intent ?? null, by: p.last.by },
          }
        : [],
    returned: (p, { charge }: { charge: string }) =>
      p.doubled[charge] === 'kept' ? { type: 'DoubledChargeReturned', data: { charge } } : [],

    /** Records a transfer. If it is less than the share, the platform has kept the difference to reduce the instructor's debt. */
    transferred: (p, c: { transfer: string; account: string; amount: number; at: string }) => {
      if (currentTransfer(p) || p.transfers.some(t => t.id === c.transfer)) return []
      const netted = shareCentsBeforeRefundsOf(p) - c.amount
      return { type: 'TransferMade', data: { ...c, ...(netted && { netted }) } }
    },
    reversed: (p, { transfer, reversal }: { transfer: string; reversal: string }) => {
      const last = currentTransfer(p)
      return last?.id === transfer ? { type: 'TransferReversed', data: { transfer, reversal, amount: last.amount } } : []
    },
    owed: (p, c: { transfer: string; amount: number; at: string }) =>
      currentTransfer(p)?.id === c.transfer ? { type: 'TransferOwed', data: c } : [],
    shareRefused: (_, c: Extract<PaymentEvent, { type: 'ShareRefused' }>['data']) => ({ type: 'ShareRefused', data: c }),

    refund: (p, c: { refund: string; amount: number; reason: string }) => {
      const requestedRefund = p.refunds[c.refund]
      if (requestedRefund?.amount === c.amount && requestedRefund.reason === c.reason) return []
      if (requestedRefund) throw reusedRefundIdRefusal(requestedRefund)
      if (!p.paid) throw new CommandRefused('This is not paid yet, so there is nothing to refund.', 'not-paid')
      const dispute = combinedDisputeState(p.disputes)
      if (dispute === 'open')
        throw new CommandRefused('The bank is reviewing a dispute about this payment, so it cannot be refunded.', 'disputed')
      if (dispute === 'lost') throw new CommandRefused('The bank has already returned this payment.', 'disputed')
      const unrefundedAmount = p.paid.amount - refundedOrPendingCents(p)
      if (c.amount > unrefundedAmount) throw new CommandRefused(`You can refund at most ${dollars(unrefundedAmount)}.`, 'too-much', 'cents')
      return { type: 'RefundAsked', data: c }
    },
    refunded: (p, { refund }: { refund: string }) => {
      const requestedRefund = p.refunds[refund]
      if (requestedRefund?.state !== 'asked') return []
      return {
        type: 'PaymentRefunded',
        data: { ...parties(billOf(p)), refund, amount: requestedRefund.amount, reason: requestedRefund.reason },
      }
    },
    /** Brings the charge's refunds up to date with the provider's (oldest first), including those made in the provider's dashboard. */
    reconcile: (p, c: { charge: string; refunds: readonly ProviderRefund[] }): PaymentEvent[] =>
      p.paid?.charge !== c.charge
        ? []
        : missingRefundStages(p.refunds, c.charge, c.refunds).map(({ stage, ...given }) =>
            stage === 'asked'
              ? { type: 'RefundAsked', data: given }
              : stage === 'done'
                ? { type: 'PaymentRefunded', data: { ...parties(billOf(p)), ...given } }
                : { type: 'RefundFailed', data: { refund: given.refund, amount: given.amount } },
          ),
    refundFailed: (p, { refund }: { refund: string }) => {
      const requestedRefund = p.refunds[refund]
      return requestedRefund && requestedRefund.state !== 'failed'
        ? { type: 'RefundFailed', data: { refund, amount: requestedRefund.amount } }
        : []
    },

    /** Records a dispute about a charge. A second charge did not pay the bill, so its dispute does not affect the instructor's share. */
    dispute: (p, c: { charge: string; dispute: string; amount: number; status: 'open' | 'won' | 'lost' }): PaymentEvent[] =>
      p.paid?.charge !== c.charge
        ? []
        : missingDisputeStages(p.disputes, c.dispute, c.status).map(stage =>
            stage === 'opened'
              ? { type: 'ChargebackOpened', data: { dispute: c.dispute, amount: c.amount } }
              : { type: 'ChargebackClosed', data: { dispute: c.dispute, outcome: c.status as 'won' | 'lost' } },
          ),
  },
})
