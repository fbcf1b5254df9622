import { describeChargeFailure } from '../payments/charge-failure-messages.ts'
import type { PaymentFailureReason } from '../payments/contract.ts'
import { failedPaymentLetter } from './failed-payment.tsx'
import {
  approvalRequestLetter,
  formerGuardianBillLetter,
  guardianFailedChargeLetter,
  guardianPackageReceiptLetter,
  guardianPaymentReminderLetter,
  guardianReceiptLetter,
  guardianRefundLetter,
  guardianUpcomingChargeLetter,
} from './guardian-money.tsx'
import { guardianFeedbackLetter } from './guardian-session-updates.tsx'
import type { LetterContent } from './letter-components.tsx'
import type { LetterBill, LetterErrand, PlayerAndInstructor } from './letter-data-types.ts'
import type { LetterSenderContext } from './letter-sender-context.ts'
import { packageReceiptLetter } from './package-receipt.tsx'
import { packageRefundLetter } from './package-refund.tsx'
import { paymentDueLetter } from './payment-due.tsx'
import { paymentReceiptLetter } from './payment-receipt.tsx'
import { paymentRefundLetter } from './payment-refund.tsx'
import { paymentReminderLetter } from './payment-reminder.tsx'
import { upcomingChargeLetter } from './upcoming-charge.tsx'

type Names = PlayerAndInstructor['names']

const isReminder = ({ kind }: LetterErrand) => kind === 'letter.payment-reminder'

