import { BadgeAlert, Lock } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Payment, PaymentCard, PaymentFailureReason } from '../../modules/payments/contract.ts'
import { CHARGE_AFTER_DAYS } from '../../modules/payments/policy.ts'
import { ApiError } from '../client/api.ts'
import { isFamilyPage } from '../client/is-family-page.ts'
import { usePersistentForm } from '../client/persistent-form.ts'
import { refetchQueries } from '../client/query.ts'
import { sendCommand } from '../client/send-command.ts'
import { useCommand } from '../client/use-command.ts'
import { Button } from '../ui/button.tsx'
import { dateFormatter } from '../ui/date-formatter.ts'
import { FormError } from '../ui/field.tsx'
import { toast } from '../ui/toast.ts'
import { useScrollToHash } from '../ui/use-scroll-to-hash.ts'
import { CardChoice } from './CardChoice.tsx'
import { cardName, isCardExpired, preferredCard } from './card-names-and-expiry.ts'
import { billChargeStatus, type PayReplyAndShownBill } from './charge-status-from-reply-or-bill.ts'
import { BankConfirmationPrompt, PayButton } from './PayAndConfirmButtons.tsx'
import { PriceLines } from './PriceLines.tsx'
import { TipChoices, TipLine, TotalWithTip } from './TipAndTotal.tsx'
import { type TipFormValues, tipCents } from './tip.ts'
import { useIsBackFromBank } from './use-is-back-from-bank.ts'

const formatDay = dateFormatter({ weekday: 'long', month: 'long', day: 'numeric' })

/** Failures after which the same card may be charged again. */
const RETRYABLE_WITH_SAME_CARD: PaymentFailureReason[] = ['authentication-needed', 'processing-error']

const FAILED_WITH_ANOTHER_PAYERS_CARD = "The last charge was to someone else's card and did not go through. Pay with your own card."

const refreshBill = () => refetchQueries('GET /api/billing', 'GET /api/folders/{folder}', 'GET /api/family/money')

/**
 * The bill for a session's feedback: its items, an optional tip, and the pay button. `back`: the path to return to with another card, which
 * also determines whether a player or a guardian pays.
 */
