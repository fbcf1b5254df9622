import { STAGE_MAX_HEIGHT_CLASSES, StageControlsSkeleton } from '../../player/StageSkeleton.tsx'
import { cx } from '../../ui/cx.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { LoadingRegion, Skeleton } from '../../ui/skeleton.tsx'

/** A placeholder for a shared review that is loading: its heading, the button to watch it, the summary and the stage. */
export const SharedReviewSkeleton = () => (
  <LoadingRegion className="page flex flex-col gap-4 pb-8 sm:gap-6">
    <PageHeader
      title={
        <>
          <span className="sr-only">A review to watch</span>
          <Skeleton className="my-1 h-6.5 w-56 sm:my-1.5 sm:h-7.5" />
        </>
      }
      about={<Skeleton className="h-5 w-72" />}
    />
    <Skeleton className="h-13 w-full sm:w-64" />
    <div className="flex flex-col gap-3 rounded-card border border-line bg-paper p-4 sm:p-6">
      <div className="flex items-center gap-3">
        <Skeleton className="size-11 rounded-full!" />
        <Skeleton className="h-6 w-48" />
      </div>
      <Skeleton className="h-5 w-full max-w-measure" />
      <Skeleton className="h-5 w-2/3 max-w-measure" />
    </div>
    <div className="overflow-hidden border border-line bg-paper max-sm:-mx-4 max-sm:border-x-0 sm:rounded-card">
      <Skeleton className={cx('aspect-video w-full rounded-none!', STAGE_MAX_HEIGHT_CLASSES)} />
      <StageControlsSkeleton />
    </div>
  </LoadingRegion>
)
