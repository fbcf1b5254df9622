import { Archive, Pencil } from 'lucide-react'
import type { Ref } from 'react'
import type { Folder } from '../../../modules/folders/contract.ts'
import { IconButton } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.ts'
import { $uploadsUnderWayCountByFolder } from '../../upload/upload-item.ts'
import { useOneClickFolderActions } from './use-one-click-folder-actions.ts'

const icon = { size: 20, strokeWidth: 1.75, 'aria-hidden': true } as const

/** The buttons next to the title: rename and archive, if the folder's status allows them. */
export function FolderTitleButtons({
  folder,
  renameButton,
  onRename,
}: {
  folder: Folder
  renameButton: Ref<HTMLButtonElement>
  onRename: () => void
}) {
  const { perform, busy } = useOneClickFolderActions(folder)
  const archive = () =>
    // The server refuses uploads to an archived folder.
    $uploadsUnderWayCountByFolder.get()[folder.id]
      ? toast({ title: 'Videos are still uploading', description: 'Wait for them, or cancel them, then archive the folder.' })
      : perform('archive')
  return (
    <>
      {folder.status !== 'archived' && (
        <IconButton ref={renameButton} label="Rename" onClick={onRename} className="text-ink-2">
          <Pencil {...icon} />
        </IconButton>
      )}
      {(folder.status === 'open' || folder.status === 'paid') && (
        <IconButton label="Archive" disabled={busy} onClick={archive} className="text-ink-2">
          <Archive {...icon} />
        </IconButton>
      )}
    </>
  )
}
