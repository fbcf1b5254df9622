import type { AnchorHTMLAttributes, ButtonHTMLAttributes, MouseEvent, ReactNode, Ref } from 'react'
import { cx } from './cx.ts'
import { Spinner } from './spinner.tsx'

type Variant = 'primary' | 'secondary' | 'quiet' | 'danger' | 'clay' | 'ink'
type Size = 'sm' | 'md' | 'lg'
interface Look {
  /** `primary` at most once per screen; `clay` for urgent actions; `ink` for a video player's main control. */
  variant?: Variant
  size?: Size
  /** Makes the button as wide as its container. */
  wide?: boolean
  icon?: ReactNode
}

// The transparent border becomes visible in forced-colors mode, where filled backgrounds are dropped.
const variants: Record<Variant, string> = {
  primary: 'border border-transparent bg-field text-on-fill hover:bg-[color-mix(in_oklab,var(--field)_88%,var(--ink))]',
  clay: 'border border-transparent bg-clay text-on-fill hover:bg-[color-mix(in_oklab,var(--clay)_88%,var(--ink))]',
  danger: 'border border-transparent bg-red text-on-fill hover:bg-[color-mix(in_oklab,var(--red)_88%,var(--ink))]',
  secondary: 'bg-paper text-ink border border-edge hover:bg-ink-wash',
  ink: 'border border-transparent bg-ink text-paper hover:bg-[color-mix(in_oklab,var(--ink)_85%,var(--paper))]',
  quiet: 'text-ink hover:bg-ink-wash',
}
const sizes: Record<Size, string> = {
  sm: 'min-h-11 px-3 py-1 text-14 md:min-h-9',
  md: 'min-h-11 px-4 py-1 text-16',
  lg: 'min-h-13 px-6 py-1 text-18',
}
const look = ({ variant = 'primary', size = 'md', wide }: Look, className?: string) =>
  cx(
    'inline-flex items-center justify-center gap-2 rounded-field font-medium select-none sm:whitespace-nowrap transition-[background-color,transform,opacity] active:scale-[0.985] disabled:opacity-55 disabled:active:scale-100 aria-disabled:opacity-55 aria-disabled:active:scale-100',
    variants[variant],
    sizes[size],
    wide && 'w-full',
    className,
  )

const preventPress = (e: MouseEvent) => e.preventDefault()

/** A button. While `busy` it shows a spinner and ignores presses, but stays focusable, so that keyboard users keep their place. */
export function Button({
  variant,
  size,
  wide,
  icon,
  busy = false,
  className,
  children,
  ...rest
}: Look & { busy?: boolean; ref?: Ref<HTMLButtonElement> } & ButtonHTMLAttributes<HTMLButtonElement>) {
  return (
    <button
      type="button"
      {...rest}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      {...(busy && { onClick: preventPress })}
      className={look({ variant, size, wide }, className)}
    >
      {busy ? <Spinner /> : icon}
      {children}
    </button>
  )
}

export function ButtonLink({ variant, size, wide, icon, className, children, ...rest }: Look & AnchorHTMLAttributes<HTMLAnchorElement>) {
  return (
    <a {...rest} className={look({ variant, size, wide }, className)}>
      {icon}
      {children}
    </a>
  )
}

/** A square button with only an icon; `label` is its accessible name and its tooltip. */
export function IconButton({
  label,
  variant = 'quiet',
  className,
  children,
  ...rest
}: { label: string; variant?: Variant; ref?: Ref<HTMLButtonElement> } & ButtonHTMLAttributes<HTMLButtonElement>) {
  return (
    <button
      type="button"
      title={label}
      {...rest}
      aria-label={label}
      className={cx(
        'inline-grid size-11 shrink-0 place-items-center rounded-field transition-[background-color,opacity] disabled:opacity-40 aria-disabled:cursor-not-allowed aria-disabled:opacity-40',
        variants[variant],
        className,
      )}
    >
      {children}
    </button>
  )
}
