import { CirclePlay, X } from 'lucide-react'
import type { Video, VideoMoment } from '../../modules/folders/contract.ts'
import { IconButton } from '../ui/button.tsx'
import { formatClockHundredths } from '../ui/format-duration-and-size.ts'

const icon = { size: 18, strokeWidth: 1.75, 'aria-hidden': true } as const

/** The moment of a video that a question is about. Pressing it shows that moment on the stage. */
export function QuestionMoment({
  about,
  clips,
  onShow,
  onRemove,
}: {
  about: VideoMoment
  clips: Video[]
  onShow: (moment: VideoMoment) => void
  onRemove?: () => void
}) {
  const clip = clips.findIndex(c => c.id === about.video)
  if (clip < 0) return null
  return (
    <p className="flex w-fit items-center rounded-field bg-sky-wash text-sky">
      <button
        type="button"
        onClick={() => onShow(about)}
        className="inline-flex min-h-11 items-center gap-2 rounded-field px-3 text-14 font-medium tabular-nums hover:bg-ink-wash"
      >
        <CirclePlay {...icon} />
        <span>
          <span className="sr-only">Show </span>
          {clips.length > 1 && `Video ${clip + 1}, `}
          {formatClockHundredths(about.at)}
        </span>
      </button>
      {onRemove && (
        <IconButton label="Remove this moment" onClick={onRemove}>
          <X {...icon} />
        </IconButton>
      )}
    </p>
  )
}
