import { ReceiptText } from 'lucide-react'
import { formatCents } from '../../modules/format-cents-and-counts.ts'
import type { Payment, Purchase } from '../../modules/payments/contract.ts'
import { type ListPage, useMorePages } from '../client/use-more-pages.ts'
import { ButtonLink } from '../ui/button.tsx'
import { LoadMoreFooter } from '../ui/load-more-footer.tsx'
import { RelativeTime } from '../ui/relative-time.tsx'
import { cellLinkClasses, Table } from '../ui/table.tsx'
import { cardName } from './card-names-and-expiry.ts'
import { PackageBadge, PaymentBadge } from './status-badges.tsx'

/** The table row for a session's payment. The row for a package (`purchaseRow`) has the same fields. */
const paymentRow = (sessionHref: (p: Payment) => string) => (p: Payment) => ({
  id: p.id,
  name: p.folderName,
  href: sessionHref(p),
  player: p.playerName,
  from: p.instructorName,
  paid: p.paid,
  card: p.card,
  badge: <PaymentBadge payment={p} />,
  cents: p.total + p.tip,
  receipt: p.receipt,
})
const purchaseRow = (p: Purchase): ReturnType<ReturnType<typeof paymentRow>> => ({
  id: p.id,
  name: `${p.label} package`,
  href: '',
  player: p.playerName,
  from: '',
  paid: p.bought,
  card: p.card,
  badge: <PackageBadge purchase={p} />,
  cents: p.cents,
  receipt: p.receipt,
})
const newestFirst = (a: { paid: string | null }, b: { paid: string | null }) => (b.paid ?? '').localeCompare(a.paid ?? '')

/** The first page of a list, how to load the other pages, and how many rows there are in total. */
interface PagedRows<R> {
  first: ListPage<R>
  load: (before: string) => Promise<ListPage<R>>
  total: number
}
interface Props {
  payments: PagedRows<Payment>
  packages: PagedRows<Purchase>
  /** Returns the URL of the receipt of a payment or a package. */
  receiptHref: (id: string) => string
  /** Returns the URL of a payment's session; if it is '', the row has no link. */
  sessionHref: (p: Payment) => string
  /** Whether each row names the player, because a guardian may pay for several players. */
  namesPlayers?: boolean
}

type Row = ReturnType<typeof purchaseRow>
/** The payment time of the oldest loaded row; null if all pages are loaded. */
const oldestLoaded = (rows: Row[], { more }: { more: unknown }) => (more ? (rows.map(row => row.paid ?? '').sort()[0] ?? null) : null)
/**
 * Returns only rows that are at least as new as the other list's oldest loaded row. Older rows are held back until that list has loaded the
 * same period, so that the merged list stays in order.
 */
const notOlderThan = (rows: Row[], time: string | null) => (time === null ? rows : rows.filter(row => (row.paid ?? '') >= time))

/** Settled payments and packages in one list, newest first, each with a link to its receipt; renders nothing if there are none. */
export function PastPayments({ payments, packages, receiptHref, sessionHref, namesPlayers = false }: Props) {
  const pagedPayments = useMorePages({ ...payments, keyOf: p => p.id })
  const pagedPackages = useMorePages({ ...packages, keyOf: p => p.id })
  const paymentRows = (pagedPayments.rows ?? []).map(paymentRow(sessionHref))
  const packageRows = (pagedPackages.rows ?? []).map(purchaseRow)
  if (paymentRows.length + packageRows.length === 0) return null
  const rows = [
    ...notOlderThan(paymentRows, oldestLoaded(packageRows, pagedPackages)),
    ...notOlderThan(packageRows, oldestLoaded(paymentRows, pagedPayments)),
  ].sort(newestFirst)
  const { more: morePayments } = pagedPayments
  const { more: morePackages } = pagedPackages
  const showMore = () => {
    morePayments?.()
    morePackages?.()
  }
  return (
    <section aria-labelledby="past" className="flex flex-col gap-4">
      <h2 id="past" className="-mb-1 text-18">
        Paid
      </h2>
      <Table
        caption="Past payments"
        rows={rows}
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
          ...(namesPlayers ? [{ name: 'Player', cell: (p: Row) => p.player }] : []),
          { name: 'Instructor', cell: p => p.from || '–' },
          { name: 'Paid', cell: p => (p.paid ? <RelativeTime at={p.paid} /> : '') },
          { name: 'Card', cell: p => (p.card ? cardName(p.card) : '') },
          { name: 'Status', cell: p => p.badge },
          { name: 'Amount', align: 'right', cell: p => formatCents(p.cents) },
          {
            name: 'Receipt',
            align: 'right',
            cell: p => (
              <ButtonLink
                variant="quiet"
                size="sm"
                href={receiptHref(p.id)}
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
      <LoadMoreFooter
        shown={rows.length}
        total={payments.total + packages.total}
        more={morePayments || morePackages ? showMore : undefined}
        busy={pagedPayments.busy || pagedPackages.busy}
        message={pagedPayments.message ?? pagedPackages.message}
      />
    </section>
  )
}
