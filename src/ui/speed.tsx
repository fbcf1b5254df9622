import { ChevronDown } from 'lucide-react'
import { cx } from './cx.ts'

/** How fast something plays: one of a few speeds, `1` as it was. */
export const Speed = ({
  label,
  value,
  speeds,
  onChange,
  className,
}: {
  label: string
  value: number
  speeds: readonly number[]
  onChange: (speed: number) => void
  /** Its width. */
  className?: string
}) => (
  <span className="relative shrink-0">
    <select
      aria-label={label}
      value={value}
      onChange={e => onChange(Number(e.currentTarget.value))}
      className={cx(
        'h-11 cursor-pointer appearance-none rounded-field bg-transparent pr-6 pl-1 text-right text-14 font-medium hover:bg-ink-wash',
        className ?? 'w-16',
      )}
    >
      {speeds.map(s => (
        <option key={s} value={s} className="bg-paper text-ink">
          {s}×
        </option>
      ))}
    </select>
    <ChevronDown
      aria-hidden="true"
      size={16}
      strokeWidth={1.75}
      className="pointer-events-none absolute top-1/2 right-1.5 -translate-y-1/2 text-ink-2"
    />
  </span>
)
