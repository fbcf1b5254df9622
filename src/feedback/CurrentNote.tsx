import { NOTE_KINDS, type PinnedNote } from '../folders/notes.ts'
import { cx } from '../ui/cx.ts'
import { NoteLink } from './NoteLink.tsx'

/** On a phone, below the stage while a review plays: the words of the note that is shown. Its height is fixed, so that nothing moves. */
export const CurrentNote = ({ note }: { note: PinnedNote | undefined }) => (
  <div aria-live="polite" className="h-[clamp(4.5rem,20dvh,9.5rem)] overflow-y-auto border-t border-line px-4 py-3 lg:hidden">
    {note && (
      <>
        <p className={cx('text-13 font-medium', NOTE_KINDS[note.kind].text)}>{NOTE_KINDS[note.kind].label}</p>
        <p className="wrap-anywhere whitespace-pre-line">{note.text}</p>
        {note.link && <NoteLink link={note.link} />}
      </>
    )}
  </div>
)
