import { chargeFailureCause, describeChargeFailure } from '../payments/charge-failure-messages.ts'
import type { PaymentFailureReason } from '../payments/contract.ts'
import { failedPaymentLetter } from './failed-payment.tsx'
import {
  approvalRequestLetter,
  formerGuardianBillLetter,
  guardianFailedPaymentLetter,
  guardianPackageReceiptLetter,
  guardianPaymentReceiptLetter,
  guardianPaymentReminderLetter,
  guardianRefundLetter,
  guardianUpcomingChargeLetter,
} from './guardian-money.tsx'
import { guardianFeedbackLetter } from './guardian-session-updates.tsx'
import type { LetterContent } from './letter-components.tsx'
import type { LetterBill, LetterErrand, PlayerAndInstructor } from './letter-data-source.ts'
import type { LetterSenderHelpers } from './letter-sender-helpers.ts'
import { packageReceiptLetter } from './package-receipt.tsx'
import { packageRefundLetter } from './package-refund.tsx'
import { paymentDueLetter } from './payment-due.tsx'
import { paymentReceiptLetter } from './payment-receipt.tsx'
import { paymentRefundLetter } from './payment-refund.tsx'
import { paymentReminderLetter } from './payment-reminder.tsx'
import { upcomingChargeLetter } from './upcoming-charge.tsx'

/** What letters about money call people, and the folder of a player, whose accounts were deleted. */
const FORMER_PLAYER = 'a former player'
const FORMER_INSTRUCTOR = 'a former instructor'
const DELETED_FOLDER = 'a deleted folder'

type Names = PlayerAndInstructor['names']

const isReminder = ({ kind }: LetterErrand) => kind === 'letter.payment-reminder'

/**
 * The guardian whose card was charged, or null if it was the player's. Receipts and refund letters name the card, which only its owner may
 * know, so they go to the owner, whoever agreed to pay.
 */
const chargedCardOwner = (b: LetterBill) => (b.paid ? b.paid.cardOf : b.payer)

/** Refunds of a player whose account was deleted, and with it the reasons. */
const withoutReasons = (refunds: LetterBill['refunds']): LetterBill['refunds'] =>
  Object.fromEntries(Object.entries(refunds).map(([id, refund]) => [id, { ...refund, reason: '' }]))

