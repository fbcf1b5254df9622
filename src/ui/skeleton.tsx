import { cx } from './cx.ts'

/** A gray placeholder for content that is loading; its class sets width and height. Put several inside a `LoadingRegion`. */
export const Skeleton = ({ className }: { className?: string }) => (
  <span
    aria-hidden="true"
    className={cx('block max-w-full animate-pulse rounded-field bg-[color-mix(in_oklab,var(--line)_65%,transparent)]', className)}
  />
)

/** Announces once to screen readers that its content is loading. */
export const LoadingRegion = ({
  label = 'Loading...',
  className,
  children,
}: {
  label?: string
  className?: string
  children: React.ReactNode
}) => (
  <div role="status" className={className}>
    <span className="sr-only">{label}</span>
    {children}
  </div>
)
