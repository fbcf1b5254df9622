import type { ReactNode } from 'react'
import { formatCents } from '../../modules/format-cents-and-counts.ts'

/** The items of a price, one line each as on a receipt; further `PriceLine`s go into `children`. */
export const PriceLines = ({ items, children }: { items: { label: string; cents: number }[]; children?: ReactNode }) => (
  <dl className="flex flex-col gap-1.5">
    {items.map(item => (
      <PriceLine key={item.label} label={item.label} cents={item.cents} />
    ))}
    {children}
  </dl>
)

export const PriceLine = ({ label, cents, strong = false }: { label: ReactNode; cents: number; strong?: boolean }) => (
  <div className={strong ? 'mt-1.5 flex justify-between gap-4 border-t border-line pt-3 text-18 font-heavy' : 'flex justify-between gap-4'}>
    <dt className={strong ? '' : 'text-ink-2'}>{label}</dt>
    <dd className="whitespace-nowrap tabular-nums">{cents < 0 ? `−${formatCents(-cents)}` : formatCents(cents)}</dd>
  </div>
)
