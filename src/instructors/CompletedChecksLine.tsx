import { ShieldCheck } from 'lucide-react'
import type { PublicCheck } from '../../modules/instructors/contract.ts'
import { site } from '../site.ts'
import { cx } from '../ui/cx.ts'
import { checksLabel } from './checks-label.ts'

/** The recorded checks of an instructor; renders nothing if there are none. */
export function CompletedChecksLine({ checks, className }: { checks: readonly PublicCheck[]; className?: string }) {
  const label = checksLabel(checks)
  if (!label) return null
  return (
    <span className={cx('flex items-start gap-1.5 text-13 text-field', className)}>
      <ShieldCheck aria-hidden="true" size={16} strokeWidth={1.75} className="mt-0.5 shrink-0" />
      <span className="min-w-0 wrap-anywhere">
        Checked by {site.name}: {label}
      </span>
    </span>
  )
}
