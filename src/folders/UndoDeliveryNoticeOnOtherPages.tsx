import { Suspense, useState } from 'react'
import { refetchQueries } from '../client/query.ts'
import { lazyWithRetry } from '../ui/lazy-with-retry.tsx'
import { readStoredHeldDelivery, type StoredHeldDelivery } from './held-delivery-storage.ts'

const UndoDeliveryNotice = lazyWithRetry(() => import('./UndoDeliveryNotice.tsx').then(m => ({ default: m.UndoDeliveryNotice })))

/** Whether this is the page of the delivered session. A URL without a session shows the folder's latest one. */
function isPageOf({ folder, session }: StoredHeldDelivery): boolean {
  const shown = new URLSearchParams(location.search).get('session')
  return location.pathname.endsWith(`/folder/${folder}`) && (shown === null || shown === session)
}

/** Offers to undo the delivery that this tab has just made, whichever page comes next. Rendered in the browser only. */
export function UndoDeliveryNoticeOnOtherPages() {
  const [delivery] = useState(readStoredHeldDelivery)
  // The page of the delivered session has its own undo button.
  if (!delivery || isPageOf(delivery)) return null
  return (
    <Suspense fallback={null}>
      <UndoDeliveryNotice delivery={delivery} onFinal={() => refetchQueries('GET /api/queue')} />
    </Suspense>
  )
}
