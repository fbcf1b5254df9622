import { useConnectedAndFollowedInstructors } from '../../instructors/connected-and-followed-instructors.ts'
import { InvitingOrChosenInstructorCard } from '../../instructors/InvitingOrChosenInstructorCard.tsx'

/** The instructor with whom this player wanted to connect before they logged in. */
export function InstructorToConnectCard() {
  return <InvitingOrChosenInstructorCard connections={useConnectedAndFollowedInstructors()} />
}
