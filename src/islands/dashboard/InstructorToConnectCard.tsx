import { ConnectToInstructorCard } from '../../instructors/ConnectToInstructorCard.tsx'
import { useMyInstructorsWithActions } from '../../instructors/connect-and-follow-instructors.ts'

/** The instructor with whom this player wanted to connect before they logged in. */
export function InstructorToConnectCard() {
  return <ConnectToInstructorCard connections={useMyInstructorsWithActions()} />
}
