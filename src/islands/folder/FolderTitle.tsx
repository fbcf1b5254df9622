import { Suspense } from 'react'
import type { Folder } from '../../../modules/folders/contract.ts'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'

const RenameFolderForm = lazyWithRetry(() => import('./RenameFolderForm.tsx').then(m => ({ default: m.RenameFolderForm })))

export const FolderTitle = ({ folder, editing, onClose }: { folder: Folder; editing: boolean; onClose: () => void }) =>
  editing ? (
    <Suspense fallback={folder.name}>
      <RenameFolderForm folder={folder} onClose={onClose} />
    </Suspense>
  ) : (
    folder.name
  )
