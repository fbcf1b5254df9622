import { ReceiptText } from 'lucide-react'
import { formatCents } from '../../modules/format-text.ts'
import type { Payment, Purchase } from '../../modules/payments/contract.ts'
import { type ListPage, useMorePages } from '../client/use-more-pages.ts'
import { ButtonLink } from '../ui/button.tsx'
import { RelativeTime } from '../ui/relative-time.tsx'
import { ShowMore } from '../ui/show-more.tsx'
import { cellLinkClasses, Table } from '../ui/table.tsx'
import { cardName } from './cards.ts'
import { PackagePill, PaymentPill } from './status-pills.tsx'

/** A row in the table of past payments, for a session or a package. */
const paymentRow = (sessionHref: (p: Payment) => string) => (p: Payment) => ({
  ...{ id: p.id, name: p.folderName, href: sessionHref(p), player: p.playerName, from: p.instructorName, paid: p.paid, card: p.card },
  ...{ pill: <PaymentPill payment={p} />, cents: p.total + p.tip, receipt: p.receipt },
})
const purchaseRow = (p: Purchase): ReturnType<ReturnType<typeof paymentRow>> => ({
  ...{ id: p.id, name: `${p.label} package`, href: '', player: p.playerName, from: '', paid: p.bought, card: p.card },
  ...{ pill: <PackagePill purchase={p} />, cents: p.cents, receipt: p.receipt },
})
const newestFirst = (a: { paid: string | null }, b: { paid: string | null }) => (b.paid ?? '').localeCompare(a.paid ?? '')

const isDueStatus: Payment['status'][] = ['due', 'failed', 'processing']
/** Whether a payment is listed with the open bills. */
export const isPaymentDue = ({ status }: Payment) => isDueStatus.includes(status)
/** A reply with settled payments as a page of a list. */
export const loadSettledPayments = ({ payments, next }: { payments: Payment[]; next: string | null }): ListPage<Payment> => ({
  rows: payments,
  next,
})

interface Props {
  /** The first page of settled payments, how to load the others, and how many there are. */
  first: ListPage<Payment>
  load: (before: string) => Promise<ListPage<Payment>>
  total: number
  purchases: Purchase[]
  /** The links to a receipt and a session; an empty path renders no link. */
  receiptHref: (id: string) => string
  sessionHref: (p: Payment) => string
  /** Names the player of each payment. */
  namesPlayers?: boolean
}

/** Settled payments and packages, newest first, each with a link to its receipt; empty where there are none. */
export function PastPayments({ first, load, total, purchases, receiptHref, sessionHref, namesPlayers = false }: Props) {
  const { rows = [], ...paging } = useMorePages({ first, load, keyOf: p => p.id })
  if (rows.length + purchases.length === 0) return null
  // Packages that are older than the last listed payment come with the payments of their time.
  const oldest = paging.more && rows.at(-1)?.paid
  const packages = oldest ? purchases.filter(p => p.bought >= oldest) : purchases
  return (
    <section aria-labelledby="past" className="flex flex-col gap-4">
      <h2 id="past" className="-mb-1 text-18">
        Paid
      </h2>
      <Table
        caption="Past payments"
        rows={[...rows.map(paymentRow(sessionHref)), ...packages.map(purchaseRow)].sort(newestFirst)}
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
          ...(namesPlayers ? [{ name: 'Player', cell: (p: ReturnType<ReturnType<typeof paymentRow>>) => p.player }] : []),
          { name: 'Instructor', cell: p => p.from || '–' },
          { name: 'Paid', cell: p => (p.paid ? <RelativeTime at={p.paid} /> : '') },
          { name: 'Card', cell: p => (p.card ? cardName(p.card) : '') },
          { name: 'Status', cell: p => p.pill },
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
      <ShowMore shown={rows.length} total={total} {...paging} />
    </section>
  )
}
