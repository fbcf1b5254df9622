import { useMyInstructorsWithActions } from '../../instructors/connect-and-follow-instructors.ts'
import { InvitedOrChosenInstructorCard } from '../../instructors/InvitedOrChosenInstructorCard.tsx'

/** Shows the instructor that this player wanted to connect with before logging in, with a button to connect. */
export function InstructorToConnectCard() {
  return <InvitedOrChosenInstructorCard connections={useMyInstructorsWithActions()} />
}
