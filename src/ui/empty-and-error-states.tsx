import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { cx } from './cx.ts'

/** The illustration of empty and error states: a baseball diamond. */
export const DiamondIcon = ({ className }: { className?: string }) => (
  <svg viewBox="0 0 64 64" fill="none" aria-hidden="true" className={cx('size-16', className)}>
    <path d="M32 8 56 32 32 56 8 32Z" stroke="var(--line)" strokeWidth="2" />
    <path d="M32 56 8 32M32 56 56 32" stroke="currentColor" strokeWidth="2" strokeDasharray="3 4" />
    <path
      d="M32 2.5 37.5 8 32 13.5 26.5 8ZM8 26.5 13.5 32 8 37.5 2.5 32ZM56 26.5 61.5 32 56 37.5 50.5 32Z"
      fill="var(--paper)"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinejoin="round"
    />
    <path d="M27 50.5h10v5.5l-5 5-5-5z" fill="currentColor" />
  </svg>
)

/** For an empty list: what will appear here, and the one action that adds the first entry. */
export const EmptyState = ({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) => (
  <div className="flex flex-col items-center gap-3 rounded-card border border-dashed border-edge px-6 py-10 text-center">
    <DiamondIcon className="text-field" />
    <h2 className="text-18">{title}</h2>
    {children && <div className="max-w-measure text-balance text-ink-2">{children}</div>}
    {action && <div className="mt-2">{action}</div>}
  </div>
)

/** For content that failed to load: what happened, what to do, and a button to try again. */
export const ErrorState = ({
  title = 'This did not load',
  error,
  retry,
  action,
}: {
  title?: string
  error?: string
  retry?: () => void
  action?: ReactNode
}) => (
  <div role="alert" className="flex flex-col items-center gap-3 rounded-card border border-line bg-paper px-6 py-10 text-center">
    <DiamondIcon className="text-red" />
    <h2 className="text-18">{title}</h2>
    {error && <p className="max-w-measure text-balance text-ink-2 wrap-anywhere">{error}</p>}
    <div className="mt-2 flex flex-wrap justify-center gap-2">
      {retry && (
        <Button variant="secondary" onClick={retry}>
          Try again
        </Button>
      )}
      {action}
    </div>
  </div>
)

/** A smaller error state for a card that has its own heading. */
export const CardError = ({ className, error, retry }: { className?: string; error: string; retry: () => void }) => (
  <div className={cx('flex flex-col items-start gap-2', className)}>
    <p className="text-14 wrap-anywhere">{error}</p>
    <Button variant="secondary" size="sm" onClick={retry}>
      Try again
    </Button>
  </div>
)
