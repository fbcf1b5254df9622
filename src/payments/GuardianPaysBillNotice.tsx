import { HandCoins } from 'lucide-react'
import { formatCents } from '../../modules/format-cents-and-counts.ts'
import type { Payment } from '../../modules/payments/contract.ts'

/** Tells a player under 18 that their guardian has the bill. Shown in place of the bill. */
export const GuardianPaysBillNotice = ({ payment }: { payment: Payment }) => (
  <section aria-labelledby="guardian-pays" className="flex gap-3 rounded-card border border-line bg-paper p-4 sm:p-6">
    <HandCoins aria-hidden="true" size={24} strokeWidth={1.75} className="shrink-0 text-field" />
    <div className="min-w-0">
      <h2 id="guardian-pays" className="text-18">
        Your parent or guardian pays
      </h2>
      <p className="text-14 text-ink-2">
        They have the bill for this feedback, {formatCents(payment.total)}.
        {payment.overdue || payment.status === 'failed' ? ' It has to be paid before you can send another folder, so ask them.' : ''}
      </p>
    </div>
  </section>
)
