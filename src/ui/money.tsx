import { money } from '../../modules/words.ts'
import { cx } from './cx.ts'

export { money }

export const Money = ({ cents, className }: { cents: number; className?: string }) => (
  <span className={cx('tabular-nums', className)}>{money(cents)}</span>
)
