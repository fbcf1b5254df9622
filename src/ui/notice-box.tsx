import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from './cx.ts'

/** A colored box that calls attention to something: an icon, a bold title, and what to know or do about it. */
export const NoticeBox = ({ icon: Icon, title, className, children }: Props) => (
  <div className={cx('flex gap-3 rounded-field bg-clay-wash p-3', className)}>
    <Icon aria-hidden="true" size={20} strokeWidth={1.75} className="mt-0.5 shrink-0 text-clay" />
    <p className="min-w-0 wrap-anywhere">
      <span className="block font-medium">{title}</span>
      {children}
    </p>
  </div>
)
interface Props {
  icon: LucideIcon
  title: string
  className?: string
  children: ReactNode
}
