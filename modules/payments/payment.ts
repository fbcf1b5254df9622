import { decider } from '../kernel/decider.ts'
import { Refused } from '../kernel/store.ts'
import type { FailureReason } from './contract.ts'
import type { Item } from './pricing.ts'

/** The card an attempt was made with: enough to name it to its owner. */
export interface UsedCard {
  id: string
  brand: string
  last4: string
}
/** Whose payment it is: in the events that other processes answer. */
interface Parties {
  folder: string
  player: string
  instructor: string
}

/** Stream `payment-<assignment>`. Cents; times ISO. The ids of the provider are kept, never what identifies a person. */
export type PaymentEvent =
  /** An assignment's id is a payment's id, chosen by a client: this binds it to one folder, for ever. */
  | { type: 'PaymentAgreed'; data: Parties }
  | { type: 'PaymentOpened'; data: Parties & { items: Item[]; total: number; share: number; opened: string; due: string } }
  | {
      type: 'PaymentAttempted'
      data: { attempt: string; customer: string; card: UsedCard; amount: number; tip: number; by: By; at: string }
    }
  | { type: 'PaymentFailed'; data: Parties & { attempt: string; reason: FailureReason; intent: string | null; by: By } }
  /** Its intent can never be paid anymore, so another card may be charged. */
  | { type: 'AttemptAbandoned'; data: { attempt: string } }
  | {
      type: 'PaymentSucceeded'
      data: Parties & { attempt: string; intent: string; charge: string; amount: number; tip: number; at: string }
    }
  /** A second charge for what was paid already: it goes back at once. */
  | { type: 'ChargeDoubled'; data: { attempt: string; intent: string; charge: string; amount: number } }
  | { type: 'DoubledChargeReturned'; data: { charge: string } }
  | { type: 'TransferMade'; data: { transfer: string; account: string; amount: number; at: string } }
  | { type: 'TransferReversed'; data: { transfer: string; reversal: string; amount: number } }
  | { type: 'RefundAsked'; data: { refund: string; amount: number; reason: string } }
  | { type: 'PaymentRefunded'; data: Parties & { refund: string; amount: number; reason: string } }
  | { type: 'RefundFailed'; data: { refund: string; amount: number } }
  /** While the bank decides, nothing is passed on. */
  | { type: 'ChargebackOpened'; data: { dispute: string; amount: number } }
  | { type: 'ChargebackClosed'; data: { dispute: string; outcome: 'won' | 'lost' } }

/** Who tried: the player, or the seven days that were over. */
export type By = 'player' | 'schedule'

export interface Attempt {
  id: string
  customer: string
  card: UsedCard
  amount: number
  tip: number
  by: By
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
  items: Item[]
  total: number
  share: number
  opened: string
  due: string
}

export interface Payment {
  /** Of the charge alone; refunds and chargebacks are told apart below. */
  status: 'none' | 'due' | 'processing' | 'failed' | 'paid'
  agreed: Parties | null
  bill: Bill | null
  /** Every attempt by its id; the last one is `last`. */
  attempts: Record<string, Attempt>
  last: Attempt | null
  failure: FailureReason | null
  /** Intents by attempt that failed for want of authentication: the bank's page may still turn them into money. */
  open: Record<string, string>
  paid: Paid | null
  doubled: Record<string, 'kept' | 'returned'>
  refunds: Record<string, { amount: number; reason: string; state: 'asked' | 'done' | 'failed' }>
  transfer: { id: string; account: string; amount: number; reversed: boolean } | null
  dispute: { id: string; state: 'open' | 'won' | 'lost' } | null
}

const initial: Payment = {
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
  transfer: null,
  dispute: null,
}

const sumOf = (p: Payment, states: string[]) =>
  Object.values(p.refunds).reduce((all, r) => all + (states.includes(r.state) ? r.amount : 0), 0)
/** Cents that went back to the player, or are on their way. */
export const refunded = (p: Payment) => sumOf(p, ['asked', 'done'])

/** Cents the instructor is to have by now: nothing of what went back whole, and nothing new while the bank decides. */
export function shareOf(p: Payment): number {
  if (!p.paid || !p.bill || refunded(p) >= p.paid.amount || p.dispute?.state === 'lost') return 0
  if (p.dispute?.state === 'open') return p.transfer?.amount ?? 0
  return p.bill.share + p.paid.tip
}

