import { cx } from './cx.ts'

const usd = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** Integer cents as dollars, always with cents: 1500 → '$15.00'. */
export const money = (cents: number) => usd.format(cents / 100)

export const Money = ({ cents, className }: { cents: number; className?: string }) => (
  <span className={cx('tabular-nums', className)}>{money(cents)}</span>
)
