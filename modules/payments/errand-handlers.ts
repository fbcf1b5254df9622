import { v7 as newId } from 'uuid'
import { addDays } from '../dates.ts'
import { derivedId, handleCommand, systemCommandSource } from '../kernel/decider.ts'
import type { EventStore } from '../kernel/store.ts'
import { allowanceDecider } from './allowance.ts'
import { recordMissingChargesOfPayment } from './find-and-record-missing-charges.ts'
import { isAssignmentInEffect } from './is-assignment-in-effect.ts'
import { paymentDecider } from './payment.ts'
import {
  chargeOverdueBill,
  loadPayment,
  type PayerLookup,
  type PaymentDependencies,
  performChargeAttempt,
  recheckFailedAttempt,
} from './perform-charge-attempts.ts'
import { performRequestedRefund, refundDuplicateCharge } from './perform-refunds.ts'
import { CHARGE_AFTER_DAYS } from './policy.ts'
import { type BillableQuantities, calculatePrice, FULL_PRICE_TERMS, type PriceTerms } from './pricing.ts'
import { performRequestedPackageRefund, type RevokeRefundedCredits } from './record-package-sale-and-perform-refund.ts'
import { refreshPayoutAccount } from './refresh-payout-account.ts'
import { settleInstructorShare } from './share.ts'
import { unblockLastCardRemoval } from './stripe-customer-and-saved-cards.ts'
import { processRecordedStripeWebhook, type StripeNoticePayload } from './webhooks.ts'

interface Delivered {
  payment: string
  folder: string
  player: string
  instructor: string
  billable: BillableQuantities
  terms: PriceTerms | null
  opened: string
}

/** Opens the bill when feedback is delivered, with the price terms of the assignment. */
async function open({ store }: PaymentDependencies, { payment: id, billable, terms, opened, ...parties }: Delivered) {
  const due = addDays(new Date(opened), CHARGE_AFTER_DAYS).toISOString()
  const { purchase, payer } = terms ?? {}
  const priced = calculatePrice({ billable, terms: terms ?? FULL_PRICE_TERMS })
  const bill = { ...parties, ...priced, opened, due, ...(purchase && { purchase }), ...(payer && { payer }) }
  await handleCommand(store, paymentDecider, id, 'open', bill, systemCommandSource(derivedId(id, 'open')))
}

/** Corrects how much a session counts toward the month's limit. With `attempt`, only if no later attempt to assign it was made. */
const correctAllowance = (store: EventStore, player: string, assignment: string, cents: number, attempt?: string) =>
  handleCommand(store, allowanceDecider, player, 'correct', { assignment, cents, attempt }, systemCommandSource(newId()))

/** What other modules do for this one: look up the payer of a player and the owner of a payout account, and revoke refunded folders. */
interface Elsewhere {
  payerOf: PayerLookup
  /** Everybody whose last card an assignment by this player may have locked against removal. */
  currentAndFormerPayersOf(player: string): Promise<string[]>
  instructorOf(account: string): Promise<string | undefined>
  revokeRefundedFolders: RevokeRefundedCredits
}

/**
 * The handlers for the errands of `paymentProcess`, except `folder.paid`, and of Stripe's webhooks. Each may run twice, late, or
 * concurrently with another.
 */
export const paymentErrandHandlers = (deps: PaymentDependencies, elsewhere: Elsewhere) => ({
  'payment.open': (p: Delivered) => open(deps, p),
  'payment.collect': async (p: { payment: string }) => {
    await recordMissingChargesOfPayment(deps, p.payment)
    await chargeOverdueBill(deps, p.payment, elsewhere.payerOf)
  },
  'payment.settle': async (p: { payment: string; attempt: string }) => {
    await performChargeAttempt(deps, p.payment, p.attempt)
  },
  'payment.look': (p: { payment: string; attempt: string; intent: string }) => recheckFailedAttempt(deps, p.payment, p.attempt, p.intent),
  'payment.share': (p: { payment: string }) => settleInstructorShare(deps, p.payment),
  'payment.refund': (p: { payment: string; refund: string }) => performRequestedRefund(deps, p.payment, p.refund),
  'payment.return': (p: { payment: string; charge: string; amount: number }) => refundDuplicateCharge(deps, p.payment, p.charge, p.amount),
  'package.refund': (p: { purchase: string; refund: string }) =>
    performRequestedPackageRefund(deps, p.purchase, p.refund, elsewhere.revokeRefundedFolders),
  'card.release': async (p: { assignment: string }) => {
    const player = (await loadPayment(deps.store, p.assignment)).agreed?.player
    if (!player) return
    for (const owner of await elsewhere.currentAndFormerPayersOf(player)) await unblockLastCardRemoval(deps.store, owner, p.assignment)
    await correctAllowance(deps.store, player, p.assignment, 0)
  },
  'allowance.correct': (p: { player: string; assignment: string; cents: number }) =>
    correctAllowance(deps.store, p.player, p.assignment, p.cents),
  /**
   * By now this attempt to assign has either succeeded or failed; a failed one does not count toward the limit. If there was a newer
   * attempt, that attempt's own errand checks instead.
   */
  'allowance.check': async (p: { player: string; folder: string; assignment: string; attempt?: string }) => {
    const { player, folder, assignment, attempt } = p
    if (!(await isAssignmentInEffect(deps.store, folder, assignment))) await correctAllowance(deps.store, player, assignment, 0, attempt)
  },
  'card.remove': (p: { card: string }) => deps.gateway.removeCard(p.card),
  'payout.read': async (p: { instructor: string }) => {
    await refreshPayoutAccount(deps.store, deps.gateway, p.instructor)
  },
  'stripe.notice': (p: StripeNoticePayload) => processRecordedStripeWebhook(deps, p, elsewhere),
})