const without = <T>(of: Record<string, T>, key: string) => Object.fromEntries(Object.entries(of).filter(([k]) => k !== key))
const parties = ({ folder, player, instructor }: Bill): Parties => ({ folder, player, instructor })
const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`

function billOf(p: Payment): Bill {
  if (!p.bill) throw new Refused('There is nothing to pay here.', 'not-open')
  return p.bill
}

export const payment = decider<Payment, PaymentEvent>()({
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
    TransferMade: (p, { transfer: id, account, amount }) => ({ ...p, transfer: { id, account, amount, reversed: false } }),
    TransferReversed: p => ({ ...p, transfer: p.transfer && { ...p.transfer, reversed: true } }),
    RefundAsked: (p, { refund, amount, reason }) => ({ ...p, refunds: { ...p.refunds, [refund]: { amount, reason, state: 'asked' } } }),
    PaymentRefunded: (p, { refund, amount, reason }) => ({ ...p, refunds: { ...p.refunds, [refund]: { amount, reason, state: 'done' } } }),
    RefundFailed: (p, { refund }) => ({ ...p, refunds: { ...p.refunds, [refund]: { ...p.refunds[refund]!, state: 'failed' } } }),
    ChargebackOpened: (p, { dispute }) => ({ ...p, dispute: { id: dispute, state: 'open' } }),
    ChargebackClosed: (p, { dispute, outcome }) => ({ ...p, dispute: { id: dispute, state: outcome } }),
  },
  decide: {
    /** Before a folder is assigned under this id. */
    agree: (p, c: Parties) => {
      if (!p.agreed && !p.bill) return { type: 'PaymentAgreed', data: c }
      const { folder, player, instructor } = (p.agreed ?? p.bill)!
      if (c.folder === folder && c.player === player && c.instructor === instructor) return []
      throw new Refused('This was assigned before. Reload the page and try again.', 'assigned-before')
    },
    /** Feedback was given: this is the final price. */
    open: (p, bill: Bill) => (p.bill ? [] : { type: 'PaymentOpened', data: bill }),

    /** Fixes what will be charged to which card. `total` is the price the payer saw. */
    attempt: (p, c: Omit<Attempt, 'amount'> & { total: number }) => {
      const bill = billOf(p)
      if (p.attempts[c.id]) return []
      if (p.status === 'paid') throw new Refused('This is already paid.', 'already-paid')
      if (p.status === 'processing') throw new Refused('A payment is already under way. Give it a moment.', 'in-progress')
      if (c.total !== bill.total) {
        throw new Refused(`The price is ${dollars(bill.total)} now. Look at it again before you pay.`, 'price-changed', 'total')
      }
      const { id, customer, card, tip, by, at } = c
      return { type: 'PaymentAttempted', data: { attempt: id, customer, card, amount: bill.total + tip, tip, by, at } }
    },
    abandoned: (p, { attempt }: { attempt: string }) => (p.open[attempt] ? { type: 'AttemptAbandoned', data: { attempt } } : []),
    /** The provider has the money of an attempt. */
    succeed: (p, c: { attempt: string; intent: string; charge: string; amount: number; at: string }) => {
      const bill = billOf(p)
      const attempt = p.attempts[c.attempt]
      if (!attempt) throw new Refused('This payment knows nothing of that attempt.', 'unknown-attempt')
      const { attempt: id, intent, charge, amount, at } = c
      if (!p.paid)
        return { type: 'PaymentSucceeded', data: { ...parties(bill), attempt: id, intent, charge, amount, tip: attempt.tip, at } }
      if (p.paid.charge === charge || p.doubled[charge]) return []
      return { type: 'ChargeDoubled', data: { attempt: id, intent, charge, amount } }
    },
    /** The provider said no to the attempt under way. */
    fail: (p, c: { attempt: string; reason: FailureReason; intent?: string }) =>
      p.status === 'processing' && p.last?.id === c.attempt
        ? {
            type: 'PaymentFailed',
            data: { ...parties(billOf(p)), attempt: c.attempt, reason: c.reason, intent: c.intent ?? null, by: p.last.by },
          }
        : [],
    returned: (p, { charge }: { charge: string }) =>
      p.doubled[charge] === 'kept' ? { type: 'DoubledChargeReturned', data: { charge } } : [],

    transferred: (p, c: { transfer: string; account: string; amount: number; at: string }) =>
      p.transfer ? [] : { type: 'TransferMade', data: c },
    reversed: (p, { reversal }: { reversal: string }) =>
      !p.transfer || p.transfer.reversed
        ? []
        : { type: 'TransferReversed', data: { transfer: p.transfer.id, reversal, amount: p.transfer.amount } },

    refund: (p, c: { refund: string; amount: number; reason: string }) => {
      const asked = p.refunds[c.refund]
      if (asked?.amount === c.amount && asked.reason === c.reason) return []
      if (asked)
        throw new Refused(`${dollars(asked.amount)} went back with this request before. Reload the page to see it.`, 'refund-asked')
      if (!p.paid) throw new Refused('This is not paid yet, so there is nothing to give back.', 'not-paid')
      if (p.dispute && p.dispute.state !== 'won')
        throw new Refused('The bank decides about this payment now. It cannot be refunded.', 'disputed')
      const left = p.paid.amount - refunded(p)
      if (c.amount > left) throw new Refused(`At most ${dollars(left)} can be given back.`, 'too-much', 'cents')
      return { type: 'RefundAsked', data: c }
    },
    refunded: (p, { refund }: { refund: string }) => {
      const asked = p.refunds[refund]
      if (asked?.state !== 'asked') return []
      return { type: 'PaymentRefunded', data: { ...parties(billOf(p)), refund, amount: asked.amount, reason: asked.reason } }
    },
    /** What was given back in all, as the provider has it: what we did not ask for was done there. */
    refundedOutside: (p, { charge, amount }: { charge: string; amount: number }) => {
      const more = amount - refunded(p)
      if (p.paid?.charge !== charge || more <= 0) return []
      const given = { refund: `${charge}-${amount}`, amount: more, reason: 'Refunded at the payment provider' }
      return [
        { type: 'RefundAsked', data: given },
        { type: 'PaymentRefunded', data: { ...parties(billOf(p)), ...given } },
      ]
    },
    refundFailed: (p, { refund }: { refund: string }) => {
      const asked = p.refunds[refund]
      return asked && asked.state !== 'failed' ? { type: 'RefundFailed', data: { refund, amount: asked.amount } } : []
    },

    /** What the bank says about a charge its customer disputes. */
    dispute: (p, c: { dispute: string; amount: number; status: 'open' | 'won' | 'lost' }) => {
      if (!p.paid) return []
      const events: PaymentEvent[] = []
      const known = p.dispute?.id === c.dispute ? p.dispute.state : null
      if (!known) events.push({ type: 'ChargebackOpened', data: { dispute: c.dispute, amount: c.amount } })
      if (c.status !== 'open' && (known ?? 'open') === 'open') {
        events.push({ type: 'ChargebackClosed', data: { dispute: c.dispute, outcome: c.status } })
      }
      return events
    },
  },
})
