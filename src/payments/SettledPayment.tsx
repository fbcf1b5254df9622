import { CircleCheck, ReceiptText } from 'lucide-react'
import { formatCents } from '../../modules/format-cents-and-counts.ts'
import type { Payment } from '../../modules/payments/contract.ts'
import { ButtonLink } from '../ui/button.tsx'
import { RelativeTime } from '../ui/relative-time.tsx'
import { cardName } from './card-names-and-expiry.ts'

const words = { paid: 'Paid', refunded: 'Refunded', disputed: 'In dispute' } as Record<string, string>

/** A settled payment in two lines, with a link to its receipt. */
export const SettledPayment = ({ payment }: { payment: Payment }) => (
  <section aria-labelledby="paid" className="flex flex-col gap-4 rounded-card border border-line bg-paper p-4 sm:p-6">
    <div className="flex gap-3">
      <CircleCheck aria-hidden="true" size={24} strokeWidth={1.75} className="shrink-0 text-field" />
      <div className="min-w-0">
        <h2 id="paid" className="text-18">
          {payment.isDisputeLost ? 'The bank returned' : words[payment.status]} {formatCents(payment.total + payment.tip)}
        </h2>
        <p className="text-14 text-ink-2">
          {payment.tip > 0 && `${formatCents(payment.tip)} of it is your tip. `}
          {payment.card && `${cardName(payment.card)}, `}
          {payment.paid && <RelativeTime at={payment.paid} />}
        </p>
      </div>
    </div>
    <ButtonLink
      variant="secondary"
      href={`/player/payment?receipt=${payment.id}`}
      icon={<ReceiptText aria-hidden="true" size={20} strokeWidth={1.75} />}
      className="self-start"
    >
      See the receipt
    </ButtonLink>
  </section>
)
