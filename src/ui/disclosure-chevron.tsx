import { ChevronDown } from 'lucide-react'
import { cx } from './cx.ts'

/** A chevron for the summary of a `<details className="group">`; it turns when the details open. */
export const DisclosureChevron = ({ size = 18, className }: { size?: number; className?: string }) => (
  <ChevronDown
    aria-hidden="true"
    size={size}
    strokeWidth={1.75}
    className={cx('shrink-0 transition-transform group-open:rotate-180', className)}
  />
)
