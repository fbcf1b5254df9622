import { ConnectToInstructorCard } from '../../instructors/ConnectToInstructorCard.tsx'
import { useConnectedAndFollowedInstructors } from '../../instructors/connected-and-followed-instructors.ts'

/** The instructor with whom this player wanted to connect before they logged in. */
export function InstructorToConnectCard() {
  return <ConnectToInstructorCard connections={useConnectedAndFollowedInstructors()} />
}
