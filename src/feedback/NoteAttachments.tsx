import type { Note } from '../../modules/folders/contract.ts'
import { NoteLink } from './NoteLink.tsx'

/** What a delivered note leads to beside its words, wherever the note is shown. */
export const NoteAttachments = ({ note, className }: { note: Pick<Note, 'link'>; className?: string }) =>
  note.link && (
    <div className={className}>
      <NoteLink link={note.link} />
    </div>
  )