/** The senders of letters about money. They go to the payer, who for a minor is the guardian and gets a version of their own. */
export function payerLetterSenders({ facts, sender, post, postToPlayer, both }: LetterSenderContext) {
  /** The guardian's name as letters about this child use it, and a link that opens `page`. Null where the guardian no longer exists. */
  async function guardianRecipient(guardian: string, player: string, page: string) {
    const person = await facts.guardian(guardian)
    return person && { to: person.email, about: { guardian: person.name, player, url: await facts.familyLink(guardian, page) } }
  }
  type GuardianRecipient = NonNullable<Awaited<ReturnType<typeof guardianRecipient>>>

  const money =
    <P extends { payment: string }>(
      toPlayer: (b: LetterBill & { session: string }, names: Names, payload: P) => LetterContent | null,
      toGuardian: (b: LetterBill, about: GuardianRecipient['about'] & Names, payload: P) => LetterContent | null,
    ) =>
    async (payload: P, about: LetterErrand) => {
      const bill = await facts.bill(payload.payment)
      const between = bill && (await both(bill))
      if (!between) return
      const { names, player } = between
      const recipient = isReminder(about) ? await facts.preferences(bill.payer ?? bill.player) : null
      if (recipient && !recipient.reminders) return
      if (bill.payer === null) {
        const letter = toPlayer({ ...bill, session: payload.payment }, names, payload)
        if (letter) await postToPlayer(about, player, letter, recipient?.token)
        return
      }
      // The link is created only if the letter is written.
      if (!toGuardian(bill, { guardian: '', url: '', ...names }, payload)) return
      const guardian = await guardianRecipient(bill.payer, names.player, `/family/money/${payload.payment}`)
      const letter = guardian && toGuardian(bill, { ...guardian.about, ...names }, payload)
      if (letter) await post(about.id, guardian.to, letter, recipient?.token)
    }

  /** To the guardian who pays: the bill with the whole feedback, or only the bill if another guardian now looks after the child. */
  async function billOf(
    b: LetterBill,
    names: Names,
    payment: string,
    payer: string,
  ): Promise<{ page: string; write(about: GuardianRecipient['about']): LetterContent } | null> {
    const [session, player] = await Promise.all([facts.session(b.folderId, payment), facts.person(b.player)])
    const owed = b.settled ? null : { items: b.items, total: b.total, due: b.due, timeZone: b.timeZone, card: b.saved }
    if (session?.review && session.cost?.payer === payer && player?.guardian?.id === payer) {
      const { review } = session
      return {
        page: `/family/folder/${b.folderId}?session=${payment}`,
        write: about => guardianFeedbackLetter({ ...session, ...about, ...names, review, bill: owed }, sender),
      }
    }
    return (
      owed && { page: `/family/money/${payment}`, write: about => formerGuardianBillLetter({ ...b, ...about, ...names, card: b.saved }) }
    )
  }

  const dueToPlayer = money(
    (b, names) => (b.settled ? null : paymentDueLetter({ ...b, ...names, card: b.saved }, sender)),
    () => null,
  )

  return {
    // The guardian may have answered, or the child withdrawn the request, since.
    'letter.approval-asked': async ({ folder, assignment }: { folder: string; assignment: string }, { id }: LetterErrand) => {
      const q = await facts.approvalRequest(folder, assignment)
      const between = q && (await both(q))
      if (!between) return
      const recipient = await guardianRecipient(q.guardian, between.names.player, `/family/money/${assignment}`)
      if (recipient) await post(id, recipient.to, approvalRequestLetter({ ...q, ...recipient.about, ...between.names }, sender))
    },

    'letter.payment-due': async (payload: { payment: string }, about: LetterErrand) => {
      const { payment } = payload
      const bill = await facts.bill(payment)
      if (!bill?.payer) return dueToPlayer(payload, about)
      const between = await both(bill)
      const letter = between && (await billOf(bill, between.names, payment, bill.payer))
      const recipient = letter && (await guardianRecipient(bill.payer, between.names.player, letter.page))
      if (recipient) await post(about.id, recipient.to, letter.write(recipient.about))
    },
    'letter.payment-reminder': money(
      (b, names) => (b.settled ? null : paymentReminderLetter({ ...b, ...names, card: b.saved }, sender)),
      (b, about) => (b.settled ? null : guardianPaymentReminderLetter({ ...b, ...about, card: b.saved })),
    ),
    'letter.charge-coming': money(
      (b, names) => (b.settled ? null : upcomingChargeLetter({ ...b, ...names, card: b.saved }, sender)),
      (b, about) => (b.settled ? null : guardianUpcomingChargeLetter({ ...b, ...about, card: b.saved })),
    ),
    'letter.receipt': money(
      (b, names) => {
        if (!b.paid) return null
        const { amount, tip, at, number } = b.paid
        return paymentReceiptLetter({ ...b, ...names, number, tip, paid: amount, at, card: b.used ?? 'Card' }, sender)
      },
      (b, about) => {
        if (!b.paid) return null
        const { amount, tip, at, number } = b.paid
        return guardianReceiptLetter({ ...b, ...about, sender: sender.name, number, tip, paid: amount, at, card: b.used ?? 'Card' })
      },
    ),
    // If the payer has tried again since, this letter is outdated.
    'letter.payment-failed': money(
      (b, names, p: { payment: string; attempt: string; reason: PaymentFailureReason }) => {
        const tried = b.attempts[p.attempt]
        if (b.paid || !tried || b.last !== p.attempt) return null
        return failedPaymentLetter({ ...b, ...names, ...tried, why: describeChargeFailure(p.reason).message }, sender)
      },
      (b, about, p) => {
        const tried = b.attempts[p.attempt]
        if (b.paid || !tried || b.last !== p.attempt) return null
        const { amount, card, by } = tried
        return guardianFailedChargeLetter({
          ...b,
          ...about,
          amount,
          card,
          bySchedule: by === 'schedule',
          why: describeChargeFailure(p.reason).message,
        })
      },
    ),
    'letter.refunded': money(
      (b, names, p: { payment: string; refund: string }) => {
        const refundRecord = b.refunds[p.refund]
        return refundRecord ? paymentRefundLetter({ ...b, ...names, ...refundRecord, card: b.used ?? 'card' }, sender) : null
      },
      (b, about, p) => {
        const refundRecord = b.refunds[p.refund]
        return refundRecord
          ? guardianRefundLetter({ ...about, ...refundRecord, what: `session "${b.folder}"`, card: b.used ?? 'card' })
          : null
      },
    ),

    'letter.package-receipt': async ({ purchase }: { purchase: string }, about: LetterErrand) => {
      const bought = await facts.packagePurchase(purchase)
      const person = bought && (await facts.person(bought.player))
      if (!person) return
      if (bought.payer === null)
        return postToPlayer(about, person, packageReceiptLetter({ ...bought, player: person.firstName, purchase }, sender))
      const recipient = await guardianRecipient(bought.payer, person.firstName, `/family/money/${purchase}`)
      if (recipient)
        await post(about.id, recipient.to, guardianPackageReceiptLetter({ ...bought, ...recipient.about, sender: sender.name }))
    },
    'letter.package-refunded': async ({ purchase, refund }: { purchase: string; refund: string }, about: LetterErrand) => {
      const bought = await facts.packagePurchase(purchase)
      const person = bought && (await facts.person(bought.player))
      const refundRecord = bought?.refunds[refund]
      if (!person || !refundRecord) return
      if (bought.payer === null)
        return postToPlayer(about, person, packageRefundLetter({ ...bought, ...refundRecord, player: person.firstName }, sender))
      const recipient = await guardianRecipient(bought.payer, person.firstName, `/family/money/${purchase}`)
      const packageLabel = `package "${bought.label}"`
      if (recipient)
        await post(
          about.id,
          recipient.to,
          guardianRefundLetter({ ...recipient.about, ...refundRecord, what: packageLabel, card: bought.card ?? 'card' }),
        )
    },
  }
}
