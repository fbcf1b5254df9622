import { useRef } from 'react'
import type { Note } from '../../modules/folders/contract.ts'
import { NOTE_KIND_DISPLAY } from '../folders/notes.ts'
import { cx } from '../ui/cx.ts'
import { NoteExternalLink } from './NoteExternalLink.tsx'
import type { ReviewPlayback } from './watch/review-playback.ts'
import { useNoteTextAutoScroll } from './watch/use-note-text-auto-scroll.ts'

/**
 * The text of the current note, shown below the video in full screen, and on a phone while a review plays. Its size is fixed, so that
 * nothing moves when the note changes; a longer text scrolls page by page.
 */
export function CurrentNote({ note, playback, isPlaying }: { note: Note | undefined; playback: ReviewPlayback; isPlaying: boolean }) {
  const box = useRef<HTMLDivElement>(null)
  useNoteTextAutoScroll(box, playback, note?.id)
  return (
    <div
      ref={box}
      aria-live="polite"
      className={cx(
        'hidden h-[clamp(4.5rem,20dvh,9.5rem)] shrink-0 overflow-y-auto border-t border-line px-4 py-2 in-[[data-full-screen]]:block portrait:in-[[data-full-screen]]:h-[22dvh] landscape:in-[[data-full-screen]]:h-20',
        // In full screen on a short display, the text is next to the video.
        'short:in-[[data-full-screen]]:h-auto short:in-[[data-full-screen]]:w-[clamp(10rem,22vw,16rem)] short:in-[[data-full-screen]]:border-t-0 short:in-[[data-full-screen]]:border-l',
        // On a phone, the text is shown only while the review plays; otherwise the list of notes shows it.
        isPlaying && 'stacked:block',
      )}
    >
      {note && (
        <>
          <p className={cx('text-13 font-medium', NOTE_KIND_DISPLAY[note.kind].text)}>{NOTE_KIND_DISPLAY[note.kind].label}</p>
          <p className="wrap-anywhere whitespace-pre-line">{note.text}</p>
          <NoteExternalLink note={note} />
        </>
      )}
    </div>
  )
}
