import { useState } from 'react'
import { isNotFound } from '../../client/is-not-found.ts'
import { lastPathSegment } from '../../client/last-path-segment.ts'
import { useQuery } from '../../client/query.ts'
import { errorMessage } from '../../client/use-command.ts'
import { CompletedChecksLine } from '../../instructors/CompletedChecksLine.tsx'
import { ConnectAndFollowButtons } from '../../instructors/ConnectAndFollowButtons.tsx'
import { useMyInstructorsWithActions } from '../../instructors/connect-and-follow-instructors.ts'
import { instructorName } from '../../instructors/InstructorCard.tsx'
import { InstructorNotOpenNotice } from '../../instructors/InstructorNotOpenNotice.tsx'
import { InstructorStatistics } from '../../instructors/InstructorStatistics.tsx'
import { RatingList } from '../../instructors/RatingList.tsx'
import { instructorTitleForSports, skillName } from '../../instructors/sport-and-skill-labels.ts'
import { ProtectedPage } from '../../shell/ProtectedPage.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/empty-and-error-states.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { LoadingRegion, Skeleton } from '../../ui/skeleton.tsx'

const ProfileText = ({ title, text }: { title: string; text: string }) =>
  text ? (
    <section>
      <h2 className="mb-2 text-18">{title}</h2>
      <p className="max-w-measure whitespace-pre-line wrap-anywhere">{text}</p>
    </section>
  ) : null

function Screen() {
  const [slug] = useState(() => lastPathSegment(location.pathname))
  const { data: instructor, error, retry } = useQuery('GET /api/instructors/{slug}', { params: { slug } })
  const connections = useMyInstructorsWithActions()
  const back = { href: '/player/connect-instructor', label: 'All instructors' }
  if (error) {
    const isMissing = isNotFound(error)
    return (
      <div className="page max-w-4xl">
        <PageHeader title="Instructor" back={back} />
        <ErrorState
          title={isMissing ? 'Instructor not found' : 'The instructor did not load'}
          error={isMissing ? 'This profile was moved or closed.' : errorMessage(error)}
          retry={isMissing ? undefined : retry}
          action={<ButtonLink href={back.href}>{back.label}</ButtonLink>}
        />
      </div>
    )
  }
  if (!instructor) {
    return (
      <div className="page max-w-4xl">
        <PageHeader
          back={back}
          title={
            <>
              <span className="sr-only">Instructor</span>
              <Skeleton className="my-1 h-6.5 w-64 max-w-full sm:my-1.5 sm:h-7.5" />
            </>
          }
          about={<Skeleton className="my-1 h-4 w-44" />}
        />
        <LoadingRegion>
          <Card className="flex flex-wrap items-center gap-6">
            <Skeleton className="size-28 shrink-0 rounded-full!" />
            <span className="min-w-[min(14rem,100%)] flex-1">
              <Skeleton className="h-6 w-32 rounded-full!" />
            </span>
            <Skeleton className="h-11 w-56" />
          </Card>
          <span className="mt-8 flex max-w-measure flex-col gap-3">
            <Skeleton className="h-6 w-24" />
            <Skeleton className="h-4" />
            <Skeleton className="h-4" />
            <Skeleton className="h-4 w-2/3" />
          </span>
        </LoadingRegion>
      </div>
    )
  }
  const name = instructorName(instructor)
  return (
    <div className="page max-w-4xl">
      <PageHeader title={name} about={instructorTitleForSports(instructor.type)} back={back} />
      <Card className="flex flex-wrap items-center gap-6">
        <Avatar name={name} picture={instructor.profilePicture} instructor={instructor.id} size="xl" />
        <div className="min-w-[min(14rem,100%)] flex-1">
          <div className="flex flex-wrap gap-1.5">
            {instructor.skills.map(skill => (
              <Badge key={skill} tone="field">
                {skillName(skill)}
              </Badge>
            ))}
          </div>
          <CompletedChecksLine checks={instructor.checks} className="mt-3" />
          <InstructorStatistics instructor={instructor} className="mt-3" />
        </div>
        <ConnectAndFollowButtons id={instructor.id} name={name} connections={connections} />
      </Card>
      <InstructorNotOpenNotice instructor={connections.mine.find(i => i.id === instructor.id)} />
      {connections.canAssign(instructor.id) && (
        <p className="mt-4 flex flex-wrap items-center justify-between gap-4 rounded-card bg-field-wash px-4 py-3 wrap-anywhere">
          You are connected. Put your videos in a folder and assign it to {instructor.user.firstName}.
          <ButtonLink href="/player/dashboard">Go to your folders</ButtonLink>
        </p>
      )}
      <div className="mt-8 flex flex-col gap-8">
        <ProfileText title="About" text={instructor.about} />
        <ProfileText title="Experience" text={instructor.experience} />
        <RatingList ratings={instructor.ratings} instructor={name} />
      </div>
    </div>
  )
}

/** An instructor's page for players, with the buttons to connect and follow. */
export default function InstructorProfileForPlayers() {
  return <ProtectedPage role="player">{() => <Screen />}</ProtectedPage>
}
