import type { Note } from '../../modules/folders/contract.ts'
import { ExternalSiteLink } from './ExternalSiteLink.tsx'

/** The link of a delivered note, if it has one. */
export const LinkOfDeliveredNote = ({ note, className }: { note: Pick<Note, 'link'>; className?: string }) =>
  note.link && (
    <div className={className}>
      <ExternalSiteLink link={note.link} />
    </div>
  )
