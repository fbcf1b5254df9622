import type postgres from 'postgres'
import { derivedId, handleCommand, systemCommandSource } from '../kernel/decider.ts'
import { type Errand, errand } from '../kernel/process.ts'
import { purchaseDecider } from './package-purchase.ts'
import { paymentDecider } from './payment.ts'
import { type PaymentDependencies, recordChargeSuccess } from './perform-charge-attempts.ts'
import { reconcileRefunds } from './perform-refunds.ts'
import { recordPackageSale } from './record-package-sale-and-perform-refund.ts'
import { refreshPayoutAccount } from './refresh-payout-account.ts'
import type { WebhookNotice } from './stripe/webhook-verification.ts'
import { saveCardFromHostedPage } from './stripe-customer-and-saved-cards.ts'

/**
 * The type of a webhook and the id of its object. The handler fetches the object's current state and does not rely on the webhook's copy.
 */
export type StripeNoticePayload = Pick<WebhookNotice, 'type'> & { object: string }

type Post = (db: postgres.ISql, errands: Errand[]) => Promise<unknown>

/** Records a webhook and schedules its work in one transaction. Idempotent. */
export async function recordStripeWebhook(sql: postgres.Sql, post: Post, notice: WebhookNotice, now: Date): Promise<void> {
  await sql.begin(async tx => {
    const rows = await tx`insert into stripe_notices (id, type, received) values (${notice.id}, ${notice.type}, ${now})
      on conflict do nothing returning id`
    if (!rows.length || !handlers.has(notice.type)) return
    const payload = { type: notice.type, object: notice.object.id } satisfies StripeNoticePayload
    await post(tx, [errand({ id: 'stripe' }, 'stripe.notice', payload, { key: [notice.id] })])
  })
}

type NoticeHandler = (
  deps: PaymentDependencies,
  object: string,
  whose: { instructorOf(account: string): Promise<string | undefined> },
) => Promise<unknown>

/**
 * Records that a charge succeeded and returns the payment or package that it paid; null if the charge is not ours or is unpaid. Recording
 * the success here is necessary because the webhook for a refund may arrive before the one for its charge.
 */
async function recordSuccessAndFindPaidItem(
  deps: PaymentDependencies,
  charge: string,
): Promise<{ payment: string } | { purchase: string } | null> {
  const { id, payment, attempt, intent, paid, amount } = await deps.gateway.fetchCharge(charge)
  if (!intent || !paid) return null
  if (payment && attempt) {
    await recordChargeSuccess(deps, payment, attempt, { intent, charge: id, amount })
    return { payment }
  }
  const session = payment ? null : await deps.gateway.saleOf(intent)
  const booked = session && (await recordPackageSale(deps, session))
  return booked ? { purchase: booked.purchase } : null
}

const settlePaidIntent: NoticeHandler = async (deps, intent) => {
  const outcome = await deps.gateway.outcomeOfIntent(intent)
  if (outcome.outcome === 'succeeded') await recordSuccessAndFindPaidItem(deps, outcome.charge)
}
const recordRefund: NoticeHandler = async (deps, charge) => {
  const paidItem = await recordSuccessAndFindPaidItem(deps, charge)
  if (!paidItem) return
  if ('payment' in paidItem) return reconcileRefunds(deps, paidItem.payment, charge)
  const refunds = await deps.gateway.refundsOf(charge)
  await handleCommand(deps.store, purchaseDecider, paidItem.purchase, 'reconcile', { charge, refunds }, systemCommandSource())
}
const recordRefundChange: NoticeHandler = async (deps, refund, whose) =>
  recordRefund(deps, await deps.gateway.chargeOfRefund(refund), whose)
const recordDispute: NoticeHandler = async (deps, id) => {
  const { charge, amount, status } = await deps.gateway.fetchDispute(id)
  const paidItem = await recordSuccessAndFindPaidItem(deps, charge)
  if (!paidItem) return
  const disputeReport = { dispute: id, amount, status }
  const meta = systemCommandSource(derivedId(id, 'dispute', status))
  if ('payment' in paidItem)
    await handleCommand(deps.store, paymentDecider, paidItem.payment, 'dispute', { charge, ...disputeReport }, meta)
  else await handleCommand(deps.store, purchaseDecider, paidItem.purchase, 'dispute', disputeReport, meta)
}
const finishHostedPage: NoticeHandler = async (deps, session) =>
  (await saveCardFromHostedPage(deps, session)) ?? recordPackageSale(deps, session)
const refreshChangedAccount: NoticeHandler = async (deps, account, whose) => {
  // The read model may not know a new account yet; its metadata names the instructor, too.
  const instructor = (await whose.instructorOf(account)) ?? (await deps.gateway.instructorIdOfPayoutAccount(account))
  if (!instructor) return
  const recorded = await refreshPayoutAccount(deps.store, deps.gateway, instructor)
  // The webhook can arrive before the append that records the account. The outbox then retries.
  if (!recorded.account) throw new Error(`the payout account ${account} of ${instructor} is not recorded yet`)
}

const handlers = new Map<string, NoticeHandler>([
  ['payment_intent.succeeded', settlePaidIntent],
  ['charge.refunded', recordRefund],
  ['refund.updated', recordRefundChange],
  ['refund.failed', recordRefundChange],
  ['charge.dispute.created', recordDispute],
  ['charge.dispute.updated', recordDispute],
  ['charge.dispute.closed', recordDispute],
  ['checkout.session.completed', finishHostedPage],
  ['checkout.session.async_payment_succeeded', finishHostedPage],
  ['account.updated', refreshChangedAccount],
  ['v2.core.account[configuration.recipient].capability_status_updated', refreshChangedAccount],
  ['v2.core.account[requirements].updated', refreshChangedAccount],
])

/** The webhook types that we handle. Stripe must be set up to send all of them. */
export const HANDLED_STRIPE_WEBHOOK_TYPES: readonly string[] = [...handlers.keys()]

/** Handles a recorded webhook by fetching the current state of its object from the provider. */
export async function processRecordedStripeWebhook(
  deps: PaymentDependencies,
  { type, object }: StripeNoticePayload,
  whose: Parameters<NoticeHandler>[2],
): Promise<void> {
  await handlers.get(type)?.(deps, object, whose)
}
