import { ArrowRightToLine, MapPin, PencilLine, Trash2 } from 'lucide-react'
import { memo } from 'react'
import type { Draft, NoteKind } from '../../../modules/folders/contract.ts'
import { countWithNoun } from '../../../modules/format-cents-and-counts.ts'
import { NoteKindMark } from '../../folders/NoteKindMark.tsx'
import { NOTE_KIND_DISPLAY, rangeLengthText } from '../../folders/notes.ts'
import { IconButton } from '../../ui/button.tsx'
import { CompactSelect } from '../../ui/compact-select.tsx'
import { formatClockHundredths } from '../../ui/format-duration-and-size.ts'

type Note = Draft['notes'][number]
const icon = { size: 18, strokeWidth: 1.75, 'aria-hidden': true } as const
const KIND_OPTIONS = (Object.keys(NOTE_KIND_DISPLAY) as NoteKind[]).map(kind => [kind, NOTE_KIND_DISPLAY[kind].label] as const)

/** What a note's buttons do. Each callback gets the note's id. */
export interface NoteHeaderCallbacks {
  onChange: (id: string, change: Partial<Note>) => void
  onRemove: (id: string) => void
  /** Shows the note's moment and makes it the current note. */
  onGo: (id: string) => void
  /** Moves the note to the current frame. */
  onPin: (id: string) => void
  /** Ends the note's range at the current frame. If that frame is not after the note's own, removes the range. */
  onEnd: (id: string) => void
}

/** A note's moment, kind and actions. Memoized, so that typing in the note does not rerender it. */
export const NoteHeader = memo(function NoteHeader({
  id,
  number,
  kind,
  at,
  frame,
  until,
  drawings,
  onChange,
  onRemove,
  onGo,
  onPin,
  onEnd,
}: NoteHeaderCallbacks & Pick<Note, 'id' | 'kind' | 'at' | 'frame' | 'until'> & { number: number; drawings: number }) {
  return (
    <div className="flex flex-wrap items-center gap-x-1">
      <button
        type="button"
        onClick={() => onGo(id)}
        aria-label={`Go to note ${number} at ${formatClockHundredths(at)}`}
        className="flex min-h-11 items-center gap-2 whitespace-nowrap rounded-field px-2 text-14 font-medium tabular-nums hover:bg-ink-wash"
      >
        <NoteKindMark kind={kind} />
        {formatClockHundredths(at)}
        {until !== undefined && <span className="text-ink-2">{rangeLengthText({ frame, until })}</span>}
      </button>
      <CompactSelect
        label={`Kind of note ${number}`}
        value={kind}
        options={KIND_OPTIONS}
        onChange={next => onChange(id, { kind: next as NoteKind })}
        className={NOTE_KIND_DISPLAY[kind].text}
      />
      <span className="flex min-w-0 flex-1 items-center gap-1 overflow-hidden text-13 text-ink-2 tabular-nums">
        {drawings > 0 && (
          <>
            <PencilLine aria-hidden="true" size={16} strokeWidth={1.75} className="shrink-0" />
            <span aria-hidden="true">{drawings}</span>
            <span className="sr-only">{countWithNoun(drawings, 'drawing')}</span>
          </>
        )}
      </span>
      {/* These buttons stay together: if the length of a range leaves too little room, they wrap to a second line. */}
      <span className="ml-auto flex items-center gap-1">
        {frame !== undefined && (
          <IconButton label={`End note ${number} at the frame shown`} onClick={() => onEnd(id)} className="text-ink-2">
            <ArrowRightToLine {...icon} />
          </IconButton>
        )}
        <IconButton label={`Move note ${number} to the frame shown`} onClick={() => onPin(id)} className="text-ink-2">
          <MapPin {...icon} />
        </IconButton>
        <IconButton label={`Delete note ${number}`} onClick={() => onRemove(id)} className="text-ink-2">
          <Trash2 {...icon} />
        </IconButton>
      </span>
    </div>
  )
})
