import type { ReactNode } from 'react'
import { cx } from './cx.ts'

export type BadgeTone = 'ink' | 'field' | 'clay' | 'sky' | 'gold' | 'red'

const tones: Record<BadgeTone, string> = {
  ink: 'bg-ink-wash text-ink-2',
  field: 'bg-field-wash text-field',
  clay: 'bg-clay-wash text-clay',
  sky: 'bg-sky-wash text-sky',
  // Plain gold has a contrast of only about 4.1:1 on its wash.
  gold: 'bg-gold-wash text-[color-mix(in_oklab,var(--gold)_80%,var(--ink))]',
  red: 'bg-red-wash text-red',
}

/** A small rounded label for a status or a tag. `dot` puts a small base (a diamond) in front, for a status. */
export const Badge = ({
  tone = 'ink',
  dot = false,
  className,
  children,
}: {
  tone?: BadgeTone
  dot?: boolean
  className?: string
  children: ReactNode
}) => (
  <span
    className={cx(
      'inline-flex items-center gap-1.5 rounded-full px-2.5 py-0.5 text-13 font-medium whitespace-nowrap',
      tones[tone],
      className,
    )}
  >
    {dot && <span aria-hidden="true" className="size-1.5 rotate-45 bg-current" />}
    {children}
  </span>
)
