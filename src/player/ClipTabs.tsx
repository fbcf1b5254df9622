import type { Video } from '../../modules/folders/contract.ts'
import { countWithNoun } from '../../modules/format-cents-and-counts.ts'
import { cx } from '../ui/cx.ts'
import { formatDurationMsAsClock, formatMillisecondsAsClock } from '../ui/format-duration-and-size.ts'
import { isBeingPrepared, preparationLabel } from './clip-preparation-status.ts'
import { VideoPoster } from './VideoPoster.tsx'

/** A short label for a clip that is being prepared or cannot be played; undefined for any other clip. */
const stateOf = (clip: Video) =>
  isBeingPrepared(clip) ? preparationLabel(clip.rendition!) : clip.rendition?.unseen ? 'Cannot be played' : undefined

/** The clips of a folder as tabs; the stage shows the selected clip. */
export const ClipTabs = ({
  clips,
  selected,
  onSelect,
  notes,
  className,
}: {
  clips: Video[]
  selected: string
  onSelect: (clip: Video) => void
  /** Returns the number of notes on the clip with this id. */
  notes?: (video: string) => number
  className?: string
}) => (
  <fieldset aria-label="Videos" className={cx('flex gap-2 overflow-x-auto', className)}>
    {clips.map((clip, i) => (
      <button
        key={clip.id}
        type="button"
        aria-pressed={clip.id === selected}
        aria-label={`Video ${i + 1}: ${clip.name}, ${formatMillisecondsAsClock(clip.milliseconds)}${notes ? `, ${countWithNoun(notes(clip.id), 'note')}` : ''}${stateOf(clip) ? `, ${stateOf(clip)}` : ''}`}
        onClick={() => onSelect(clip)}
        className={cx(
          'relative w-28 shrink-0 overflow-hidden rounded-field border-2',
          clip.id === selected ? 'border-field' : 'border-transparent hover:border-edge',
        )}
      >
        <VideoPoster src={clip.poster} />
        {stateOf(clip) && (
          <span
            aria-hidden="true"
            data-theme="studio"
            className="absolute inset-x-0 top-1/2 -translate-y-1/2 bg-shade px-1 py-0.5 text-center text-13 text-ink tabular-nums"
          >
            {stateOf(clip)}
          </span>
        )}
        <span
          aria-hidden="true"
          data-theme="studio"
          className="absolute right-1 bottom-1 rounded-base bg-chalk px-1.5 text-13 text-ink tabular-nums"
        >
          {clip.milliseconds > 0 ? formatDurationMsAsClock(clip.milliseconds) : `Video ${i + 1}`}
        </span>
        {!!notes?.(clip.id) && (
          <span aria-hidden="true" className="absolute top-1 left-1 rounded-full bg-clay px-1.5 text-13 font-medium text-on-fill">
            {notes(clip.id)}
          </span>
        )}
      </button>
    ))}
  </fieldset>
)
