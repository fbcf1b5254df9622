import { Suspense } from 'react'
import type { Folder } from '../../../modules/folders/contract.ts'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'

const RenameForm = lazyWithRetry(() => import('./RenameForm.tsx').then(m => ({ default: m.RenameForm })))

/** The folder's name, or the form that renames it. */
export const FolderTitle = ({ folder, editing, onClose }: { folder: Folder; editing: boolean; onClose: () => void }) =>
  editing ? (
    <Suspense fallback={folder.name}>
      <RenameForm folder={folder} onClose={onClose} />
    </Suspense>
  ) : (
    folder.name
  )
