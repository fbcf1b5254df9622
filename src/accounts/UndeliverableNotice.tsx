import { MailWarning } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../ui/cx.ts'

/** Says that our emails do not arrive. It stays until one arrives or the address changes. `children` say what to do. */
export const UndeliverableNotice = ({ title, className, children }: { title: string; className?: string; children: ReactNode }) => (
  <div className={cx('flex gap-3 rounded-field bg-clay-wash p-3', className)}>
    <MailWarning aria-hidden="true" size={20} strokeWidth={1.75} className="mt-0.5 shrink-0 text-clay" />
    <p className="min-w-0 wrap-anywhere">
      <span className="block font-medium">{title}</span>
      {children}
    </p>
  </div>
)

/** The end of a sentence that says where to get help with an address. */
export const SupportLink = () => (
  <a href="/support" className="link">
    contact support
  </a>
)
