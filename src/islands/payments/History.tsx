import { ChevronRight, ReceiptText } from 'lucide-react'
import type { Payment } from '../../../modules/payments/contract.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { money } from '../../ui/money.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { cardName } from './cards.ts'

const looks: Record<Payment['status'], [string, Tone]> = {
  due: ['Due', 'clay'],
  processing: ['Processing', 'sky'],
  failed: ['Failed', 'red'],
  paid: ['Paid', 'field'],
  refunded: ['Refunded', 'ink'],
  disputed: ['In dispute', 'gold'],
}
export const PaymentPill = ({ payment }: { payment: Payment }) => {
  const [label, tone] = payment.overdue && payment.status === 'due' ? (['Overdue', 'clay'] as const) : looks[payment.status]
  return (
    <Badge dot tone={tone}>
      {label}
    </Badge>
  )
}

/** What is to be paid: each a way to its folder, where one reads and pays. */
export const Due = ({ payments }: { payments: Payment[] }) => (
  <section aria-labelledby="due">
    <h2 id="due" className="mb-3 text-18">
      To pay
    </h2>
    <ul className="divide-y divide-line overflow-hidden rounded-card border border-line bg-paper">
      {payments.map(p => (
        <li key={p.id}>
          <a href={`/player/folder/${p.folder}#pay`} className="group flex min-h-16 items-center gap-3 p-4 hover:bg-ink-wash sm:px-6">
            <span className="min-w-0 flex-1">
              <span className="block font-medium wrap-anywhere group-hover:underline">{p.folderName}</span>
              <span className="block text-14 text-ink-2">
                {p.failure ? (
                  p.failure.message
                ) : (
                  <>
                    {p.instructorName}, <Time at={p.opened} />
                  </>
                )}
              </span>
            </span>
            <span className="flex shrink-0 flex-col items-end gap-1 sm:flex-row sm:items-center sm:gap-3">
              <PaymentPill payment={p} />
              <span className="text-18 font-heavy">{money(p.total)}</span>
            </span>
            <ChevronRight aria-hidden="true" size={20} strokeWidth={1.75} className="shrink-0 text-ink-2" />
          </a>
        </li>
      ))}
    </ul>
  </section>
)

/** What was paid, each with its receipt. */
export const Past = ({ payments }: { payments: Payment[] }) => (
  <section aria-labelledby="past">
    <h2 id="past" className="mb-3 text-18">
      Paid
    </h2>
    <Table
      caption="Past payments"
      rows={payments}
      rowKey={p => p.id}
      columns={[
        {
          name: 'Folder',
          cell: p => (
            <a href={`/player/folder/${p.folder}`} className="font-medium hover:underline">
              {p.folderName}
            </a>
          ),
        },
        { name: 'Instructor', cell: p => p.instructorName },
        { name: 'Paid', cell: p => (p.paid ? <Time at={p.paid} /> : '') },
        { name: 'Card', cell: p => (p.card ? cardName(p.card) : '') },
        { name: 'Status', cell: p => <PaymentPill payment={p} /> },
        { name: 'Amount', align: 'right', cell: p => money(p.total + p.tip) },
        {
          name: 'Receipt',
          align: 'right',
          cell: p => (
            <ButtonLink
              variant="quiet"
              size="sm"
              href={`/player/payment?receipt=${p.id}`}
              className="-mr-3"
              aria-label={`Receipt for ${p.folderName}`}
              icon={<ReceiptText aria-hidden="true" size={20} strokeWidth={1.75} />}
            >
              {p.receipt}
            </ButtonLink>
          ),
        },
      ]}
    />
  </section>
)
