import { cx } from './cx.ts'

/** A gray bar in the shape of the content that loads; give it width and height. Put several inside a `LoadingRegion`. */
export const Skeleton = ({ className }: { className?: string }) => (
  <span
    aria-hidden="true"
    className={cx('block animate-pulse rounded-field bg-[color-mix(in_oklab,var(--line)_65%,transparent)]', className)}
  />
)

/** Announces to screen readers, once, that its content loads. */
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
