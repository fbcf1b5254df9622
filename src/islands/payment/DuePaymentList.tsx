import { ChevronRight } from 'lucide-react'
import { useId } from 'react'
import { formatCents } from '../../../modules/format-cents-and-counts.ts'
import type { Payment } from '../../../modules/payments/contract.ts'
import { sessionPath } from '../../folders/folder-page-urls-and-query.ts'
import { PaymentBadge } from '../../payments/status-badges.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'

function Bills({ title, payments }: { title: string; payments: Payment[] }) {
  const id = useId()
  if (payments.length === 0) return null
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-3 text-18">
        {title}
      </h2>
      <ul className="divide-y divide-line overflow-hidden rounded-card border border-line bg-paper">
        {payments.map(p => (
          <li key={p.id}>
            <a
              href={`${sessionPath('player', p.folder, p.id)}#pay`}
              className="group flex min-h-16 items-center gap-3 p-4 hover:bg-ink-wash sm:px-6"
            >
              <span className="min-w-0 flex-1">
                <span className="block font-medium wrap-anywhere group-hover:underline">{p.folderName}</span>
                <span className="block text-14 text-ink-2">
                  {p.failure ? (
                    p.failure.message
                  ) : (
                    <>
                      {p.instructorName}, <RelativeTime at={p.opened} />
                    </>
                  )}
                </span>
              </span>
              <span className="flex shrink-0 flex-col items-end gap-1 sm:flex-row sm:items-center sm:gap-3">
                <PaymentBadge payment={p} />
                <span className="text-18 font-heavy">{formatCents(p.total)}</span>
              </span>
              <ChevronRight aria-hidden="true" size={20} strokeWidth={1.75} className="shrink-0 text-ink-2" />
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The due payments, each with a link to the session where the player pays it; those that a guardian still owes come last. */
export const DuePaymentList = ({ payments }: { payments: Payment[] }) => (
  <>
    <Bills title="Payment due" payments={payments.filter(p => !p.isOwedByAnother)} />
    <Bills title="Billed to someone else" payments={payments.filter(p => p.isOwedByAnother)} />
  </>
)
