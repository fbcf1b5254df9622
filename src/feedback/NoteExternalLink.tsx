import type { Note } from '../../modules/folders/contract.ts'
import { ExternalSiteLink } from './ExternalSiteLink.tsx'

/** The link to more material in a delivered note, if it has one. */
export const NoteExternalLink = ({ note, className }: { note: Pick<Note, 'link'>; className?: string }) =>
  note.link && (
    <div className={className}>
      <ExternalSiteLink link={note.link} />
    </div>
  )
