import { ConnectToInstructorCard } from '../../instructors/ConnectToInstructorCard.tsx'
import { useMyInstructorsWithActions } from '../../instructors/connect-and-follow-instructors.ts'

/** Shows the instructor that this player wanted to connect with before logging in, with a button to connect. */
export function InstructorToConnectCard() {
  return <ConnectToInstructorCard connections={useMyInstructorsWithActions()} />
}
