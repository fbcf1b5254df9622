import { formatCents } from '../../modules/format-cents-and-counts.ts'
import { cx } from './cx.ts'

export const Money = ({ cents, className }: { cents: number; className?: string }) => (
  <span className={cx('tabular-nums', className)}>{formatCents(cents)}</span>
)
