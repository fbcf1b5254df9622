import { useQuery } from '../../client/query.ts'
import { errorMessage } from '../../client/use-command.ts'
import { GoalCards } from '../../progress/GoalCards.tsx'
import { GradeCard } from '../../progress/GradeCard.tsx'
import { PositionTimingCard } from '../../progress/PositionTimingCard.tsx'
import { skillsShownInProgress } from '../../progress/progress-series.ts'
import { ProtectedPage } from '../../shell/ProtectedPage.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { capitalize } from '../../ui/capitalize.ts'
import { Card } from '../../ui/card.tsx'
import { EmptyState, ErrorState } from '../../ui/empty-and-error-states.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { LoadingRegion, Skeleton } from '../../ui/skeleton.tsx'
import { FirstAndNewestVideos } from './FirstAndNewestVideos.tsx'

const ProgressSkeleton = () => (
  <LoadingRegion label="Loading your progress" className="flex flex-col gap-8">
    <span>
      <Skeleton className="mb-3 h-7 w-24" />
      <span className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        <Skeleton className="h-40" />
        <Skeleton className="h-40 max-sm:hidden" />
      </span>
    </span>
    <Card className="flex flex-col gap-4">
      <Skeleton className="h-6 w-24" />
      <Skeleton className="h-12 w-40" />
      <Skeleton className="h-48 w-full" />
    </Card>
  </LoadingRegion>
)

function Page() {
  const { data, error, retry } = useQuery('GET /api/progress')
  return (
    <div className="page pb-10">
      <PageHeader
        title="Progress"
        about="What your instructors saw, session by session."
        back={{ href: '/player/dashboard', label: 'Your folders' }}
      />
      {!data &&
        (error ? <ErrorState title="Your progress did not load" error={errorMessage(error)} retry={retry} /> : <ProgressSkeleton />)}
      {data && data.sessions.length === 0 && (
        <EmptyState
          title="Your progress starts with your first feedback"
          action={<ButtonLink href="/player/dashboard">Your folders</ButtonLink>}
        >
          Your grades, goals and swing times will appear here, each with the review it comes from.
        </EmptyState>
      )}
      {data && data.sessions.length > 0 && (
        <div className="flex flex-col gap-10">
          <GoalCards goals={data.goals} />
          {skillsShownInProgress(data).map(skill => (
            <section key={skill} id={skill} aria-labelledby={`skill-${skill}`} className="scroll-mt-20">
              <h2 id={`skill-${skill}`} className="mb-3 text-22">
                {capitalize(skill)}
              </h2>
              <div className="grid items-start gap-4 sm:gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
                <div className="flex min-w-0 flex-col gap-4 sm:gap-6">
                  <GradeCard sessions={data.sessions} skill={skill} />
                  <PositionTimingCard sessions={data.sessions} skill={skill} />
                </div>
                <FirstAndNewestVideos sessions={data.sessions} skill={skill} />
              </div>
            </section>
          ))}
          {skillsShownInProgress(data).length === 0 && (
            <EmptyState title="No grades yet">
              Your feedback has no grades so far. When an instructor grades a skill, you can follow it here.
            </EmptyState>
          )}
        </div>
      )}
    </div>
  )
}

export default () => <ProtectedPage role="player">{() => <Page />}</ProtectedPage>
