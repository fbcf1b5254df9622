import { ChevronDown } from 'lucide-react'
import { cx } from './cx.ts'

/** Beside the summary of a `<details className="group">`: turns as it opens. */
export const DisclosureChevron = ({ size = 18, className }: { size?: number; className?: string }) => (
  <ChevronDown
    aria-hidden="true"
    size={size}
    strokeWidth={1.75}
    className={cx('shrink-0 transition-transform group-open:rotate-180', className)}
  />
)
