import { Columns2, GalleryHorizontalEnd, Layers2, type LucideIcon } from 'lucide-react'
import { useId } from 'react'
import type { Comparison } from '../../modules/reviews/contract.ts'
import { cx } from '../ui/cx.ts'

const MODES: [Comparison['mode'], string, LucideIcon][] = [
  ['side', 'Side by side', Columns2],
  ['slider', 'Slider', GalleryHorizontalEnd],
  ['ghost', 'Overlay', Layers2],
]

/** Lets the viewer choose how the two pictures are laid out. */
export function ComparisonModePicker({
  mode,
  onMode,
  className,
}: {
  mode: Comparison['mode']
  onMode: (mode: Comparison['mode']) => void
  className?: string
}) {
  const name = useId()
  return (
    <fieldset className={cx('flex rounded-field bg-ink-wash p-0.5', className)}>
      <legend className="sr-only">Layout of the clips</legend>
      {MODES.map(([value, label, Icon]) => (
        <label
          key={value}
          title={label}
          className="flex h-11 cursor-pointer items-center gap-1.5 rounded-[7px] px-2.5 text-14 font-medium text-ink-2 has-checked:bg-paper has-checked:text-ink has-focus-visible:outline-3 has-focus-visible:outline-sky"
        >
          <input type="radio" name={name} className="sr-only" checked={value === mode} onChange={() => onMode(value)} />
          <Icon aria-hidden="true" size={18} strokeWidth={1.75} />
          <span className="short:max-[820px]:sr-only">{label}</span>
        </label>
      ))}
    </fieldset>
  )
}
