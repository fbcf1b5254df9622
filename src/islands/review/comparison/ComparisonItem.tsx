import { PenLine, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Comparison } from '../../../../modules/reviews/contract.ts'
import { MAX_COMPARISON_TITLE_LENGTH } from '../../../../modules/reviews/policy.ts'
import { comparisonTitle, type LabeledClipPair } from '../../../comparison/labeled-clips.ts'
import { VideoPoster } from '../../../player/VideoPoster.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { cx } from '../../../ui/cx.ts'

const icon = { size: 18, strokeWidth: 1.75, 'aria-hidden': true } as const

/** A comparison in the list, with buttons to open, rename and delete it. */
export function ComparisonItem({
  comparison,
  pair,
  number,
  hasDeletedClip,
  current,
  onShow,
  onName,
  onDelete,
}: {
  comparison: Comparison
  pair: LabeledClipPair | undefined
  number: number
  hasDeletedClip: boolean
  /** Whether the comparison is open in place of the stage. */
  current: boolean
  onShow: () => void
  onName: (title: string) => void
  onDelete: () => void
}) {
  const [naming, setNaming] = useState(false)
  const rename = useRef<HTMLButtonElement>(null)
  /** Closes the title field and returns the focus to the rename button. */
  const close = () => {
    setNaming(false)
    setTimeout(() => rename.current?.focus())
  }
  return (
    <li className={cx('flex items-center gap-1 rounded-field border p-2', current ? 'border-field' : 'border-line')}>
      {naming ? (
        <input
          ref={input => input?.focus()}
          aria-label={`Title of comparison ${number}`}
          defaultValue={comparison.title}
          maxLength={MAX_COMPARISON_TITLE_LENGTH}
          placeholder={comparisonTitle({ ...comparison, title: '' }, pair)}
          onKeyDown={e => {
            if (e.key !== 'Enter' && e.key !== 'Escape') return
            e.preventDefault()
            e.stopPropagation()
            if (e.key === 'Escape') e.currentTarget.value = comparison.title
            e.currentTarget.blur()
            close()
          }}
          onBlur={e => {
            const title = e.currentTarget.value.trim()
            if (title !== comparison.title) onName(title)
            setNaming(false)
          }}
          className="h-11 min-w-0 flex-1 rounded-field border border-edge bg-paper px-2 font-medium"
        />
      ) : (
        <button
          type="button"
          aria-current={current || undefined}
          onClick={onShow}
          className="flex min-h-11 min-w-0 flex-1 items-center gap-3 text-left"
        >
          <span aria-hidden="true" className="flex shrink-0 gap-0.5">
            {[0, 1].map(which => (
              <span key={which} className="block w-14 overflow-hidden rounded-base">
                <VideoPoster src={pair?.[which]?.clip.poster ?? null} />
              </span>
            ))}
          </span>
          <span className="min-w-0">
            <span className="line-clamp-2 font-medium wrap-anywhere">{comparisonTitle(comparison, pair)}</span>
            {hasDeletedClip && <span className="block text-13 text-red">A clip was deleted. Delete this comparison.</span>}
          </span>
        </button>
      )}
      <IconButton ref={rename} label={`Rename comparison ${number}`} onClick={() => setNaming(true)}>
        <PenLine {...icon} />
      </IconButton>
      <IconButton label={`Delete comparison ${number}`} onClick={onDelete}>
        <Trash2 {...icon} />
      </IconButton>
    </li>
  )
}
