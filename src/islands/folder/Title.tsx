import { Pencil } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { Folder } from '../../../modules/folders/contract.ts'
import { IconButton } from '../../ui/button.tsx'

const Rename = lazy(() => import('./Rename.tsx').then(m => ({ default: m.Rename })))

/** The name of the folder, and the pencil that changes it. */
export function Title({ folder }: { folder: Folder }) {
  const [editing, setEditing] = useState(false)
  const name = (
    <span className="flex items-start gap-1">
      <span className="min-w-0">{folder.name}</span>
      {folder.status !== 'archived' && (
        <IconButton label="Rename" onClick={() => setEditing(true)} className="text-ink-2">
          <Pencil aria-hidden="true" size={20} strokeWidth={1.75} />
        </IconButton>
      )}
    </span>
  )
  if (!editing) return name
  return (
    <Suspense fallback={name}>
      <Rename folder={folder} onClose={() => setEditing(false)} />
    </Suspense>
  )
}
