import { cx } from './cx.ts'

/** The logo: two linked diamonds. Decorative, because the name is always next to it. */
export const LogoMark = ({ className }: { className?: string }) => (
  <svg viewBox="0 0 44 32" fill="none" aria-hidden="true" className={cx('h-8 w-11 shrink-0', className)}>
    <g strokeWidth="3.5" strokeLinejoin="round">
      <path d="M28.5 4.5 40 16 28.5 27.5 17 16Z" stroke="var(--clay)" />
      <path d="M15.5 4.5 27 16 15.5 27.5 4 16Z" stroke="var(--paper)" strokeWidth="6.5" opacity="0" />
      <path d="M15.5 4.5 27 16 15.5 27.5 4 16Z" stroke="var(--field)" />
      <path d="M22 21 17 16" stroke="var(--clay)" />
    </g>
  </svg>
)
