import { BookmarkPlus, Text, X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useDeferredValue, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Draft, NoteKind } from '../../../modules/folders/contract.ts'
import { MAX_SESSION_TEXT_LENGTH } from '../../../modules/folders/policy.ts'
import { ExternalSiteLink } from '../../feedback/ExternalSiteLink.tsx'
import { NOTE_KIND_DISPLAY } from '../../folders/notes.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { FieldError } from '../../ui/field.tsx'
import { isShortScreen } from '../../ui/short-screen.ts'
import { NoteHeader, type NoteHeaderCallbacks } from './NoteHeader.tsx'
import type { OwnOrStarterPhrase } from './phrases/find-phrases.ts'
import { PhraseFinder } from './phrases/PhraseFinder.tsx'
import { saveAsPhrase } from './phrases/save-as-phrase.ts'
import { isEmptyNote, textLimitMessage } from './review-completeness.ts'

type Note = Draft['notes'][number]
const icon = { size: 18, strokeWidth: 1.75, 'aria-hidden': true } as const

const kinds = Object.keys(NOTE_KIND_DISPLAY) as NoteKind[]

/** Whether the stage is above the notes and scrolls away with them, as on a phone in landscape. */
const isStageAboveNotes = () => matchMedia('(width < 64rem)').matches && isShortScreen()

/** An editable note: its moment, kind and text, and a finder that inserts phrases. */
export function NoteEditor({
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
}: NoteHeaderCallbacks & {
  note: Note
  number: number
  current: boolean
  /** Whether the note's text takes the focus, because the note was just added or is to be edited. */
  fresh: boolean
  phrases: readonly OwnOrStarterPhrase[]
  onDraw: () => void
  /** Opens the dialog with all phrases. */
  onPhrases: () => void
  /** The note's voice-over controls. */
  children?: ReactNode
}) {
  const text = useRef<HTMLTextAreaElement>(null)
  const card = useRef<HTMLLIElement>(null)
  /** The position in the text where a phrase will be inserted; undefined while the finder is closed. */
  const [finderPosition, setFinderPosition] = useState<number>()
  /** Where to put the cursor after an insertion. */
  const nextCursor = useRef<number>(undefined)
  // A new note renders its text field first, so that typing can begin; its other controls follow.
  const isComplete = useDeferredValue(true, !fresh)
  useEffect(() => {
    if (fresh) text.current?.focus()
  }, [fresh])
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after the text has changed
  useLayoutEffect(() => {
    if (nextCursor.current !== undefined) text.current?.setSelectionRange(nextCursor.current, nextCursor.current)
    nextCursor.current = undefined
  }, [note.text])

  /** Inserts text at the finder's position. A phrase also sets the note's link and, in an empty note, its kind. */
  function insertText(words: string, phrase?: OwnOrStarterPhrase) {
    const at = finderPosition ?? note.text.length
    setFinderPosition(undefined)
    text.current?.focus()
    const [before, after] = [note.text.slice(0, at), note.text.slice(at)]
    const gap = phrase && before && !/\s$/.test(before) ? ' ' : ''
    nextCursor.current = at + gap.length + words.length
    onChange(note.id, {
      text: `${before}${gap}${words}${after}`.slice(0, MAX_SESSION_TEXT_LENGTH),
      ...(phrase && !note.text.trim() && { kind: phrase.kind }),
      ...(phrase?.link && { link: phrase.link }),
    })
  }
  function closeFinder(words: string) {
    if (finderPosition === undefined) return
    if (words) return insertText(words)
    setFinderPosition(undefined)
    // If the user has pressed something outside the card, that keeps the focus.
    if (!card.current?.contains(document.activeElement)) return
    text.current?.focus()
    text.current?.setSelectionRange(finderPosition, finderPosition)
  }
  function press(e: KeyboardEvent<HTMLTextAreaElement>) {
    const { selectionStart: at, value } = e.currentTarget
    if (e.key === 'Escape') {
      if (isEmptyNote(note)) onRemove(note.id)
      else text.current?.blur()
    } else if (e.key === '/' && !e.altKey && !e.ctrlKey && !e.metaKey && /(^|\s)$/.test(value.slice(0, at))) setFinderPosition(at)
    else if (e.altKey && e.code === 'KeyK') onChange(note.id, { kind: kinds[(kinds.indexOf(note.kind) + 1) % kinds.length]! })
    else if (e.altKey && e.code === 'KeyP') saveAsPhrase(note, phrases)
    else if (e.altKey && e.code === 'KeyD') onDraw()
    else return
    e.preventDefault()
  }
  useEffect(() => {
    if (current && !isStageAboveNotes()) card.current?.scrollIntoView({ block: 'nearest' })
  }, [current])
  return (
    <li
      ref={card}
      className={cx(
        'rounded-field border p-2 transition-[border-color] [contain-intrinsic-size:auto_9rem] [content-visibility:auto]',
        current ? 'border-field bg-field-wash' : 'border-line bg-paper',
      )}
    >
      {isComplete ? (
        <NoteHeader
          {...{ number, onChange, onRemove, onGo, onPin, onEnd }}
          {...{ id: note.id, kind: note.kind, at: note.at, frame: note.frame, until: note.until }}
          drawings={note.shapes?.length ?? 0}
        />
      ) : (
        <div className="h-11" />
      )}
      <textarea
        ref={text}
        aria-label={`Note ${number}`}
        value={note.text}
        maxLength={MAX_SESSION_TEXT_LENGTH}
        // Approximates the height in browsers without `field-sizing`.
        rows={Math.min(
          12,
          Math.max(
            2,
            note.text.split('\n').reduce((rows, line) => rows + 1 + Math.floor(line.length / 38), 0),
          ),
        )}
        placeholder="What you see, and what to do about it"
        onChange={e => onChange(note.id, { text: e.currentTarget.value })}
        onFocus={() => current || onGo(note.id)}
        onKeyDown={press}
        className="field-sizing-content block min-h-16 w-full resize-none rounded-field bg-transparent px-2 py-1 text-16 placeholder:text-ink-2"
      />
      {children}
      <FieldError id={`${note.id}-error`} error={textLimitMessage(note.text)} />
      {note.link && (
        <div className="flex items-center pl-2">
          <ExternalSiteLink link={note.link} />
          <IconButton
            label={`Remove the link of note ${number}`}
            onClick={() => onChange(note.id, { link: undefined })}
            className="text-ink-2"
          >
            <X {...icon} />
          </IconButton>
        </div>
      )}
      {finderPosition !== undefined ? (
        <PhraseFinder phrases={phrases} onPick={phrase => insertText(phrase.text, phrase)} onLeave={closeFinder} onManage={onPhrases} />
      ) : (
        current && (
          <div className="flex min-h-11 flex-wrap md:min-h-9">
            {isComplete && (
              <>
                <Button
                  variant="quiet"
                  size="sm"
                  icon={<Text {...icon} />}
                  aria-keyshortcuts="/"
                  onClick={() => setFinderPosition(note.text.length)}
                  className="text-ink-2"
                >
                  Phrases
                </Button>
                <Button
                  variant="quiet"
                  size="sm"
                  icon={<BookmarkPlus {...icon} />}
                  aria-keyshortcuts="Alt+P"
                  onClick={() => saveAsPhrase(note, phrases)}
                  className="text-ink-2"
                >
                  Save as phrase
                </Button>
              </>
            )}
          </div>
        )
      )}
    </li>
  )
}
