import { formatCents } from '../format-cents-and-counts.ts'
import { decider } from '../kernel/decider.ts'
import { CommandRefused } from '../kernel/store.ts'
import { CENTS_TRANSFERRED_DESPITE_DEBT } from './policy.ts'

/** Stream `payout-<instructor>`. */
export type PayoutAccountOrDebtEvent =
  | { type: 'PayoutAccountOpened'; data: { account: string } }
  /** `released`: payments whose held share is transferred now. `requirements`: the provider's names for missing information. */
  | { type: 'PayoutAccountChanged'; data: { ready: boolean; submitted: boolean; requirements: string[]; released: string[] } }
  /** The instructor cannot be paid yet, so the share is held. */
  | { type: 'ShareHeld'; data: { payment: string } }
  /** The instructor received `amount` cents too much with the `nth` transfer of a payment, so they owe them. */
  | { type: 'DebtIncurred'; data: { payment: string; nth: number; amount: number } }
  /** `amount` cents of the share were withheld from the `nth` transfer of a payment, to reduce the debt. */
  | { type: 'DebtNetted'; data: { payment: string; nth: number; amount: number } }
  /** An administrator decided that the instructor need not pay back `amount` cents. */
  | { type: 'DebtWaived'; data: { waiver: string; amount: number; reason: string; at: string } }

/** A part of a debt that an administrator waived: cents, and an ISO time. */
export interface DebtWaiver {
  amount: number
  reason: string
  at: string
}

export interface InstructorPayouts {
  account: string | null
  ready: boolean
  submitted: boolean
  requirements: string[]
  /** Payments whose share is held. */
  held: string[]
  /**
   * By transfer (see `keyOf`): cents that the instructor received in excess and owes back; negative: cents that the platform withheld to
   * reduce the debt. The sum minus `waivedCents` is the debt.
   */
  excess: Record<string, number>
  /**
   * How many cents of the debt are waived. Never more than the debt; otherwise a debt that is repaid in another way would leave a credit
   * for later debts.
   */
  waivedCents: number
  /** All waivers by their ids, in order. */
  waivers: Record<string, DebtWaiver>
}

/** Identifies a transfer: the nth of a payment, counted from 1. */
interface NthTransfer {
  payment: string
  nth: number
}
const keyOf = ({ payment, nth }: NthTransfer) => `${payment} ${nth}`
const sumOf = (excess: Record<string, number>) => Object.values(excess).reduce((all, cents) => all + cents, 0)
function withExcess(a: InstructorPayouts, of: NthTransfer, change: number): InstructorPayouts {
  const excess = { ...a.excess, [keyOf(of)]: (a.excess[keyOf(of)] ?? 0) + change }
  return { ...a, excess, waivedCents: Math.max(0, Math.min(a.waivedCents, sumOf(excess))) }
}

/** Cents that the instructor owes the platform. */
export const debtCentsOfPayoutState = (a: InstructorPayouts) => sumOf(a.excess) - a.waivedCents
/** The waivers of the debt, newest first. */
export const debtWaiversOf = (a: InstructorPayouts) => Object.values(a.waivers).sort((one, other) => other.at.localeCompare(one.at))
/** Cents of the share withheld from this transfer to reduce the instructor's debt; negative if the transfer itself added to the debt. */
export const recordedWithheldCents = (a: InstructorPayouts, of: NthTransfer) => -(a.excess[keyOf(of)] ?? 0)

export const payoutStatus = (a: InstructorPayouts): 'none' | 'started' | 'ready' => (a.ready ? 'ready' : a.account ? 'started' : 'none')

/** An instructor's payout account. Shares are held and released in the same stream, so that none is lost in between. */
export const payoutAccountAndDebtDecider = decider<InstructorPayouts, PayoutAccountOrDebtEvent>()({
  stream: 'payout',
  initial: { account: null, ready: false, submitted: false, requirements: [], held: [], excess: {}, waivedCents: 0, waivers: {} },
  evolve: {
    PayoutAccountOpened: (a, { account }) => ({ ...a, account }),
    PayoutAccountChanged: (a, { ready, submitted, requirements, released }) => ({
      ...a,
      ready,
      submitted,
      requirements,
      held: a.held.filter(p => !released.includes(p)),
    }),
    ShareHeld: (a, { payment }) => ({ ...a, held: [...a.held, payment] }),
    DebtIncurred: (a, { amount, ...of }) => withExcess(a, of, amount),
    DebtNetted: (a, { amount, ...of }) => withExcess(a, of, -amount),
    DebtWaived: (a, { waiver, ...waived }) => ({
      ...a,
      waivedCents: a.waivedCents + waived.amount,
      waivers: { ...a.waivers, [waiver]: waived },
    }),
  },
  decide: {
    open: (a, { account }: { account: string }) => (a.account ? [] : { type: 'PayoutAccountOpened', data: { account } }),
    /** Records the provider's current status of the account. */
    change: (a, c: { ready: boolean; submitted: boolean; requirements: string[] }) => {
      const same = a.ready === c.ready && a.submitted === c.submitted && a.requirements.join() === c.requirements.join()
      if (!a.account || same) return []
      return { type: 'PayoutAccountChanged', data: { ...c, released: c.ready ? a.held : [] } }
    },
    /** Holds a payment's share. Records nothing if the account is ready, because the share can then be transferred. */
    hold: (a, { payment }: { payment: string }) => (a.ready || a.held.includes(payment) ? [] : { type: 'ShareHeld', data: { payment } }),
    /** Decides, once for each transfer and before it is made, how many cents of the share are withheld to reduce the debt. */
    net: (a, { share, ...of }: NthTransfer & { share: number }) => {
      const amount = Math.min(debtCentsOfPayoutState(a), share - CENTS_TRANSFERRED_DESPITE_DEBT)
      return recordedWithheldCents(a, of) !== 0 || amount <= 0 ? [] : { type: 'DebtNetted', data: { ...of, amount } }
    },
    /** An administrator waives a debt, or a part of it. @throws CommandRefused `debt-changed` if the instructor now owes less */
    waive: (a, waived: DebtWaiver & { waiver: string }) => {
      if (a.waivers[waived.waiver]) return []
      const debt = debtCentsOfPayoutState(a)
      if (waived.amount > debt)
        throw new CommandRefused(
          debt > 0 ? `They now owe only ${formatCents(debt)}. Check the amount.` : 'They no longer owe anything.',
          'debt-changed',
          'cents',
        )
      return { type: 'DebtWaived', data: waived }
    },
    /** Sets how many cents too much the instructor has received with a transfer; negative for withheld cents. */
    settle: (a, { cents, ...of }: NthTransfer & { cents: number }) => {
      const change = cents + recordedWithheldCents(a, of)
      if (change === 0) return []
      return change > 0
        ? { type: 'DebtIncurred', data: { ...of, amount: change } }
        : { type: 'DebtNetted', data: { ...of, amount: -change } }
    },
  },
})
