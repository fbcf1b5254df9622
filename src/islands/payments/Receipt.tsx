import { Printer } from 'lucide-react'
import type { Payment } from '../../../modules/payments/contract.ts'
import { site } from '../../site.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Mark } from '../../ui/logo.tsx'
import { money } from '../../ui/money.tsx'
import { cardName } from './cards.ts'
import { Items, Line } from './Items.tsx'

const date = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })

/** A receipt as one would hand it over, on the screen and on paper. */
export function Receipt({ payment }: { payment: Payment }) {
  const facts: [string, string][] = [
    ['Receipt', payment.receipt ?? ''],
    ['Paid', payment.paid ? date.format(new Date(payment.paid)) : ''],
    ['Player', payment.playerName],
    ['Instructor', payment.instructorName],
    ['Folder', payment.folderName],
    ...(payment.card ? [['Card', cardName(payment.card)] as [string, string]] : []),
  ]
  return (
    <article className="mx-auto max-w-lg rounded-card border border-line bg-paper p-6 sm:p-8 print:border-0 print:p-0">
      <header className="flex items-center justify-between gap-4">
        <p className="flex items-center gap-2 text-18 font-heavy [font-stretch:112%]">
          <Mark />
          {site.name}
        </p>
        <Badge dot tone={payment.refunded ? 'ink' : 'field'}>
          {payment.refunded >= payment.total + payment.tip ? 'Refunded' : payment.refunded ? 'Partly refunded' : 'Paid'}
        </Badge>
      </header>
      <p className="mt-6 text-36 font-heavy [font-stretch:112%]">{money(payment.total + payment.tip - payment.refunded)}</p>
      <dl className="mt-6 grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5">
        {facts.map(([name, value]) => (
          <div key={name} className="col-span-2 grid grid-cols-subgrid">
            <dt className="text-ink-2">{name}</dt>
            <dd className="text-right wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      <div className="chalk-line my-6" />
      <Items items={payment.items}>
        {payment.tip > 0 && <Line label="Tip" cents={payment.tip} />}
        {payment.refunded > 0 && <Line label="Refunded" cents={-payment.refunded} />}
        <Line strong label="Total" cents={payment.total + payment.tip - payment.refunded} />
      </Items>
      <footer className="mt-8 flex flex-col gap-4 text-13 text-ink-2">
        <p>
          Questions about this payment: <span className="wrap-anywhere">{site.supportEmail}</span>
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
