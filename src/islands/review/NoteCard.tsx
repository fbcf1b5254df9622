import { ArrowRightToLine, BookmarkPlus, MapPin, PencilLine, Text, Trash2, X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Draft, NoteKind } from '../../../modules/folders/contract.ts'
import { TEXT_LENGTH } from '../../../modules/folders/policy.ts'
import type { Phrase } from '../../../modules/phrases/contract.ts'
import { counted } from '../../../modules/words.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { FieldError } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { precise } from '../folder/length.ts'
import { NoteLink } from '../folder/NoteLink.tsx'
import { KINDS, length } from '../folder/notes.ts'
import { full, saysNothing } from './missing.ts'
import { Finder } from './phrases/Finder.tsx'
import { keepAsPhrase } from './phrases/keep.ts'

type Note = Draft['notes'][number]
const icon = { size: 18, strokeWidth: 1.75, 'aria-hidden': true } as const

const kinds = Object.keys(KINDS) as NoteKind[]
const CHOICES = kinds.map(kind => [kind, KINDS[kind].label] as const)

/** One note while it is written: its moment, its kind, its words, and a phrase put into them. */
export function NoteCard({
  note,
  number,
  current,
  fresh,
  phrases,
  onChange,
  onRemove,
  onGo,
  onPin,
  onEnd,
  onDraw,
  onPhrases,
  children,
}: {
  note: Note
  number: number
  current: boolean
  /** Just made: the cursor goes there. */
  fresh: boolean
  phrases: readonly Phrase[]
  onChange: (id: string, change: Partial<Note>) => void
  onRemove: (id: string) => void
  onGo: (note: Note) => void
  /** Move it to the frame that is shown. */
  onPin: (id: string) => void
  /** Let it last to the frame that is shown; where that is not after its own, it is of one frame again. */
  onEnd: (id: string) => void
  onDraw: () => void
  /** Shows all phrases. */
  onPhrases: () => void
  /** Its voice-over. */
  children?: ReactNode
}) {
  const text = useRef<HTMLTextAreaElement>(null)
  const card = useRef<HTMLLIElement>(null)
  /** Where a phrase goes that is being looked for. */
  const [finding, setFinding] = useState<number>()
  /** Where the cursor stands once its new words are there. */
  const cursor = useRef<number>(undefined)
  useEffect(() => {
    if (fresh) text.current?.focus()
  }, [fresh])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the words have changed
  useLayoutEffect(() => {
    if (cursor.current !== undefined) text.current?.setSelectionRange(cursor.current, cursor.current)
    cursor.current = undefined
  }, [note.text])

  /** Puts words where they were looked for; those of a phrase bring its kind, into an empty note, and its link. */
  function put(words: string, phrase?: Phrase) {
    const at = finding ?? note.text.length
    setFinding(undefined)
    text.current?.focus()
    const [before, after] = [note.text.slice(0, at), note.text.slice(at)]
    const gap = phrase && before && !/\s$/.test(before) ? ' ' : ''
    cursor.current = at + gap.length + words.length
    onChange(note.id, {
      text: `${before}${gap}${words}${after}`.slice(0, TEXT_LENGTH),
      ...(phrase && !note.text.trim() && { kind: phrase.kind }),
      ...(phrase?.link && { link: phrase.link }),
    })
  }
  function leave(words: string) {
    if (finding === undefined) return
    if (words) return put(words)
    setFinding(undefined)
    // Whoever pressed elsewhere stays there.
    if (!card.current?.contains(document.activeElement)) return
    text.current?.focus()
    text.current?.setSelectionRange(finding, finding)
  }
  function press(e: KeyboardEvent<HTMLTextAreaElement>) {
    const { selectionStart: at, value } = e.currentTarget
    if (e.key === 'Escape') {
      if (saysNothing(note)) onRemove(note.id)
      else text.current?.blur()
    } else if (e.key === '/' && !e.altKey && !e.ctrlKey && !e.metaKey && /(^|\s)$/.test(value.slice(0, at))) setFinding(at)
    else if (e.altKey && e.code === 'KeyK') onChange(note.id, { kind: kinds[(kinds.indexOf(note.kind) + 1) % kinds.length]! })
    else if (e.altKey && e.code === 'KeyP') keepAsPhrase(note, phrases)
    else if (e.altKey && e.code === 'KeyD') onDraw()
    else return
    e.preventDefault()
  }
  useEffect(() => {
    if (current) card.current?.scrollIntoView({ block: 'nearest' })
  }, [current])
  return (
    <li
      ref={card}
      className={cx(
        'rounded-field border p-2 transition-[border-color] [contain-intrinsic-size:auto_9rem] [content-visibility:auto]',
        current ? 'border-field bg-field-wash' : 'border-line bg-paper',
      )}
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
        <Select
          label={`Kind of note ${number}`}
          value={note.kind}
          options={CHOICES}
          onChange={kind => onChange(note.id, { kind: kind as NoteKind })}
          className={KINDS[note.kind].text}
        />
        <span className="flex min-w-0 flex-1 items-center gap-1 overflow-hidden text-13 text-ink-2 tabular-nums">
          {!!note.shapes?.length && (
            <>
              <PencilLine aria-hidden="true" size={16} strokeWidth={1.75} className="shrink-0" />
              <span aria-hidden="true">{note.shapes.length}</span>
              <span className="sr-only">{counted(note.shapes.length, 'drawing')}</span>
            </>
          )}
        </span>
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
        onKeyDown={press}
        className="field-sizing-content block min-h-16 w-full resize-none rounded-field bg-transparent px-2 py-1 text-16 placeholder:text-ink-2"
      />
      {children}
      <FieldError id={`${note.id}-error`} error={full(note.text)} />
      {note.link && (
        <div className="flex items-center pl-2">
          <NoteLink link={note.link} />
          <IconButton
            label={`Take the link off note ${number}`}
            onClick={() => onChange(note.id, { link: undefined })}
            className="text-ink-2"
          >
            <X {...icon} />
          </IconButton>
        </div>
      )}
      {finding !== undefined ? (
        <Finder phrases={phrases} onPick={phrase => put(phrase.text, phrase)} onLeave={leave} onManage={onPhrases} />
      ) : (
        current && (
          <div className="flex flex-wrap">
            <Button
              variant="quiet"
              size="sm"
              icon={<Text {...icon} />}
              aria-keyshortcuts="/"
              onClick={() => setFinding(note.text.length)}
              className="text-ink-2"
            >
              Phrases
            </Button>
            <Button
              variant="quiet"
              size="sm"
              icon={<BookmarkPlus {...icon} />}
              aria-keyshortcuts="Alt+P"
              onClick={() => keepAsPhrase(note, phrases)}
              className="text-ink-2"
            >
              Keep as a phrase
            </Button>
          </div>
        )
      )}
    </li>
  )
}
