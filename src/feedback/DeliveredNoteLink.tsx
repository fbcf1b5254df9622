import type { Note } from '../../modules/folders/contract.ts'
import { NoteLink } from './NoteLink.tsx'

/** The link of a delivered note, if it has one. */
export const DeliveredNoteLink = ({ note, className }: { note: Pick<Note, 'link'>; className?: string }) =>
  note.link && (
    <div className={className}>
      <NoteLink link={note.link} />
    </div>
  )
