import { cx } from './cx.ts'

/** A rotating ring, `size-5` by default. It is decorative, so put text that says what is loading next to it. */
export const Spinner = ({ className = 'size-5' }: { className?: string }) => (
  <svg viewBox="0 0 20 20" fill="none" aria-hidden="true" className={cx('shrink-0 animate-spin', className)}>
    <circle cx="10" cy="10" r="7.5" stroke="currentColor" strokeWidth="2.5" opacity="0.2" />
    <path d="M17.5 10A7.5 7.5 0 0 0 10 2.5" stroke="currentColor" strokeWidth="2.5" strokeLinecap="round" />
  </svg>
)

/** A centered spinner with a label that says what is happening. */
export const LoadingMessage = ({ label = 'Loading...' }: { label?: string }) => (
  <div role="status" className="flex min-h-64 items-center justify-center gap-3 text-ink-2">
    <Spinner />
    <span>{label}</span>
  </div>
)
