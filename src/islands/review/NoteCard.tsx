import { ArrowRightToLine, MapPin, Trash2 } from 'lucide-react'
import { memo, type ReactNode, useEffect, useRef } from 'react'
import type { Draft, NoteKind } from '../../../modules/folders/contract.ts'
import { TEXT_LENGTH } from '../../../modules/folders/policy.ts'
import { IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { FieldError } from '../../ui/field.tsx'
import { precise } from '../folder/length.ts'
import { KINDS, length } from '../folder/notes.ts'
import { full, saysNothing } from './missing.ts'

type Note = Draft['notes'][number]
const icon = { size: 18, strokeWidth: 1.75, 'aria-hidden': true } as const

/** One note while it is written: its moment, its kind, its words. */
export const NoteCard = memo(function NoteCard({
  note,
  number,
  current,
  fresh,
  onChange,
  onRemove,
  onGo,
  onPin,
  onEnd,
  children,
}: {
  note: Note
  number: number
  current: boolean
  /** Just made: the cursor goes there. */
  fresh: boolean
  onChange: (id: string, change: Partial<Note>) => void
  onRemove: (id: string) => void
  onGo: (note: Note) => void
  /** Move it to the frame that is shown. */
  onPin: (id: string) => void
  /** Let it last to the frame that is shown; where that is not after its own, it is of one frame again. */
  onEnd: (id: string) => void
  /** Its voice-over. */
  children?: ReactNode
}) {
  const text = useRef<HTMLTextAreaElement>(null)
  const card = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (fresh) text.current?.focus()
  }, [fresh])
  useEffect(() => {
    if (current) card.current?.scrollIntoView({ block: 'nearest' })
  }, [current])
  return (
    <li
      ref={card}
      className={cx('rounded-field border p-2 transition-[border-color]', current ? 'border-field bg-field-wash' : 'border-line bg-paper')}
    >
      <div className="flex items-center gap-1">
        <button
          type="button"
          onClick={() => onGo(note)}
          aria-label={`Go to note ${number} at ${precise(note.at)}`}
          className="flex min-h-11 items-center gap-2 rounded-field px-2 text-14 font-medium tabular-nums hover:bg-ink-wash"
        >
          <span aria-hidden="true" className={cx('size-2.5 rotate-45 rounded-base', KINDS[note.kind].fill)} />
          {precise(note.at)}
          {note.until !== undefined && <span className="text-ink-2">{length(note)}</span>}
        </button>
        <select
          aria-label={`Kind of note ${number}`}
          value={note.kind}
          onChange={e => onChange(note.id, { kind: e.currentTarget.value as NoteKind })}
          className={cx('h-11 rounded-field bg-transparent px-1 text-14 font-medium hover:bg-ink-wash', KINDS[note.kind].text)}
        >
          {Object.entries(KINDS).map(([kind, { label }]) => (
            <option key={kind} value={kind} className="bg-paper text-ink">
              {label}
            </option>
          ))}
        </select>
        <span className="flex-1" />
        {note.frame !== undefined && (
          <IconButton label={`End note ${number} at the frame shown`} onClick={() => onEnd(note.id)} className="text-ink-2">
            <ArrowRightToLine {...icon} />
          </IconButton>
        )}
        <IconButton label={`Move note ${number} to the frame shown`} onClick={() => onPin(note.id)} className="text-ink-2">
          <MapPin {...icon} />
        </IconButton>
        <IconButton label={`Delete note ${number}`} onClick={() => onRemove(note.id)} className="text-ink-2">
          <Trash2 {...icon} />
        </IconButton>
      </div>
      <textarea
        ref={text}
        aria-label={`Note ${number}`}
        value={note.text}
        maxLength={TEXT_LENGTH}
        // For browsers that do not know `field-sizing`.
        rows={Math.min(
          12,
          Math.max(
            2,
            note.text.split('\n').reduce((rows, line) => rows + 1 + Math.floor(line.length / 38), 0),
          ),
        )}
        placeholder="What you see, and what to do about it"
        onChange={e => onChange(note.id, { text: e.currentTarget.value })}
        onFocus={() => current || onGo(note)}
        onKeyDown={e => {
          if (e.key !== 'Escape') return
          if (saysNothing(note)) onRemove(note.id)
          else text.current?.blur()
        }}
        className="field-sizing-content block min-h-16 w-full resize-none rounded-field bg-transparent px-2 py-1 text-16 placeholder:text-ink-2"
      />
      {children}
      <FieldError id={`${note.id}-error`} error={full(note.text)} />
    </li>
  )
})
