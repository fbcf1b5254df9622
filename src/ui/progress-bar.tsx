import { cx } from './cx.ts'

const tones = { field: 'text-field', ink: 'text-ink-2', clay: 'text-clay' }

/** A progress bar for 0–100; indeterminate without a value. */
export const ProgressBar = ({
  label,
  value,
  tone = 'field',
  className,
}: {
  label: string
  value?: number
  tone?: keyof typeof tones
  className?: string
}) => (
  <progress
    max={100}
    value={value}
    aria-label={label}
    className={cx(
      'block h-1.5 w-full appearance-none overflow-hidden rounded-full border-0 bg-line',
      '[&::-moz-progress-bar]:bg-current [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:rounded-full [&::-webkit-progress-value]:bg-current [&::-webkit-progress-value]:transition-[inline-size]',
      tones[tone],
      className,
    )}
  />
)
