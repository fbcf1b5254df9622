import { bySystem, derivedId, handle } from '../kernel/decider.ts'
import { releaseCard } from './cards.ts'
import { chargeOverdue, loadPayment, type PaymentDeps, recheckFailedAttempt, settleAttempt } from './charge.ts'
import { type CreditsTakenOf, refundPackage } from './packages.ts'
import { payment } from './payment.ts'
import { readAccount } from './payouts.ts'
import { CHARGE_AFTER_DAYS } from './policy.ts'
import { type Billable, FULL_PRICE_TERMS, price, type Terms } from './pricing.ts'
import { refundPayment, returnDoubledCharge } from './refunds.ts'
import { settleShare } from './share.ts'
import { handleNotice, type NoticePayload } from './webhooks.ts'

interface Delivered {
  payment: string
  folder: string
  player: string
  instructor: string
  billable: Billable
  terms: Terms | null
  opened: string
}

/** Feedback was given: the bill, with the terms that were settled when it was assigned. */
async function open({ store }: PaymentDeps, { payment: id, billable, terms, opened, ...parties }: Delivered) {
  const due = new Date(Date.parse(opened) + CHARGE_AFTER_DAYS * 24 * 3600_000).toISOString()
  const purchase = terms?.purchase
  const bill = { ...parties, ...price({ billable, terms: terms ?? FULL_PRICE_TERMS }), opened, due, ...(purchase && { purchase }) }
  await handle(store, payment, id, 'open', bill, bySystem(derivedId(id, 'open')))
}

/** What others know: whose a payout account is, and what a refund took of a package's folders. */
interface Elsewhere {
  instructorOf(account: string): Promise<string | undefined>
  taken: CreditsTakenOf
}

/** What the errands of `charging` do. Each may be done twice, late, or at the same time as another. */
export const paymentErrands = (till: PaymentDeps, elsewhere: Elsewhere) => ({
  'payment.open': (p: Delivered) => open(till, p),
  'payment.collect': (p: { payment: string }) => chargeOverdue(till, p.payment),
  'payment.settle': async (p: { payment: string; attempt: string }) => {
    await settleAttempt(till, p.payment, p.attempt)
  },
  'payment.look': (p: { payment: string; attempt: string; intent: string }) => recheckFailedAttempt(till, p.payment, p.attempt, p.intent),
  'payment.share': (p: { payment: string }) => settleShare(till, p.payment),
  'payment.refund': (p: { payment: string; refund: string }) => refundPayment(till, p.payment, p.refund),
  'payment.return': (p: { payment: string; charge: string; amount: number }) => returnDoubledCharge(till, p.payment, p.charge, p.amount),
  'package.refund': (p: { purchase: string; refund: string }) => refundPackage(till, p.purchase, p.refund, elsewhere.taken),
  'card.release': async (p: { assignment: string }) => {
    const player = (await loadPayment(till.store, p.assignment)).agreed?.player
    if (player) await releaseCard(till.store, player, p.assignment)
  },
  'card.remove': (p: { card: string }) => till.gateway.removeCard(p.card),
  'payout.read': async (p: { instructor: string }) => {
    await readAccount(till.store, till.gateway, p.instructor)
  },
  'stripe.notice': (p: NoticePayload) => handleNotice(till, p, elsewhere),
})
