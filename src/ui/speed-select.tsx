import { Select } from './select.tsx'

/** How fast something plays: one of a few speeds, `1` as it was. */
export const SpeedSelect = ({
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
  <Select
    label={label}
    value={`${value}`}
    options={speeds.map(s => [`${s}`, `${s}×`])}
    onChange={speed => onChange(Number(speed))}
    className={`text-right ${className ?? 'w-16'}`}
  />
)
