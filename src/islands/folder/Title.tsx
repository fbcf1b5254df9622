import { Archive, Pencil } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { Folder } from '../../../modules/folders/contract.ts'
import { IconButton } from '../../ui/button.tsx'
import { useAct } from './act.ts'

const Rename = lazy(() => import('./Rename.tsx').then(m => ({ default: m.Rename })))
const icon = { size: 20, strokeWidth: 1.75, 'aria-hidden': true } as const

/** The name of the folder, and what can be done with the folder as a whole. */
export function Title({ folder }: { folder: Folder }) {
  const [editing, setEditing] = useState(false)
  const { act, busy } = useAct(folder)
  const name = (
    <span className="flex items-start gap-1">
      <span className="mr-1 min-w-0">{folder.name}</span>
      {folder.status !== 'archived' && (
        <IconButton label="Rename" onClick={() => setEditing(true)} className="text-ink-2">
          <Pencil {...icon} />
        </IconButton>
      )}
      {(folder.status === 'open' || folder.status === 'paid') && (
        <IconButton label="Archive" disabled={busy} onClick={() => act('archive')} className="text-ink-2">
          <Archive {...icon} />
        </IconButton>
      )}
    </span>
  )
  if (editing) {
    return (
      <Suspense fallback={name}>
        <Rename folder={folder} onClose={() => setEditing(false)} />
      </Suspense>
    )
  }
  return name
}