/** Returns the functions that send letters about money. They go to the payer: for a minor, the guardian, who gets a separate version. */
export function payerLetterSenders({ facts, sender, sendLetter, sendLetterToPlayer, playerAndInstructorOf }: LetterSenderHelpers) {
  /** The guardian's email, and what letters about this child need: both names and a link to `page`. Null if the guardian was deleted. */
  async function payingGuardian(guardian: string, player: string, page: string) {
    const person = await facts.guardian(guardian)
    return person && { email: person.email, addressee: { guardian: person.name, player, url: await facts.familyLink(guardian, page) } }
  }
  type PayingGuardian = NonNullable<Awaited<ReturnType<typeof payingGuardian>>>

  /**
   * A bill, its player, and the names in letters about it; null if there is no such bill. Letters about money go to the payer even if
   * another person's account was deleted. `player` is null if theirs was: then the names and texts that were deleted with it are replaced.
   */
  async function billWithNames(payment: string) {
    const bill = await facts.bill(payment)
    if (!bill) return null
    const [player, instructor] = await Promise.all([facts.person(bill.player), facts.person(bill.instructor)])
    const names: Names = {
      player: player?.firstName ?? FORMER_PLAYER,
      instructor: instructor ? `${instructor.firstName} ${instructor.lastName}` : FORMER_INSTRUCTOR,
    }
    return { bill: player ? bill : { ...bill, folder: DELETED_FOLDER, refunds: withoutReasons(bill.refunds) }, player, names }
  }

  /**
   * A package, its player, and the player's name in letters about it; null if there is no such package. `player` is null if their account
   * was deleted, as in `billWithNames`.
   */
  async function packageWithName(purchase: string) {
    const bought = await facts.packagePurchase(purchase)
    if (!bought) return null
    const player = await facts.person(bought.player)
    const refunds = player ? bought.refunds : withoutReasons(bought.refunds)
    return { bought: { ...bought, refunds }, player, name: player?.firstName ?? FORMER_PLAYER }
  }

  /**
   * Returns a function that sends a letter about a bill, unless it is a reminder and the recipient has turned reminders off. Players whose
   * account an administrator has closed cannot log in, so their letters offer no way to pay.
   * @param recipientOf the guardian who gets the letter, or null if it goes to the player; by default, whoever owes the payment
   */
  const payerLetter =
    <P extends { payment: string }>(
      toPlayer: (b: LetterBill & { session: string; isAccountClosed: boolean }, names: Names, payload: P) => LetterContent | null,
      toGuardian: (b: LetterBill, addressee: PayingGuardian['addressee'] & Names, payload: P) => LetterContent | null,
      recipientOf: (b: LetterBill, payload: P) => string | null = b => b.payer,
    ) =>
    async (payload: P, errand: LetterErrand) => {
      const found = await billWithNames(payload.payment)
      if (!found) return
      const { bill, names, player } = found
      const recipient = recipientOf(bill, payload)
      if (recipient === null && !player) return
      const preferences = isReminder(errand) ? await facts.preferences(recipient ?? bill.player) : null
      if (preferences && !preferences.reminders) return
      if (recipient === null) {
        const isAccountClosed = (await facts.closingReason(bill.player)) !== null
        const letter = toPlayer({ ...bill, session: payload.payment, isAccountClosed }, names, payload)
        if (letter && player) await sendLetterToPlayer(errand, player, letter, preferences?.token)
        return
      }
      // `payingGuardian` creates a link, so first check, with an empty link, whether there is a letter to send.
      if (!toGuardian(bill, { guardian: '', url: '', ...names }, payload)) return
      const guardian = await payingGuardian(recipient, names.player, `/family/money/${payload.payment}`)
      const letter = guardian && toGuardian(bill, { ...guardian.addressee, ...names }, payload)
      if (letter) await sendLetter(errand.id, guardian.email, letter, preferences?.token)
    }

  /**
   * The letter to the paying guardian, and the page that it opens: the feedback, with the bill if it is unpaid. A guardian who no longer
   * looks after the child gets only the bill, and no letter (null) if it is settled.
   */
  async function billOf(
    b: LetterBill,
    names: Names,
    payment: string,
    payer: string,
  ): Promise<{ page: string; write(addressee: PayingGuardian['addressee']): LetterContent } | null> {
    const [session, player] = await Promise.all([facts.session(b.folderId, payment), facts.person(b.player)])
    const owed = b.settled ? null : { items: b.items, total: b.total, due: b.due, timeZone: b.timeZone, card: b.saved }
    if (session?.review && session.cost?.payer === payer && player?.guardian?.id === payer) {
      const { review } = session
      return {
        page: `/family/folder/${b.folderId}?session=${payment}`,
        write: addressee => guardianFeedbackLetter({ ...session, ...addressee, ...names, review, bill: owed }, sender),
      }
    }
    return (
      owed && {
        page: `/family/money/${payment}`,
        write: addressee => formerGuardianBillLetter({ ...b, ...addressee, ...names, card: b.saved }),
      }
    )
  }

  const dueToPlayer = payerLetter(
    (b, names) => (b.settled ? null : paymentDueLetter({ ...b, ...names, card: b.saved }, sender)),
    () => null,
  )

  return {
    // Skip the letter if the guardian has answered, or the child has withdrawn the request, in the meantime.
    'letter.approval-asked': async ({ folder, assignment }: { folder: string; assignment: string }, { id }: LetterErrand) => {
      const q = await facts.approvalRequest(folder, assignment)
      const people = q && (await playerAndInstructorOf(q))
      if (!people) return
      const recipient = await payingGuardian(q.guardian, people.names.player, `/family/money/${assignment}`)
      if (recipient) await sendLetter(id, recipient.email, approvalRequestLetter({ ...q, ...recipient.addressee, ...people.names }, sender))
    },

    'letter.payment-due': async (payload: { payment: string }, errand: LetterErrand) => {
      const { payment } = payload
      const found = await billWithNames(payment)
      if (!found?.bill.payer) return dueToPlayer(payload, errand)
      const { bill, names } = found
      const letter = await billOf(bill, names, payment, found.bill.payer)
      const recipient = letter && (await payingGuardian(found.bill.payer, names.player, letter.page))
      if (recipient) await sendLetter(errand.id, recipient.email, letter.write(recipient.addressee))
    },
    'letter.payment-reminder': payerLetter(
      (b, names) => (b.settled || b.isAccountClosed ? null : paymentReminderLetter({ ...b, ...names, card: b.saved }, sender)),
      (b, addressee) => (b.settled ? null : guardianPaymentReminderLetter({ ...b, ...addressee, card: b.saved })),
    ),
    'letter.charge-coming': payerLetter(
      (b, names) => (b.settled ? null : upcomingChargeLetter({ ...b, ...names, card: b.saved }, sender)),
      (b, addressee) => (b.settled ? null : guardianUpcomingChargeLetter({ ...b, ...addressee, card: b.saved })),
    ),
    'letter.receipt': payerLetter(
      (b, names) => {
        if (!b.paid) return null
        const { amount, tip, at, number, timeZone } = b.paid
        return paymentReceiptLetter({ ...b, ...names, number, tip, paid: amount, at, timeZone, card: b.used ?? 'Card' }, sender)
      },
      (b, addressee) => {
        if (!b.paid) return null
        const { amount, tip, at, number, timeZone } = b.paid
        return guardianPaymentReceiptLetter({
          ...b,
          ...addressee,
          sender: sender.name,
          number,
          tip,
          paid: amount,
          at,
          timeZone,
          card: b.used ?? 'Card',
        })
      },
      chargedCardOwner,
    ),
    // If the payer has tried again since, this letter is outdated.
    'letter.payment-failed': payerLetter(
      (b, names, p: { payment: string; attempt: string; reason: PaymentFailureReason }) => {
        const tried = b.attempts[p.attempt]
        if (b.paid || !tried || b.last !== p.attempt) return null
        const why = b.isAccountClosed ? chargeFailureCause(p.reason) : describeChargeFailure(p.reason).message
        return failedPaymentLetter({ ...b, ...names, ...tried, why }, sender)
      },
      (b, addressee, p) => {
        const tried = b.attempts[p.attempt]
        if (b.paid || !tried || b.last !== p.attempt) return null
        const { amount, card, by } = tried
        return guardianFailedPaymentLetter({
          ...b,
          ...addressee,
          amount,
          card,
          bySchedule: by === 'schedule',
          why: describeChargeFailure(p.reason).message,
        })
      },
      (b, p) => (b.attempts[p.attempt] ? b.attempts[p.attempt]!.cardOf : b.payer),
    ),
    'letter.refunded': payerLetter(
      (b, names, p: { payment: string; refund: string }) => {
        const refundRecord = b.refunds[p.refund]
        return refundRecord ? paymentRefundLetter({ ...b, ...names, ...refundRecord, card: b.used ?? 'card' }, sender) : null
      },
      (b, addressee, p) => {
        const refundRecord = b.refunds[p.refund]
        return refundRecord
          ? guardianRefundLetter({ ...addressee, ...refundRecord, what: `session "${b.folder}"`, card: b.used ?? 'card' })
          : null
      },
      chargedCardOwner,
    ),

    'letter.package-receipt': async ({ purchase }: { purchase: string }, errand: LetterErrand) => {
      const found = await packageWithName(purchase)
      if (!found) return
      const { bought, player, name } = found
      if (bought.payer === null) {
        if (player) await sendLetterToPlayer(errand, player, packageReceiptLetter({ ...bought, player: name, purchase }, sender))
        return
      }
      const recipient = await payingGuardian(bought.payer, name, `/family/money/${purchase}`)
      if (recipient)
        await sendLetter(
          errand.id,
          recipient.email,
          guardianPackageReceiptLetter({ ...bought, ...recipient.addressee, sender: sender.name }),
        )
    },
    'letter.package-refunded': async ({ purchase, refund }: { purchase: string; refund: string }, errand: LetterErrand) => {
      const found = await packageWithName(purchase)
      const refundRecord = found?.bought.refunds[refund]
      if (!refundRecord) return
      const { bought, player, name } = found
      if (bought.payer === null) {
        if (player) await sendLetterToPlayer(errand, player, packageRefundLetter({ ...bought, ...refundRecord, player: name }, sender))
        return
      }
      const recipient = await payingGuardian(bought.payer, name, `/family/money/${purchase}`)
      const packageLabel = `package "${bought.label}"`
      if (recipient)
        await sendLetter(
          errand.id,
          recipient.email,
          guardianRefundLetter({ ...recipient.addressee, ...refundRecord, what: packageLabel, card: bought.card ?? 'card' }),
        )
    },
  }
}
