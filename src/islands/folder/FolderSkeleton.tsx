import { Graded, SummedUp } from '../../feedback/Read.tsx'
import { READ, STEPPED } from '../../folders/columns.ts'
import { ordered } from '../../folders/notes.ts'
import type { ReviewedSession } from '../../folders/reviewed-session.ts'
import { STAGE_MAX_HEIGHT, StageControlsSkeleton, StageSkeleton } from '../../player/StageSkeleton.tsx'
import { Card } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { LoadingRegion, Skeleton } from '../../ui/skeleton.tsx'

const Film = () => (
  <>
    <Skeleton className={cx('aspect-video w-full rounded-none!', STAGE_MAX_HEIGHT)} />
    <StageControlsSkeleton />
  </>
)
const Notes = () => (
  <span className="flex flex-col gap-4 border-t border-line p-4 lg:border-t-0">
    <Skeleton className="h-6 w-24" />
    <Skeleton className="h-16 w-full" />
    <Skeleton className="h-16 w-full" />
  </span>
)
const Text = () => (
  <Card className="flex flex-col gap-3">
    <Skeleton className="h-6 w-40" />
    <Skeleton className="h-4 w-full" />
    <Skeleton className="h-4 w-full" />
    <Skeleton className="h-4 w-2/3" />
  </Card>
)
const Step = () => (
  <Card className="flex h-57 flex-col gap-4">
    <span className="flex items-center gap-4">
      <Skeleton className="size-14 scale-75 rotate-45" />
      <Skeleton className="h-5 w-32" />
    </span>
    <Skeleton className="h-4 w-full" />
    <Skeleton className="h-4 w-3/4" />
    <Skeleton className="mt-auto h-11 w-full" />
  </Card>
)

/** A folder on its way: with feedback it is the film and its notes first (on a phone what sums it up), without it the next step. */
export const FolderSkeleton = ({ reviewed }: { reviewed: boolean }) => (
  <div className="page">
    <PageHeader
      back={{ href: '/player/dashboard', label: 'Your folders' }}
      title={
        <>
          <span className="sr-only">Folder</span>
          <Skeleton className="my-1 h-6.5 w-64 max-w-full sm:my-1.5 sm:h-7.5" />
        </>
      }
      about={<Skeleton className="h-7 w-44" />}
    />
    <LoadingRegion label="Loading the folder" className={reviewed ? READ.all : STEPPED.all}>
      {reviewed ? (
        <>
          <span className={READ.summary}>
            <Text />
          </span>
          <Card flush className={cx(READ.stage, 'overflow-clip lg:grid lg:grid-cols-[minmax(0,1fr)_22rem]')}>
            <span className="border-line lg:border-r">
              <Film />
            </span>
            <Notes />
          </Card>
          <span className={READ.aside}>
            <Text />
          </span>
        </>
      ) : (
        <>
          <span className={STEPPED.step}>
            <Step />
          </span>
          <Card flush className={cx(STEPPED.videos, 'overflow-clip')}>
            <Film />
            <Skeleton className="mx-4 mb-4 h-5 w-1/2" />
          </Card>
        </>
      )}
    </LoadingRegion>
  </div>
)

/** A session with its feedback, read before its player is there: what sums it up, and the still of its first video. */
export const FeedbackSkeleton = ({ session }: { session: ReviewedSession }) => {
  const { clips, review } = session
  const first = clips.find(c => c.id === ordered(review.notes, clips)[0]?.video) ?? clips[0]
  return (
    <LoadingRegion label="Loading the video" className={READ.all}>
      <div className={READ.summary}>
        <SummedUp session={session} />
      </div>
      <Card flush className={cx(READ.stage, 'overflow-clip lg:grid lg:grid-cols-[minmax(0,1fr)_22rem]')}>
        <div className="min-w-0 border-line lg:border-r">{first && <StageSkeleton clip={first} />}</div>
        <Notes />
      </Card>
      <div className={READ.more}>
        <Graded session={session} progress="/player/progress" />
      </div>
      <span className={READ.aside}>
        <Text />
      </span>
    </LoadingRegion>
  )
}
