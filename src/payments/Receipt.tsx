import { Printer } from 'lucide-react'
import type { ReactNode } from 'react'
import { countWithNoun, formatCents } from '../../modules/format-cents-and-counts.ts'
import type { Payment, Purchase } from '../../modules/payments/contract.ts'
import { site } from '../site.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { dateFormatter } from '../ui/date-formatter.ts'
import { LogoMark } from '../ui/logo.tsx'
import { cardName } from './card-names-and-expiry.ts'
import { PriceLine, PriceLines } from './PriceLines.tsx'

const formatDate = dateFormatter({ dateStyle: 'medium', timeStyle: 'short' })
const cardFact = (card: Payment['card']): [string, string][] => (card ? [['Card', cardName(card)]] : [])

/** The receipt of a payment, for screen and print. */
export const Receipt = ({ payment: p }: { payment: Payment }) => (
  <ReceiptSheet
    paid={p.total + p.tip}
    refunded={p.refunded}
    facts={[
      ['Receipt', p.receipt ?? ''],
      ['Paid', p.paid ? formatDate(new Date(p.paid)) : ''],
      ['Player', p.playerName],
      ['Instructor', p.instructorName],
      ['Folder', p.folderName],
      ...cardFact(p.card),
    ]}
    items={p.items}
  >
    {p.tip > 0 && <PriceLine label="Tip" cents={p.tip} />}
  </ReceiptSheet>
)

export const PackageReceipt = ({ purchase: p }: { purchase: Purchase }) => (
  <ReceiptSheet
    paid={p.cents}
    refunded={p.refunded}
    facts={[['Receipt', p.receipt], ['Paid', formatDate(new Date(p.bought))], ['Player', p.playerName], ...cardFact(p.card)]}
    items={[{ label: `${p.label}, ${countWithNoun(p.folders, 'session')}`, cents: p.cents }]}
  />
)

function ReceiptSheet({
  paid,
  refunded,
  facts,
  items,
  children,
}: {
  paid: number
  refunded: number
  facts: [string, string][]
  items: Payment['items']
  children?: ReactNode
}) {
  return (
    <article className="mx-auto max-w-lg rounded-card border border-line bg-paper p-6 sm:p-8 print:border-0 print:p-0">
      <header className="flex items-center justify-between gap-4">
        <p className="flex items-center gap-2 text-18 font-heavy [font-stretch:112%]">
          <LogoMark />
          {site.name}
        </p>
        <Badge dot tone={refunded ? 'ink' : 'field'}>
          {refunded >= paid ? 'Refunded' : refunded ? 'Partly refunded' : 'Paid'}
        </Badge>
      </header>
      <p className="mt-6 text-36 font-heavy [font-stretch:112%]">{formatCents(paid - refunded)}</p>
      <dl className="mt-6 grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-ink-2">{name}</dt>
            <dd className="text-right wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      <div className="chalk-line my-6" />
      <PriceLines items={items}>
        {children}
        {refunded > 0 && <PriceLine label="Refunded" cents={-refunded} />}
        <PriceLine strong label="Total" cents={paid - refunded} />
      </PriceLines>
      <footer className="mt-8 flex flex-col gap-4 text-13 text-ink-2">
        <p>
          Questions about this payment:{' '}
          <a className="link wrap-anywhere" href={`mailto:${site.supportEmail}`}>
            {site.supportEmail}
          </a>
        </p>
        <Button
          variant="secondary"
          icon={<Printer aria-hidden="true" size={20} strokeWidth={1.75} />}
          onClick={() => print()}
          className="self-start print:hidden"
        >
          Print
        </Button>
      </footer>
    </article>
  )
}
