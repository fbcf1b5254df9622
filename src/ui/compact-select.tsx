import { ChevronDown } from 'lucide-react'
import { cx } from './cx.ts'

/** A compact select for toolbars and running text; its label is visually hidden. */
export const CompactSelect = ({
  label,
  value,
  options,
  onChange,
  framed,
  className,
}: {
  label: string
  value: string
  options: readonly (readonly [value: string, name: string])[]
  onChange: (value: string) => void
  /** Whether the select has a border like other fields. */
  framed?: boolean
  className?: string | undefined
}) => (
  <span className="relative shrink-0">
    <select
      aria-label={label}
      title={label}
      value={value}
      onChange={e => onChange(e.currentTarget.value)}
      className={cx(
        'h-11 cursor-pointer appearance-none rounded-field text-14 font-medium hover:bg-ink-wash',
        framed ? 'border border-edge bg-paper pr-9 pl-3' : 'bg-transparent pr-6 pl-1',
        className,
      )}
    >
      {options.map(([key, name]) => (
        <option key={key} value={key} className="bg-paper text-ink">
          {name}
        </option>
      ))}
    </select>
    <ChevronDown
      aria-hidden="true"
      size={16}
      strokeWidth={1.75}
      className={cx('pointer-events-none absolute top-1/2 -translate-y-1/2 text-ink-2', framed ? 'right-3' : 'right-1.5')}
    />
  </span>
)
