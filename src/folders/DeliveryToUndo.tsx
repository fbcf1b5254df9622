import { Suspense, useState } from 'react'
import { refetchQueries } from '../client/query.ts'
import { lazyWithRetry } from '../ui/lazy-with-retry.tsx'
import { storedHeldDelivery } from './held-delivery.ts'

const UndoDelivery = lazyWithRetry(() => import('./UndoDelivery.tsx').then(m => ({ default: m.UndoDelivery })))

/** Offers to undo the delivery that this tab has just made, whichever page comes next. Rendered in the browser only. */
export function DeliveryToUndo() {
  const [delivery] = useState(storedHeldDelivery)
  // The page of the delivered session has its own undo button.
  if (!delivery || location.search.includes(delivery.session)) return null
  return (
    <Suspense fallback={null}>
      <UndoDelivery delivery={delivery} onFinal={() => refetchQueries('GET /api/queue')} />
    </Suspense>
  )
}
