import { Card } from '../../ui/card.tsx'
import { LoadingRegion, Skeleton } from '../../ui/skeleton.tsx'

/** The columns of the folder cards, shared by the screen and its skeleton. */
export const FOLDER_GRID_CLASSES = 'grid grid-cols-1 gap-3 sm:grid-cols-2 sm:gap-4 lg:grid-cols-3'
const keysUpTo = (count: number) => Array.from({ length: count }, (_, i) => i)

const ActionItemSkeleton = () => (
  <span className="flex min-h-16 items-center gap-3 p-3 sm:gap-4 sm:p-4">
    <Skeleton className="size-10 shrink-0 rounded-full!" />
    <span className="flex flex-1 flex-col gap-2.5">
      <Skeleton className="h-4 w-full max-w-md" />
      <Skeleton className="h-4 w-3/4 sm:hidden" />
      <Skeleton className="h-3.5 w-full max-w-sm" />
      <Skeleton className="h-3.5 w-2/3 sm:hidden" />
    </span>
  </span>
)

const FolderCardSkeleton = () => (
  <Card flush className="flex overflow-hidden sm:flex-col">
    <Skeleton className="w-32 shrink-0 rounded-none! sm:aspect-video sm:w-full" />
    <span className="flex flex-1 flex-col gap-1.5 p-3 sm:p-4">
      <span className="flex h-7 items-start justify-between">
        <Skeleton className="h-5 w-3/5" />
        <Skeleton className="size-7 rotate-45 scale-75" />
      </span>
      <Skeleton className="my-0.5 h-4 w-1/2" />
      <Skeleton className="mt-1 h-6 w-24 rounded-full!" />
    </span>
  </Card>
)

/** The player's dashboard while it loads, with as many action items and folders as it last showed in this tab. */
export const PlayerDashboardSkeleton = ({ items, folders }: { items: number; folders: number }) => (
  <LoadingRegion label="Loading your folders">
    {items > 0 && (
      <span className="mb-8 block">
        <Skeleton className="mt-1 mb-4 h-5 w-48" />
        <Card flush className="divide-y divide-line">
          {keysUpTo(items).map(i => (
            <ActionItemSkeleton key={i} />
          ))}
        </Card>
      </span>
    )}
    <span className={FOLDER_GRID_CLASSES}>
      {keysUpTo(folders).map(i => (
        <FolderCardSkeleton key={i} />
      ))}
    </span>
  </LoadingRegion>
)
