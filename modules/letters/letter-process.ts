import { addDays } from '../dates.ts'
import type { FolderEvent } from '../folders/folder.ts'
import { type Errand, errand, eventProcess } from '../kernel/process.ts'
import { idOfStream, type RecordedEvent } from '../kernel/store.ts'
import type { PurchaseEvent } from '../payments/package-purchase.ts'
import type { PaymentEvent } from '../payments/payment.ts'
import type { PayoutAccountOrDebtEvent } from '../payments/payout-account-and-debt-decider.ts'
import { CHARGE_NOTICE_DAYS, PAYMENT_REMINDER_DAYS } from '../payments/policy.ts'
import type { AccountEvent } from '../privacy/account-exports-and-deletion-decider.ts'
import type { RatingEvent } from '../ratings/rating.ts'
import type { SupportEvent } from '../support/support-request.ts'
import { CHECK_EXPIRY_NOTICE_DAYS } from '../vetting/policy.ts'
import type { VettingEvent } from '../vetting/vetting.ts'

/**
 * How long a payer has to confirm a payment on their bank's page before a letter says that it failed. The payment process asks Stripe about
 * such a payment for the last time after 60 minutes.
 */
const BANK_CONFIRMATION_MINUTES = 65

const daysAfter = (iso: string, days: number) => addDays(new Date(iso), days).toISOString()

/** The errand of one letter. Its id depends on `due`, so that one event can schedule the same letter more than once. */
const letter = (cause: Pick<RecordedEvent, 'id'>, name: string, payload: Errand['payload'], due?: string) =>
  errand(cause, `letter.${name}`, payload, { due, key: ['letter', name, due ?? ''] })
const session = (e: Pick<RecordedEvent, 'id' | 'stream'>, name: string, assignment: string) =>
  letter(e, name, { folder: idOfStream(e.stream), assignment })

/** The errand of the letter about a failed charge. Its id does not depend on `due`, as in version 2, so that no release sends it again. */
function failedPayment(e: RecordedEvent & { data: Extract<PaymentEvent, { type: 'PaymentFailed' }>['data'] }) {
  const { attempt, reason, intent, by } = e.data
  const mayBeConfirmed = reason === 'authentication-needed' && intent !== null && by !== 'schedule'
  const due = mayBeConfirmed ? new Date(Date.parse(e.at) + BANK_CONFIRMATION_MINUTES * 60_000).toISOString() : undefined
  return { ...letter(e, 'payment-failed', { payment: idOfStream(e.stream), attempt, reason }), ...(due && { due }) }
}

/** The errand of a letter about a rating. A rating's stream has the same id as its session. */
const rated = (e: Pick<RecordedEvent, 'id' | 'stream'> & { data: { folder: string } }, name: string) =>
  letter(e, name, { folder: e.data.folder, assignment: idOfStream(e.stream) })

/** Schedules letters. Errands hold ids, but no names or addresses, which are looked up when a letter is sent. */
export const letterProcess = eventProcess<
  FolderEvent | PaymentEvent | PayoutAccountOrDebtEvent | PurchaseEvent | SupportEvent | VettingEvent | AccountEvent | RatingEvent
>({
  name: 'writing',
  version: 3,
  startsFrom: 'beginning',
  on: {
    ApprovalRequested: e => session(e, 'approval-asked', e.data.assignment),
    FolderAssigned: e => session(e, 'assigned', e.data.assignment),
    AssignmentDeclined: e => session(e, 'declined', e.data.assignment),
    FeedbackGiven: e => session(e, 'feedback-given', e.data.assignment),
    ClarificationAsked: e => session(e, 'question', e.data.assignment),
    ClarificationAnswered: e => session(e, 'answer', e.data.assignment),
    SessionRated: e => rated(e, 'session-rated'),
    RatingChanged: e => rated(e, 'session-rated'),
    RatingAnswered: e => rated(e, 'rating-answered'),
    // The reminders and the notice of the charge are skipped if the bill has been paid by then.
    PaymentOpened: e => {
      const payment = idOfStream(e.stream)
      const { opened, due } = e.data
      return [
        letter(e, 'payment-due', { payment }),
        ...PAYMENT_REMINDER_DAYS.map(days => letter(e, 'payment-reminder', { payment }, daysAfter(opened, days))),
        letter(e, 'charge-coming', { payment }, daysAfter(due, -CHARGE_NOTICE_DAYS)),
      ]
    },
    PaymentSucceeded: e => letter(e, 'receipt', { payment: idOfStream(e.stream) }),
    // The letter is skipped if the payer has confirmed, or tried again, by then.
    PaymentFailed: failedPayment,
    PaymentRefunded: e => letter(e, 'refunded', { payment: idOfStream(e.stream), refund: e.data.refund }),
    PackageBought: e => letter(e, 'package-receipt', { purchase: idOfStream(e.stream) }),
    PackageRefunded: e => letter(e, 'package-refunded', { purchase: idOfStream(e.stream), refund: e.data.refund }),
    // A share can be held again after its release. The errand's id is derived from the payment, so there is only one letter.
    ShareHeld: e => letter({ id: e.data.payment }, 'share-held', { payment: e.data.payment }),
    InstructorApproved: e => letter(e, 'instructor-approved', { instructor: idOfStream(e.stream) }),
    InstructorDeclined: e => letter(e, 'instructor-declined', { instructor: idOfStream(e.stream) }),
    InstructorSuspended: e => letter(e, 'instructor-suspended', { instructor: idOfStream(e.stream) }),
    InstructorReinstated: e => letter(e, 'instructor-reinstated', { instructor: idOfStream(e.stream) }),
    CheckRecorded: e => {
      const { check, expires } = e.data
      if (expires === null) return []
      const due = daysAfter(`${expires}T12:00:00.000Z`, -CHECK_EXPIRY_NOTICE_DAYS)
      return letter(e, 'check-expiring', { instructor: idOfStream(e.stream), check, expires }, due)
    },
    ExportMade: e => {
      const { until, guardian } = e.data
      return letter(e, 'export-ready', { user: idOfStream(e.stream), until, ...(guardian && { guardian }) })
    },
    // We send a letter only if an administrator closed the account or somebody requested the deletion. A guardian who refused consent was
    // told about the deletion at that moment, and nobody can cancel a deletion that is repeated after a backup was restored.
    DeletionScheduled: e => {
      const { due, cause, guardian } = e.data
      if (cause === 'closed') return letter(e, 'account-closed', { user: idOfStream(e.stream), due })
      return cause ? [] : letter(e, 'deletion-scheduled', { user: idOfStream(e.stream), due, ...(guardian && { guardian }) })
    },
    DeletionCanceled: e => (e.data.isReopened ? letter(e, 'account-reopened', { user: idOfStream(e.stream) }) : []),
    SupportAnswered: e => letter(e, 'support-answered', { request: idOfStream(e.stream), event: e.id }),
  },
})
