import { Card } from '../../ui/card.tsx'
import { LoadingRegion, Skeleton } from '../../ui/skeleton.tsx'

const QueueRowSkeleton = () => (
  <span className="flex h-13 items-center gap-3 px-2 sm:h-11 sm:px-3">
    <Skeleton className="h-8 w-14 shrink-0" />
    <Skeleton className="h-5 w-64 max-w-full" />
    <span className="flex-1" />
    <Skeleton className="h-5 w-24 max-sm:hidden" />
    <Skeleton className="h-8 w-21 max-sm:hidden" />
  </span>
)

/** An instructor's queue while it loads: a section with one folder, and one with two. */
export const QueueSkeleton = () => (
  <LoadingRegion label="Loading your queue" className="flex flex-col gap-8">
    <Skeleton className="-mt-3.5 mb-0.5 h-5 w-56" />
    {[1, 2].map(rows => (
      <span key={rows}>
        <Skeleton className="mt-1 mb-4 h-5 w-28" />
        <Card flush className="divide-y divide-line">
          {[1, 2].slice(0, rows).map(row => (
            <QueueRowSkeleton key={row} />
          ))}
        </Card>
      </span>
    ))}
  </LoadingRegion>
)
