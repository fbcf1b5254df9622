import type { HTMLAttributes } from 'react'
import { cx } from './cx.ts'

/** A sheet of paper on the chalk. `flush` leaves the padding to what is inside. */
export const Card = ({ flush = false, className, ...rest }: { flush?: boolean } & HTMLAttributes<HTMLDivElement>) => (
  <div {...rest} className={cx('rounded-card border border-line bg-paper', !flush && 'p-4 sm:p-6', className)} />
)
