import { Link2 } from 'lucide-react'
import { useId, useState } from 'react'
import { NoteKindMark } from '../../../folders/NoteKindMark.tsx'
import { NOTE_KIND_DISPLAY } from '../../../folders/notes.ts'
import { Button } from '../../../ui/button.tsx'
import { capitalize } from '../../../ui/capitalize.ts'
import { cx } from '../../../ui/cx.ts'
import { findPhrases, isStarterPhrase, type OwnOrStarterPhrase } from './find-phrases.ts'

const focusElement = (input: HTMLInputElement | null) => input?.focus({ preventScroll: true })

/**
 * A search field for phrases inside a note: arrow keys select, Enter inserts, Escape returns to the note. A slash typed in the empty field
 * inserts a slash into the note. `onLeave` receives the text to insert instead of a phrase, or an empty string.
 */
export function PhraseFinder({
  phrases,
  onPick,
  onLeave,
  onManage,
}: {
  phrases: readonly OwnOrStarterPhrase[]
  onPick: (phrase: OwnOrStarterPhrase) => void
  onLeave: (text: string) => void
  onManage: () => void
}) {
  const list = useId()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const found = findPhrases(phrases, typed)
  const chosen = found[Math.min(at, found.length - 1)]

  function press(e: React.KeyboardEvent<HTMLInputElement>) {
    const move = { ArrowDown: 1, ArrowUp: -1 }[e.key]
    if (move) setAt((Math.min(at, found.length - 1) + move + found.length) % Math.max(1, found.length))
    else if (e.key === 'Enter') chosen && onPick(chosen)
    else if (e.key === 'Escape') onLeave('')
    else if (e.key === '/' && !typed) onLeave('/')
    else return
    e.preventDefault()
    e.stopPropagation()
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a search field with its results is not a form
    <div
      role="group"
      aria-label="Your phrases"
      className="mt-1 rounded-field border border-edge bg-paper p-2 shadow-float"
      onBlur={e => e.currentTarget.contains(e.relatedTarget) || onLeave('')}
    >
      <input
        ref={focusElement}
        role="combobox"
        aria-label="Find a phrase"
        aria-expanded={found.length > 0}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={chosen && `${list}-${chosen.id}`}
        placeholder="Type to find a phrase"
        autoComplete="off"
        value={typed}
        onChange={e => {
          setTyped(e.currentTarget.value)
          setAt(0)
        }}
        onKeyDown={press}
        className="h-11 w-full rounded-field bg-ink-wash px-3 text-16 placeholder:text-ink-2"
      />
      {found.length > 0 ? (
        <div id={list} role="listbox" aria-label="Phrases" className="mt-1 max-h-72 overflow-y-auto">
          {found.map(phrase => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field above
            <div
              key={phrase.id}
              id={`${list}-${phrase.id}`}
              role="option"
              aria-selected={phrase === chosen}
              ref={option => {
                if (phrase === chosen) option?.scrollIntoView({ block: 'nearest' })
              }}
              // Keeps the focus in the field.
              onPointerDown={e => e.preventDefault()}
              onClick={() => onPick(phrase)}
              className={cx(
                'flex min-h-11 cursor-pointer gap-2 rounded-field p-2',
                phrase === chosen ? 'bg-field-wash' : 'hover:bg-ink-wash',
              )}
            >
              <NoteKindMark kind={phrase.kind} className="mt-2 shrink-0" />
              <span className="min-w-0 flex-1">
                <span className="sr-only">{NOTE_KIND_DISPLAY[phrase.kind].label}: </span>
                <span className="line-clamp-2 wrap-anywhere">{phrase.text}</span>
              </span>
              {isStarterPhrase(phrase) && <span className="shrink-0 pt-0.5 text-13 text-ink-2">{capitalize(phrase.skill)}</span>}
              {phrase.link && <Link2 aria-label="with a link" size={18} strokeWidth={1.75} className="mt-1 shrink-0 text-ink-2" />}
            </div>
          ))}
        </div>
      ) : (
        <p id={list} className="p-2 text-14 text-ink-2">
          No phrase matches.
        </p>
      )}
      <Button variant="quiet" size="sm" onClick={onManage} className="mt-1">
        All your phrases
      </Button>
    </div>
  )
}
