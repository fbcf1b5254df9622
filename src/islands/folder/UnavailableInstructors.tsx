import { useInstructorConnections } from '../../instructors/connections.ts'
import { InstructorStandingNotice } from '../../instructors/InstructorStandingNotice.tsx'

/** Tells a player under 18 which of their own instructors cannot get this folder yet, why, and what happens next. */
export function UnavailableInstructors() {
  const { mine } = useInstructorConnections()
  return mine.filter(i => i.standing !== 'open').map(i => <InstructorStandingNotice key={i.id} instructor={i} />)
}
