import { TriangleAlert } from 'lucide-react'
import { cx } from '../ui/cx.ts'
import type { FileAdviceItem } from './media-advice.ts'

/** The advice about a video, one line per item; renders nothing if there is none. */
export const FileAdvice = ({ advice, className }: { advice: FileAdviceItem[] | undefined; className?: string }) =>
  advice?.length ? (
    <div className={cx('text-14', className)}>
      {advice.map(({ tone, text }) => (
        <p key={text} className={cx('flex gap-1.5', tone === 'warning' ? 'font-medium text-gold' : 'text-ink-2')}>
          {tone === 'warning' && <TriangleAlert size={16} strokeWidth={1.75} aria-hidden="true" className="mt-0.5 shrink-0" />}
          {text}
        </p>
      ))}
    </div>
  ) : null
