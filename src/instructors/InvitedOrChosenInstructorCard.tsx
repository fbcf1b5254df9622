import { useEffect, useState } from 'react'
import { isNotFound } from '../client/is-not-found.ts'
import { useQuery } from '../client/query.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Card } from '../ui/card.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { CompletedChecksLine } from './CompletedChecksLine.tsx'
import { ConnectAndFollowButtons } from './ConnectAndFollowButtons.tsx'
import type { ConnectedAndFollowedInstructors } from './connect-and-follow-instructors.ts'
import { currentInviteCode, forgetInviteCode } from './current-invite-code.ts'
import { instructorName } from './InstructorCard.tsx'
import { InstructorStatistics } from './InstructorStatistics.tsx'
import { instructorTitleForSports, skillName } from './sport-and-skill-labels.ts'
import { forgetInstructorToConnect, readInstructorToConnect } from './stored-instructor-to-connect.ts'

type Props = { connections: ConnectedAndFollowedInstructors }

/** The instructor who invited this player, or whom the player chose before logging in; renders nothing if there is neither. */
export function InvitedOrChosenInstructorCard({ connections }: Props) {
  const [invite] = useState(currentInviteCode)
  const [chosen] = useState(readInstructorToConnect)
  // The choice is offered only once, on the first page that shows this card after registration or login.
  useEffect(forgetInstructorToConnect, [])
  const byInvite = useQuery('GET /api/instructors/by-invite/{inviteCode}', invite ? { params: { inviteCode: invite } } : false)
  const bySlug = useQuery('GET /api/instructors/{slug}', !invite && chosen ? { params: { slug: chosen } } : false)
  const isInvalid = isNotFound(byInvite.error)
  const isOver = isInvalid || (byInvite.data !== undefined && connections.connected(byInvite.data.id))
  // A used or invalid invitation is deleted, because otherwise every login in this tab would open this page again.
  useEffect(() => {
    if (isOver) forgetInviteCode()
  }, [isOver])
  const instructor = byInvite.data ?? bySlug.data
  const failure = byInvite.error
    ? 'Failed to fetch instructor. The invitation may be old; find them below by name.'
    : // Public profiles include those whose check has expired, and players under 18 can connect only with instructors we have checked.
      isNotFound(bySlug.error) && 'The instructor you wanted to connect with is not open to you right now. You can choose another.'
  if (failure) return <p className="mb-6 rounded-field bg-clay-wash px-3 py-2 text-clay">{failure}</p>
  if (byInvite.loading || bySlug.loading) return <Skeleton className="mb-8 h-46.5 w-full rounded-card! sm:h-35.5" />
  if (!instructor) return null
  const name = instructorName(instructor)
  return (
    <Card className="mb-8 flex flex-wrap items-center gap-4">
      <Avatar name={name} picture={instructor.profilePicture} instructor={instructor.id} size="lg" />
      <div className="min-w-48 flex-1">
        <p className="text-14 font-medium text-clay">{invite ? 'You are invited' : 'You wanted to connect'}</p>
        <h2 className="text-22 wrap-anywhere">{name}</h2>
        <p className="text-14 text-ink-2">
          {instructorTitleForSports(instructor.type)} · {instructor.skills.map(skillName).join(', ')}
        </p>
        <CompletedChecksLine checks={instructor.checks} className="mt-1" />
        <InstructorStatistics instructor={instructor} className="mt-1" />
      </div>
      <ConnectAndFollowButtons id={instructor.id} name={name} connections={connections} invite={invite} onConnected={forgetInviteCode} />
    </Card>
  )
}
