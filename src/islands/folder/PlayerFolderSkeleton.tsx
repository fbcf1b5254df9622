import { GradesAndGoals, SummaryAndNextGoal } from '../../feedback/SummaryGradesAndGoals.tsx'
import { sortNotes } from '../../folders/notes.ts'
import { LAYOUT_BEFORE_FEEDBACK, LAYOUT_WITH_FEEDBACK } from '../../folders/page-layouts.ts'
import type { ReviewedSession } from '../../folders/reviewed-session-type.ts'
import { STAGE_MAX_HEIGHT_CLASSES, StageControlsSkeleton, StageSkeleton } from '../../player/StageSkeleton.tsx'
import { Card } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { LoadingRegion, Skeleton } from '../../ui/skeleton.tsx'

const VideoSkeleton = () => (
  <>
    <Skeleton className={cx('aspect-video w-full rounded-none!', STAGE_MAX_HEIGHT_CLASSES)} />
    <StageControlsSkeleton />
  </>
)
const WatchButtonSkeleton = () => <Skeleton className="h-13 w-full sm:w-64" />
const NotesSkeleton = () => (
  <span className="flex flex-col gap-4 border-t border-line p-4 lg:border-t-0">
    <Skeleton className="h-6 w-24" />
    <Skeleton className="h-16 w-full" />
    <Skeleton className="h-16 w-full" />
  </span>
)
const TextCardSkeleton = () => (
  <Card className="flex flex-col gap-3">
    <Skeleton className="h-6 w-40" />
    <Skeleton className="h-4 w-full" />
    <Skeleton className="h-4 w-full" />
    <Skeleton className="h-4 w-2/3" />
  </Card>
)
const NextStepSkeleton = () => (
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

/** A player's folder while it loads. `reviewed`: it has feedback, so the summary comes first; otherwise the next step does. */
export const PlayerFolderSkeleton = ({ reviewed }: { reviewed: boolean }) => (
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
    <LoadingRegion label="Loading the folder" className={reviewed ? LAYOUT_WITH_FEEDBACK.all : LAYOUT_BEFORE_FEEDBACK.all}>
      {reviewed ? (
        <>
          <span className={LAYOUT_WITH_FEEDBACK.summary}>
            <WatchButtonSkeleton />
            <TextCardSkeleton />
          </span>
          <Card flush className={cx(LAYOUT_WITH_FEEDBACK.stage, 'overflow-clip lg:grid lg:grid-cols-[minmax(0,1fr)_22rem]')}>
            <span className="border-line lg:border-r">
              <VideoSkeleton />
            </span>
            <NotesSkeleton />
          </Card>
          <span className={LAYOUT_WITH_FEEDBACK.aside}>
            <TextCardSkeleton />
          </span>
        </>
      ) : (
        <>
          <span className={LAYOUT_BEFORE_FEEDBACK.step}>
            <NextStepSkeleton />
          </span>
          <Card flush className={cx(LAYOUT_BEFORE_FEEDBACK.videos, 'overflow-clip')}>
            <VideoSkeleton />
            <Skeleton className="mx-4 mb-4 h-5 w-1/2" />
          </Card>
        </>
      )}
    </LoadingRegion>
  </div>
)

/** A session with feedback while the video player's code loads: its summary and grades, and the poster of the video with the first note. */
export const FeedbackWhilePlayerLoads = ({ session }: { session: ReviewedSession }) => {
  const { clips, review } = session
  const first = clips.find(c => c.id === sortNotes(review.notes, clips)[0]?.video) ?? clips[0]
  return (
    <LoadingRegion label="Loading the video" className={LAYOUT_WITH_FEEDBACK.all}>
      <div className={LAYOUT_WITH_FEEDBACK.summary}>
        <WatchButtonSkeleton />
        <SummaryAndNextGoal session={session} />
      </div>
      <Card flush className={cx(LAYOUT_WITH_FEEDBACK.stage, 'overflow-clip lg:grid lg:grid-cols-[minmax(0,1fr)_22rem]')}>
        <div className="min-w-0 border-line lg:border-r">{first && <StageSkeleton clip={first} />}</div>
        <NotesSkeleton />
      </Card>
      <div className={LAYOUT_WITH_FEEDBACK.more}>
        <GradesAndGoals session={session} progress="/player/progress" />
      </div>
      <span className={LAYOUT_WITH_FEEDBACK.aside}>
        <TextCardSkeleton />
      </span>
    </LoadingRegion>
  )
}
