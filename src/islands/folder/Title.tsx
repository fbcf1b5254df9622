import { Archive, Pencil } from 'lucide-react'
import { Suspense } from 'react'
import type { Folder } from '../../../modules/folders/contract.ts'
import { IconButton } from '../../ui/button.tsx'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { useAct } from './act.ts'

const Rename = lazyWithRetry(() => import('./Rename.tsx').then(m => ({ default: m.Rename })))
const icon = { size: 20, strokeWidth: 1.75, 'aria-hidden': true } as const

/** What can be done with the folder as a whole. */
export function Tools({ folder, onRename }: { folder: Folder; onRename: () => void }) {
  const { act, busy } = useAct(folder)
  return (
    <>
      {folder.status !== 'archived' && (
        <IconButton label="Rename" onClick={onRename} className="text-ink-2">
          <Pencil {...icon} />
        </IconButton>
      )}
      {(folder.status === 'open' || folder.status === 'paid') && (
        <IconButton label="Archive" disabled={busy} onClick={() => act('archive')} className="text-ink-2">
          <Archive {...icon} />
        </IconButton>
      )}
    </>
  )
}

/** The name of the folder, or the form that changes it. */
export const Title = ({ folder, editing, onClose }: { folder: Folder; editing: boolean; onClose: () => void }) =>
  editing ? (
    <Suspense fallback={folder.name}>
      <Rename folder={folder} onClose={onClose} />
    </Suspense>
  ) : (
    folder.name
  )
