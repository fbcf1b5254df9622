import { useEffect, useState } from 'react'
import type { Folder } from '../../../modules/folders/contract.ts'
import { refetchQueries } from '../../client/query.ts'
import { UndoDeliveryNotice } from '../../folders/UndoDeliveryNotice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ReviewPageHeader } from './ReviewPageHeader.tsx'

/** How often to check whether the delivery has been processed, in ms, once it can no longer be undone. */
const REFETCH_MS = 1000

/** A review whose delivery can still be undone for `undoMs`, or has not been processed yet. */
export function HeldDeliveryScreen({ folder, session, undoMs }: { folder: Folder; session: string; undoMs: number }) {
  const [isFinal, setIsFinal] = useState(false)
  const [until] = useState(() => Date.now() + undoMs)
  useEffect(() => {
    if (!isFinal) return
    const timer = setInterval(() => refetchQueries('GET /api/folders/{folder}'), REFETCH_MS)
    return () => clearInterval(timer)
  }, [isFinal])
  const first = folder.player.name.split(' ')[0]!
  return (
    <>
      <ReviewPageHeader folder={folder} />
      <div className="page py-16">
        <p className="text-18">
          {isFinal ? `${first} is getting this feedback now.` : `${first} will get this feedback in a few seconds.`}
        </p>
        <Skeleton className="mt-6 h-40" />
      </div>
      <UndoDeliveryNotice delivery={{ folder: folder.id, session, player: first, about: '', until }} onFinal={() => setIsFinal(true)} />
    </>
  )
}
