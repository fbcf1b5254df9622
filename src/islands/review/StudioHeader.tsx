import { BookMarked, Keyboard } from 'lucide-react'
import type { Folder } from '../../../modules/folders/contract.ts'
import { useIsDraftLoading } from '../../draft/draft-selector-hooks.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { DraftSaveStatus, OWN_LINE_ON_PHONE_CLASSES } from './DraftSaveStatus.tsx'
import { ReviewPageHeader } from './ReviewPageHeader.tsx'
import type { StudioStore } from './studio-store.ts'

const icon = { size: 20, strokeWidth: 1.75, 'aria-hidden': true } as const

/** The studio's header: queue progress, save status, phrases, shortcuts and "Deliver". */
export function StudioHeader({
  studio,
  folder,
  progress,
  failed,
  ended,
}: {
  studio: StudioStore
  folder: Folder
  /** '8 of 23 · about 48 min', or an empty string. */
  progress: string
  /** Whether the draft failed to load. */
  failed: boolean
  /** Whether the review was delivered in another tab or on another device. */
  ended: boolean
}) {
  const loading = useIsDraftLoading(studio.autosavedDraft)
  return (
    <ReviewPageHeader folder={folder} progress={progress}>
      {failed && loading ? (
        <p role="status" className={cx('text-13 font-medium text-gold', OWN_LINE_ON_PHONE_CLASSES)}>
          The draft did not load. Trying again.
        </p>
      ) : (
        <DraftSaveStatus draft={studio.autosavedDraft} />
      )}
      {/* On a phone the notes tab has this button, so that the folder's name has room in the header. */}
      <IconButton label="Phrases and drills" aria-keyshortcuts="P" onClick={() => studio.$dialog.set('phrases')} className="max-sm:hidden">
        <BookMarked {...icon} />
      </IconButton>
      <IconButton label="Keyboard shortcuts" onClick={() => studio.$dialog.set('help')} className="max-lg:hidden">
        <Keyboard {...icon} />
      </IconButton>
      <Button disabled={loading} onClick={() => studio.$dialog.set('deliver')}>
        {ended ? 'Delivered' : 'Deliver'}
      </Button>
    </ReviewPageHeader>
  )
}
