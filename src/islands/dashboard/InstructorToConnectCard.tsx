import { useConnectedAndFollowedInstructors } from '../../instructors/connected-and-followed-instructors.ts'
import { SuggestedInstructorCard } from '../../instructors/SuggestedInstructorCard.tsx'

/** The instructor with whom this player wanted to connect before they logged in. */
export function InstructorToConnectCard() {
  return <SuggestedInstructorCard connections={useConnectedAndFollowedInstructors()} />
}
