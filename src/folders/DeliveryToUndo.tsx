import { Suspense, useState } from 'react'
import { refetchQueries } from '../client/query.ts'
import { lazyWithRetry } from '../ui/lazy-with-retry.tsx'
import { storedHeldDelivery } from './held-delivery.ts'

const UndoDelivery = lazyWithRetry(() => import('./UndoDelivery.tsx').then(m => ({ default: m.UndoDelivery })))

/** Offers to undo the delivery that this tab has just made, on whichever page follows it. For the browser alone. */
export function DeliveryToUndo() {
  const [delivery] = useState(storedHeldDelivery)
  // The delivered session's own page offers it by itself.
  if (!delivery || location.search.includes(delivery.session)) return null
  return (
    <Suspense fallback={null}>
      <UndoDelivery delivery={delivery} onFinal={() => refetchQueries('GET /api/queue')} />
    </Suspense>
  )
}
