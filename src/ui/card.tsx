import type { HTMLAttributes } from 'react'
import { cx } from './cx.ts'

/** A bordered box for content. `flush` omits the padding, so that the content can supply its own. */
export const Card = ({ flush = false, className, ...rest }: { flush?: boolean } & HTMLAttributes<HTMLDivElement>) => (
  <div {...rest} className={cx('rounded-card border border-line bg-paper', !flush && 'p-4 sm:p-6', className)} />
)
