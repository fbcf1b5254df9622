import { type ComponentProps, Suspense } from 'react'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { ReviewVideoCard as Card } from './ReviewVideoCard.tsx'

const ReviewVideoCard = lazyWithRetry(() => import('./ReviewVideoCard.tsx').then(m => ({ default: m.ReviewVideoCard })))

/** The “Save as video” card, loaded after the review itself. */
export const LazyReviewVideoCard = (props: ComponentProps<typeof Card>) => (
  <Suspense fallback={<Skeleton className="h-44" />}>
    <ReviewVideoCard {...props} />
  </Suspense>
)
