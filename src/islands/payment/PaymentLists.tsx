import { ChevronRight, ReceiptText } from 'lucide-react'
import type { Payment, Purchase } from '../../../modules/payments/contract.ts'
import { sessionPath } from '../../folders/urls.ts'
import { cardName } from '../../payments/cards.ts'
import { PackagePill, PaymentPill } from '../../payments/status-pills.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { money } from '../../ui/money.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { cellLinkClasses, Table } from '../../ui/table.tsx'

/** The payments that are due, each with a link to its session, where the player pays. */
export const DuePayments = ({ payments }: { payments: Payment[] }) => (
  <section aria-labelledby="due">
    <h2 id="due" className="mb-3 text-18">
      To pay
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

/** A row of the table of past payments, for a session or for a package. */
const paymentRow = (p: Payment) => ({
  ...{ id: p.id, name: p.folderName, href: sessionPath('player', p.folder, p.id), from: p.instructorName, paid: p.paid, card: p.card },
  ...{ pill: <PaymentPill payment={p} />, cents: p.total + p.tip, receipt: p.receipt },
})
const purchaseRow = (p: Purchase): ReturnType<typeof paymentRow> => ({
  ...{ id: p.id, name: `${p.label} package`, href: '', from: '', paid: p.bought, card: p.card },
  ...{ pill: <PackagePill purchase={p} />, cents: p.cents, receipt: p.receipt },
})
const newestFirst = (a: { paid: string | null }, b: { paid: string | null }) => (b.paid ?? '').localeCompare(a.paid ?? '')

/** Past payments and packages, newest first, each with its receipt. */
export const PastPayments = ({ payments, purchases }: { payments: Payment[]; purchases: Purchase[] }) => (
  <section aria-labelledby="past">
    <h2 id="past" className="mb-3 text-18">
      Paid
    </h2>
    <Table
      caption="Past payments"
      rows={[...payments.map(paymentRow), ...purchases.map(purchaseRow)].sort(newestFirst)}
      rowKey={p => p.id}
      columns={[
        {
          name: 'For',
          cell: p =>
            p.href ? (
              <a href={p.href} className={cellLinkClasses}>
                {p.name}
              </a>
            ) : (
              <span className="font-medium">{p.name}</span>
            ),
        },
        { name: 'Instructor', cell: p => p.from || '–' },
        { name: 'Paid', cell: p => (p.paid ? <RelativeTime at={p.paid} /> : '') },
        { name: 'Card', cell: p => (p.card ? cardName(p.card) : '') },
        { name: 'Status', cell: p => p.pill },
        { name: 'Amount', align: 'right', cell: p => money(p.cents) },
        {
          name: 'Receipt',
          align: 'right',
          cell: p => (
            <ButtonLink
              variant="quiet"
              size="sm"
              href={`/player/payment?receipt=${p.id}`}
              className="-mr-3"
              aria-label={`Receipt for ${p.name}`}
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