export function PayPanel({ payment, cards, back }: { payment: Payment; cards: PaymentCard[]; back: string }) {
  const form = usePersistentForm<TipFormValues>(`tip:${payment.id}`, { choice: '0', amount: '' })
  const pay = useCommand()
  const place = useScrollToHash<HTMLElement>('pay')
  const [chosen, setChosen] = useState<string>()
  const [attempt, setAttempt] = useState<PayReplyAndShownBill>()
  const [isCardChoiceOpen, setIsCardChoiceOpen] = useState(false)
  const { isProcessing, isFailed, failure, bankPageUrl } = billChargeStatus(payment, attempt, useIsBackFromBank(back))
  const choosing = isCardChoiceOpen || (isFailed && !bankPageUrl)

  // Preselect another saved card instead of a declined one, or none until the payer adds one.
  const declinedCard = failure && !RETRYABLE_WITH_SAME_CARD.includes(failure.reason) ? payment.card : null
  const mayBeRenewed = failure?.reason === 'expired-card'
  const isDeclined = (c: PaymentCard) => declinedCard !== null && c.id === payment.cardId && !(mayBeRenewed && !isCardExpired(c))
  const others = cards.filter(c => !isDeclined(c))
  const card = cards.find(c => c.id === chosen) ?? preferredCard(others)
  // If another card is selected, the message names the declined one.
  const isOtherCard = declinedCard && card && card.id !== payment.cardId
  // A bank may accept a declined card later. So if there is no other card, the payer can retry this one, but with a secondary button.
  const retriedCard = card || !isFailed ? undefined : preferredCard(cards.filter(c => !isCardExpired(c)))
  const payingCard = card ?? retriedCard
  // The bank's page charges the card with which the payer pressed Pay.
  const bankPage = bankPageUrl && attempt && attempt.card === payingCard?.id ? { url: bankPageUrl, tip: attempt.tip } : null
  // Only the owner of the declined card learns why it was declined.
  const reason = failure?.message ?? (isFailed ? FAILED_WITH_ANOTHER_PAYERS_CARD : undefined)
  const failureMessage = isOtherCard ? `${cardName(declinedCard)}: ${reason}` : reason
  const instructor = payment.instructorName.split(' ')[0]!
  const tipProps = { control: form.control, payment }

  useEffect(() => {
    if (!isProcessing) return
    const timer = setInterval(refreshBill, 2000)
    return () => clearInterval(timer)
  }, [isProcessing])

  const submit = form.handleSubmit(async values => {
    setAttempt(undefined)
    const tip = tipCents(values, payment.items)
    await pay.run(async () => {
      try {
        const paying = {
          params: { payment: payment.id },
          body: { tip, total: payment.total, ...(payingCard && { card: payingCard.id }) },
        }
        const reply = await (isFamilyPage(back)
          ? sendCommand('POST /api/family/payments/{payment}/pay', paying)
          : sendCommand('POST /api/payments/{payment}/pay', paying))
        setAttempt({ bill: payment, tip, card: payingCard?.id, reply })
        setIsCardChoiceOpen(false)
        // A charge that is still processing may be declined later, and a declined card must not stay chosen. Any other card stays chosen,
        // even if it was only preselected: the bank's page charges this card.
        setChosen(reply.failure && RETRYABLE_WITH_SAME_CARD.includes(reply.failure.reason) ? payingCard?.id : undefined)
        if (reply.status === 'paid') {
          form.forget()
          toast({ title: 'Paid', description: 'Thank you. Your receipt is here and in your email.' })
        }
      } catch (error) {
        if (error instanceof ApiError && error.code === 'already-paid') {
          form.forget()
          toast({ title: 'Already paid', description: 'It was paid in another tab. You were charged only once.' })
        }
        throw error
      } finally {
        // The price may have changed, or another tab may have paid: show the current state before the button can be pressed again.
        await refreshBill()
      }
    })
  })

  return (
    <section ref={place} id="pay" aria-labelledby="pay-title" className="scroll-mt-20 rounded-card border border-line bg-paper p-4 sm:p-6">
      <h2 id="pay-title" className="mb-4 text-18">
        Pay for this feedback
      </h2>
      <form onSubmit={submit} noValidate className="flex flex-col gap-5">
        {payment.isOwedByAnother && (
          <p>{isFamilyPage(back) ? 'Another' : 'Your'} parent or guardian agreed to pay this. You can pay it instead.</p>
        )}
        <PriceLines items={payment.items}>
          <TipLine {...tipProps} name={instructor} />
        </PriceLines>
        <TipChoices form={form} payment={payment} name={instructor} />
        <dl>
          <TotalWithTip {...tipProps} />
        </dl>
        <FormError icon={<BadgeAlert aria-hidden="true" size={20} strokeWidth={1.75} className="mt-0.5 shrink-0" />}>
          {!bankPageUrl && (pay.message ?? failureMessage)}
        </FormError>
        <div aria-live="assertive" className="empty:hidden">
          <BankConfirmationPrompt {...tipProps} page={bankPage} />
        </div>
        {choosing && (
          <CardChoice legend="Use another card" cards={cards} value={card?.id} onChange={setChosen} back={back} refused={isDeclined} />
        )}
        {isProcessing ? (
          <Button wide size="lg" busy>
            Your bank is working on it
          </Button>
        ) : payingCard ? (
          <PayButton {...tipProps} page={bankPage} busy={pay.busy} isRetry={retriedCard !== undefined} />
        ) : (
          !choosing && <CardChoice cards={cards} value={undefined} onChange={setChosen} back={back} />
        )}
        <div className="flex flex-col items-start gap-1 text-14 text-ink-2">
          {payingCard && (
            <p className="flex flex-wrap items-center gap-x-1.5">
              <Lock aria-hidden="true" size={16} strokeWidth={1.75} />
              Paying with your {cardName(payingCard)}.
              {!choosing && (
                <button type="button" className="link min-h-11" onClick={() => setIsCardChoiceOpen(true)}>
                  Use another card
                </button>
              )}
            </p>
          )}
          {payment.status === 'due' && !payment.overdue && (
            <p>
              {payment.isOwedByAnother ? 'If it is not paid' : 'If you have not paid'} by {formatDay(new Date(payment.due))},{' '}
              {CHARGE_AFTER_DAYS} days after the feedback, we will charge {payment.isOwedByAnother ? 'their' : 'your'} saved card without a
              tip.
            </p>
          )}
        </div>
      </form>
    </section>
  )
}
