import type { FolderEvent } from '../folders/folder.ts'
import { type Errand, errand, process } from '../kernel/process.ts'
import { idOf, type RecordedEvent } from '../kernel/store.ts'
import type { PurchaseEvent } from '../payments/package-purchase.ts'
import type { PaymentEvent } from '../payments/payment.ts'
import type { PayoutEvent } from '../payments/payout-account.ts'
import { CHARGE_NOTICE_DAYS, REMINDER_DAYS } from '../payments/policy.ts'
import type { AccountEvent } from '../privacy/account.ts'
import type { RatingEvent } from '../ratings/rating.ts'
import type { SupportEvent } from '../support/support-request.ts'
import { EXPIRY_NOTICE_DAYS } from '../vetting/policy.ts'
import type { VettingEvent } from '../vetting/vetting.ts'

const DAY_MS = 24 * 3600_000
const daysAfter = (iso: string, days: number) => new Date(Date.parse(iso) + days * DAY_MS).toISOString()

/** The errand of one letter. Its id depends on `due`, so that the same letter can be scheduled for several times. */
const letter = (cause: Pick<RecordedEvent, 'id'>, name: string, payload: Errand['payload'], due?: string) =>
  errand(cause, `letter.${name}`, payload, { due, key: ['letter', name, due ?? ''] })
const session = (e: Pick<RecordedEvent, 'id' | 'stream'>, name: string, assignment: string) =>
  letter(e, name, { folder: idOf(e.stream), assignment })

/** The payload of a letter about a rating, whose stream has the session's id. */
const rated = (e: Pick<RecordedEvent, 'id' | 'stream'> & { data: { folder: string } }, name: string) =>
  letter(e, name, { folder: e.data.folder, assignment: idOf(e.stream) })

/** Schedules letters. Errands hold only ids; names and addresses are looked up when a letter is sent. */
export const letterProcess = process<
  FolderEvent | PaymentEvent | PayoutEvent | PurchaseEvent | SupportEvent | VettingEvent | AccountEvent | RatingEvent
>({
  name: 'writing',
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
    // Later reminders are skipped once the bill is paid.
    PaymentOpened: e => {
      const payment = idOf(e.stream)
      const { opened, due } = e.data
      return [
        letter(e, 'payment-due', { payment }),
        ...REMINDER_DAYS.map(days => letter(e, 'payment-reminder', { payment }, daysAfter(opened, days))),
        letter(e, 'charge-coming', { payment }, daysAfter(due, -CHARGE_NOTICE_DAYS)),
      ]
    },
    PaymentSucceeded: e => letter(e, 'receipt', { payment: idOf(e.stream) }),
    PaymentFailed: e => letter(e, 'payment-failed', { payment: idOf(e.stream), attempt: e.data.attempt, reason: e.data.reason }),
    PaymentRefunded: e => letter(e, 'refunded', { payment: idOf(e.stream), refund: e.data.refund }),
    PackageBought: e => letter(e, 'package-receipt', { purchase: idOf(e.stream) }),
    PackageRefunded: e => letter(e, 'package-refunded', { purchase: idOf(e.stream), refund: e.data.refund }),
    // A share can be held again after its release. The errand's id is derived from the payment, so there is only one letter.
    ShareHeld: e => letter({ id: e.data.payment }, 'share-held', { payment: e.data.payment }),
    InstructorApproved: e => letter(e, 'instructor-approved', { instructor: idOf(e.stream) }),
    InstructorDeclined: e => letter(e, 'instructor-declined', { instructor: idOf(e.stream) }),
    InstructorSuspended: e => letter(e, 'instructor-suspended', { instructor: idOf(e.stream) }),
    InstructorReinstated: e => letter(e, 'instructor-reinstated', { instructor: idOf(e.stream) }),
    CheckRecorded: e => {
      const { check, expires } = e.data
      if (expires === null) return []
      const due = daysAfter(`${expires}T12:00:00.000Z`, -EXPIRY_NOTICE_DAYS)
      return letter(e, 'check-expiring', { instructor: idOf(e.stream), check, expires }, due)
    },
    ExportMade: e => {
      const { until, guardian } = e.data
      return letter(e, 'export-ready', { user: idOf(e.stream), until, ...(guardian && { guardian }) })
    },
    // With a cause there is no letter: the guardian learned of the deletion when they refused, and nobody can undo it.
    DeletionScheduled: e => {
      const { due, cause, guardian } = e.data
      return cause ? [] : letter(e, 'deletion-scheduled', { user: idOf(e.stream), due, ...(guardian && { guardian }) })
    },
    SupportAnswered: e => letter(e, 'support-answered', { request: idOf(e.stream) }),
  },
})
