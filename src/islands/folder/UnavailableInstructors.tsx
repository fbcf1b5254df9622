import { useMyInstructorsWithActions } from '../../instructors/connect-and-follow-instructors.ts'
import { InstructorNotOpenNotice } from '../../instructors/InstructorNotOpenNotice.tsx'

/**
 * Tells players which of their own instructors cannot be assigned a folder, why, and what happens next. Rendered only for players under
 * 18, because adults may assign a folder to a pending instructor.
 */
export function UnavailableInstructors() {
  const { mine } = useMyInstructorsWithActions()
  return mine.filter(i => i.standing !== 'open').map(i => <InstructorNotOpenNotice key={i.id} instructor={i} />)
}
