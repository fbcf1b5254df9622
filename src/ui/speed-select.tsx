import { CompactSelect } from './compact-select.tsx'

/** A select for the playback speed; `1` is normal speed. */
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
  /** Sets the width. */
  className?: string
}) => (
  <CompactSelect
    label={label}
    value={`${value}`}
    options={speeds.map(s => [`${s}`, `${s}×`])}
    onChange={speed => onChange(Number(speed))}
    className={`text-right ${className ?? 'w-16'}`}
  />
)
