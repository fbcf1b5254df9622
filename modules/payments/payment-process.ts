import type { FolderEvent } from '../folders/folder.ts'
import { type Errand, errand, eventProcess } from '../kernel/process.ts'
import { idOfStream, type RecordedEvent } from '../kernel/store.ts'
import type { AllowanceEvent } from './allowance.ts'
import type { PurchaseEvent } from './package-purchase.ts'
import type { PaymentEvent } from './payment.ts'
import type { PayoutAccountOrDebtEvent } from './payout-account-and-debt-decider.ts'
import { UNUSED_ALLOWANCE_RELEASE_DELAY_MINUTES } from './policy.ts'
import type { WalletEvent } from './wallet.ts'

const MINUTE_MS = 60_000
const later = (iso: string, milliseconds: number) => new Date(Date.parse(iso) + milliseconds).toISOString()
/**
 * The errand's key contains payload and time, because an event may cause several errands of a kind: one for each held payment, or two at
 * different times.
 */
const step = (cause: { id: string }, kind: string, payload: Errand['payload'], due?: string) =>
  errand(cause, kind, payload, { due, key: [kind, JSON.stringify(payload), due ?? ''] })

/** Schedules the check whether the folder was assigned. By the time it runs, the attempt to assign has certainly ended. */
function checkAllowance(
  e: Pick<RecordedEvent, 'id' | 'at'> & { data: { assignment: string; folder: string; player: string; attempt?: string } },
) {
  const { assignment, folder, player, attempt } = e.data
  const due = later(e.at, UNUSED_ALLOWANCE_RELEASE_DELAY_MINUTES * MINUTE_MS)
  return step(e, 'allowance.check', { assignment, folder, player, ...(attempt && { attempt }) }, due)
}

/** The payment process: feedback → bill → charge → the instructor's share. `errand-handlers.ts` has the handlers. */
export const paymentProcess = eventProcess<
  AllowanceEvent | FolderEvent | PaymentEvent | PayoutAccountOrDebtEvent | PurchaseEvent | WalletEvent
>({
  name: 'charging',
  startsFrom: 'beginning',
  on: {
    FeedbackGiven: e => {
      const { assignment: payment, player, instructor, billable, terms } = e.data
      return step(e, 'payment.open', { payment, folder: idOfStream(e.stream), player, instructor, billable, terms, opened: e.at })
    },
    // A withdrawn or declined assignment needs no card and does not count toward the limit.
    AssignmentWithdrawn: e => step(e, 'card.release', { assignment: e.data.assignment }),
    AssignmentDeclined: e => step(e, 'card.release', { assignment: e.data.assignment }),
    PaymentOpened: e => [
      step(e, 'payment.collect', { payment: idOfStream(e.stream) }, e.data.due),
      // From now on the bill counts toward the month's limit instead of the maximum price.
      ...(e.data.payer
        ? [step(e, 'allowance.correct', { assignment: idOfStream(e.stream), player: e.data.player, cents: e.data.total })]
        : []),
    ],
    SpendingCounted: checkAllowance,
    SpendingKept: checkAllowance,
    // The request that started the attempt usually completes it; this errand does if the request was interrupted.
    PaymentAttempted: e =>
      step(e, 'payment.settle', { payment: idOfStream(e.stream), attempt: e.data.attempt }, later(e.at, MINUTE_MS / 2)),
    // A failed attempt may still be paid on the bank's page, and its webhook may be lost.
    PaymentFailed: e =>
      e.data.reason === 'authentication-needed' && e.data.intent
        ? [2, 60].map(minutes =>
            step(
              e,
              'payment.look',
              { payment: idOfStream(e.stream), attempt: e.data.attempt, intent: e.data.intent },
              later(e.at, minutes * MINUTE_MS),
            ),
          )
        : [],
    PaymentSucceeded: e => {
      const payment = idOfStream(e.stream)
      return [step(e, 'folder.paid', { folder: e.data.folder, assignment: payment }), step(e, 'payment.share', { payment })]
    },
    ChargeDoubled: e => step(e, 'payment.return', { payment: idOfStream(e.stream), charge: e.data.charge, amount: e.data.amount }),
    // A refund or a chargeback may have happened while the transfer was in progress.
    TransferMade: e => step(e, 'payment.share', { payment: idOfStream(e.stream) }),
    TransferReversed: e => step(e, 'payment.share', { payment: idOfStream(e.stream) }),
    TransferOwed: e => step(e, 'payment.share', { payment: idOfStream(e.stream) }),
    RefundAsked: e => [
      step(e, 'payment.refund', { payment: idOfStream(e.stream), refund: e.data.refund }),
      step(e, 'payment.share', { payment: idOfStream(e.stream) }),
    ],
    RefundFailed: e => step(e, 'payment.share', { payment: idOfStream(e.stream) }),
    ChargebackClosed: e => step(e, 'payment.share', { payment: idOfStream(e.stream) }),
    PackageRefundAsked: e => step(e, 'package.refund', { purchase: idOfStream(e.stream), refund: e.data.refund }),
    CardRemoved: e => step(e, 'card.remove', { card: e.data.card }),
    // An older response of the provider may have been recorded after a newer one, so an account that is not ready is checked again.
    PayoutAccountChanged: e => [
      ...e.data.released.map(payment => step(e, 'payment.share', { payment })),
      ...(e.data.ready ? [] : [step(e, 'payout.read', { instructor: idOfStream(e.stream) }, later(e.at, 5 * MINUTE_MS))]),
    ],
  },
})
