import { InstructorStandingNotice } from '../../instructors/InstructorStandingNotice.tsx'
import { useMyInstructors } from '../../instructors/my-instructors.ts'

/**
 * Tells which of the player's own instructors cannot get this folder yet, why, and what happens next. Rendered for players under 18 only,
 * because adults may assign a folder to a pending instructor.
 */
export function UnavailableInstructors() {
  const { mine } = useMyInstructors()
  return mine.filter(i => i.standing !== 'open').map(i => <InstructorStandingNotice key={i.id} instructor={i} />)
}
