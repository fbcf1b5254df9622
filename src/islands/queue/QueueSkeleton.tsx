import { Card } from '../../ui/card.tsx'
import { LoadingRegion, Skeleton } from '../../ui/skeleton.tsx'

const QueueRowSkeleton = () => (
  <span className="flex flex-col gap-3 p-3 sm:flex-row sm:items-center sm:gap-4 sm:p-4">
    <span className="flex flex-1 items-center gap-3 sm:gap-4">
      <Skeleton className="aspect-video w-24 shrink-0 sm:w-32" />
      <span className="flex flex-1 flex-col gap-2">
        <Skeleton className="h-5 w-3/4 max-w-64" />
        <Skeleton className="h-3.5 w-full max-w-96" />
        <Skeleton className="h-3.5 w-5/6 max-w-80" />
        <Skeleton className="h-4 w-1/2 max-w-32" />
      </span>
    </span>
    <Skeleton className="h-8 sm:h-6 sm:w-44" />
    <Skeleton className="h-11 sm:w-28" />
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
